// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/flat_tables.h"

#include <algorithm>
#include <array>
#include <limits>
#include <thread>

#include "core/plan/convex_bound.h"
#include "core/plan/flat_bound.h"

namespace remat {

namespace {

/// Smaller tables are made before a second thread is awake.
constexpr std::size_t kThreadedPoints = 4096;

/// The tables of the first stages stay whole: a fine answer then comes out of coarse tables behind them.
constexpr std::size_t kWholeStages = 3;
/// With corners alone one less: the whole tables would take longer than all others.
constexpr std::size_t kWholeStagesBeforeCorners = 2;
/// Near the least memory floors leave few options, so a plan has little to choose from, and a point that is missing
/// there costs most.  The lowest of so many equal parts of the memory range is cut this many times finer.
constexpr std::int64_t kLowEndFineness = 8;
constexpr std::int64_t kLowEndParts = 10;

/// Keeps about `count` points: of each of as many equal steps of cost or memory the point that lies lowest above the
/// chord of its neighbourhood, and the first and the last of all.
/// Returns whether it dropped any.
template <class Cost> bool thin(StepTable<Cost>& table, std::size_t count)
{
    if (table.size() <= count + 2)
        return false;
    const std::size_t last = table.size() - 1;
    const Cost costStep = (table.cost.front() - table.cost.back()) / static_cast<Cost>(count) * 2 + 1;
    const std::int64_t memoryStep
        = (table.memory.back() - table.memory.front()) / static_cast<std::int64_t>(count) * 2 + 1;
    const std::int64_t lowEnd = table.memory.front() + (table.memory.back() - table.memory.front()) / kLowEndParts;
    // One step down the list: steep parts are cut by cost, flat parts by memory.
    const auto stepFrom = [&](std::size_t from, std::size_t begin) {
        const std::int64_t fineness = table.memory[begin] < lowEnd ? kLowEndFineness : 1;
        const Cost costEnd = table.cost[begin] - costStep / fineness;
        const std::int64_t memoryEnd = table.memory[begin] + memoryStep / fineness;
        std::size_t end = from;
        while (end < last && table.cost[end] > costEnd && table.memory[end] < memoryEnd)
            ++end;
        return end;
    };
    std::vector<std::size_t> chosen;
    std::size_t left = 0;
    for (std::size_t begin = 1; begin < last;) {
        const std::size_t end = stepFrom(begin + 1, begin);
        const std::size_t right = end < last ? stepFrom(end + 1, end) : last;
        // The slope of this step and its neighbours stands in for that of the convex hull.  Doubles only choose here.
        const double slope = static_cast<double>(table.cost[left] - table.cost[right])
            / static_cast<double>(table.memory[right] - table.memory[left]);
        std::size_t best = begin;
        double lowest = std::numeric_limits<double>::infinity();
        for (std::size_t i = begin; i < end; ++i) {
            const double height = static_cast<double>(table.cost[i] - table.cost[begin])
                + slope * static_cast<double>(table.memory[i] - table.memory[begin]);
            if (height < lowest) {
                lowest = height;
                best = i;
            }
        }
        left = begin;
        begin = end;
        chosen.push_back(best);
    }
    chosen.push_back(last);
    std::size_t kept = 1;
    for (const std::size_t i : chosen) {
        table.memory[kept] = table.memory[i];
        table.cost[kept++] = table.cost[i];
    }
    table.memory.resize(kept);
    table.cost.resize(kept);
    return true;
}

/// Leaves the moves that good plans mostly consist of: those on the convex hull of what moves keep and cost, and those
/// of least floor, for the leanest plan.  Returns whether others went.
template <class Cost> bool keepCorners(const FlatMoves<Cost>& moves, std::vector<StageMove<Cost>>& tried)
{
    std::array<ConvexBound, 2> hulls;
    std::int64_t leanest = tried.front().floor;
    for (const StageMove<Cost>& move : tried) {
        hulls[static_cast<std::size_t>(move.table)].add({move.keep, moves.excessOf(move.cost)});
        leanest = std::min(leanest, move.floor);
    }
    for (ConvexBound& hull : hulls)
        hull.makeConvex();
    const auto isAboveHull = [&](const StageMove<Cost>& move) {
        return hulls[static_cast<std::size_t>(move.table)].at(move.keep) < moves.excessOf(move.cost);
    };
    return std::erase_if(tried, [&](const auto& move) { return move.floor > leanest && isAboveHull(move); }) > 0;
}

} // namespace

template <class Cost> SuffixTables<Cost> FlatTables<Cost>::suffixOf(std::size_t stage) const
{
    const auto& tables = m_tables[stage + 1]->byInput;
    // Where owning the input changes nothing only one of the two is filled.
    return {tables[0].size() > 0 ? &tables[0] : &tables[1], tables[1].size() > 0 ? &tables[1] : &tables[0]};
}

template <class Cost> const StepTable<Cost>* FlatTables<Cost>::suffixTable(std::size_t stage, Input input) const
{
    const auto& tables = m_tables[stage]->byInput;
    const std::size_t wanted = m_moves.indexOf(input);
    if (tables[wanted].size() > 0)
        return &tables[wanted];
    return m_moves.inputsCoincide(stage) ? &tables[1 - wanted] : nullptr;
}

/// Precondition: those of the next stage are there.
template <class Cost>
FlatStageTables<Cost> FlatTables<Cost>::tablesOf(
    std::size_t stage, const FlatThinning& thinning, Scratch& scratch) const
{
    StageTables tables;
    const SuffixTables<Cost> suffix = suffixOf(stage);
    for (const Input input : {Input::Free, Input::Owned}) {
        const bool isCopy
            = m_moves.inputsCoincide(stage) && input == Input::Owned && m_moves.isReached(stage, Input::Free);
        if (!m_moves.isReached(stage, input) || isCopy)
            continue;
        m_moves.worthTrying(stage, input, suffix, scratch.moves);
        if (thinning.onlyCorners && keepCorners(m_moves, scratch.moves))
            tables.isWhole = false;
        StepTable<Cost>& table = tables.byInput[m_moves.indexOf(input)];
        // A thinned table may lack what an exchange would lead to.
        const bool mayExchange = scratch.madeNext && m_isWhole && !thinning.onlyCorners && m_moves.repeatsNext(stage);
        if (scratch.threads > 1 && !scratch.pool && suffix[0]->size() >= kThreadedPoints)
            scratch.pool = std::make_unique<ThreadPool>(scratch.threads);
        table = mayExchange ? scratch.envelope.buildAgain(scratch.moves, *suffix[0], scratch.pool.get())
                            : scratch.envelope.build(scratch.moves, suffix, scratch.pool.get());
        if (thinning.points > 0 && thin(table, thinning.points))
            tables.isWhole = false;
    }
    return tables;
}

template <class Cost>
typename FlatTables<Cost>::Outcome FlatTables<Cost>::fill(const FlatLimits& limits, const FlatThinning& thinning,
    const std::function<void(double)>& progress, FlatSuffixes<Cost>* remembered, std::int64_t mostNewPoints)
{
    const std::size_t stages = m_moves.stages();
    m_tables.assign(stages + 1, nullptr);
    m_tables.back() = remembered ? remembered->afterLast() : FlatSuffixes<Cost>::behindLastStage();
    m_isWhole = true;
    Scratch scratch;
    scratch.threads = limits.threads > 0 ? limits.threads : static_cast<int>(std::thread::hardware_concurrency());
    const std::size_t wholeStages = thinning.onlyCorners ? kWholeStagesBeforeCorners : kWholeStages;
    std::int64_t points = 0;
    std::int64_t newPoints = 0;
    for (std::size_t stage = stages; stage-- > 0;) {
        if (limits.cancel.stop_requested())
            return Outcome::Cancelled;
        const FlatThinning& ofStage = stage >= wholeStages ? thinning : kAllPoints;
        const typename FlatSuffixes<Cost>::Key key{
            m_tables[stage + 1], m_moves.kind(stage), m_moves.laterWeightGrads(stage), m_moves.reached(stage), ofStage};
        auto tables = remembered ? remembered->find(key) : nullptr;
        const bool isNew = !tables;
        if (isNew) {
            tables = std::make_shared<const StageTables>(tablesOf(stage, ofStage, scratch));
            newPoints += tables->points();
            if (remembered)
                remembered->keep(key, tables);
        }
        scratch.madeNext = isNew;
        points += tables->points();
        m_isWhole = m_isWhole && tables->isWhole;
        m_tables[stage] = std::move(tables);
        if (thinning == kAllPoints && (points > limits.maxPoints || newPoints > mostNewPoints))
            return Outcome::TooLarge;
        if (progress)
            progress(static_cast<double>(stages - stage) / static_cast<double>(stages));
    }
    listPoints();
    return Outcome::Done;
}

/// Below the step's end more memory buys nothing: of the points that are lifted to it only the cheapest counts.
template <class Cost> void FlatTables<Cost>::listPoints()
{
    m_pointEnds.clear();
    for (std::size_t i = 0; i < whole().size(); ++i)
        if (i + 1 == whole().size() || whole().memory[i + 1] > m_moves.stepEnd())
            m_pointEnds.push_back(i);
}

template <class Cost> double FlatTables<Cost>::certifiedGap() const
{
    const auto bound = FlatBound::ofWhole(m_moves, whole().memory.back() - whole().memory.front());
    double gap = 0;
    for (std::size_t k = 0; k < m_pointEnds.size(); ++k) {
        const std::size_t i = m_pointEnds[k];
        const bool isCheapest = i + 1 == whole().size();
        // The bound falls with memory, so the worst budget of a step is its largest.
        const std::int64_t least = isCheapest ? m_moves.excessOf(whole().cost[i]) : bound.at(whole().memory[i + 1] - 1);
        const Nanoseconds best = m_moves.leastTime() + Nanoseconds{least};
        const Nanoseconds ours = pointAt(k).time;
        gap = std::max(gap, ratio(ours - best, best));
    }
    return gap;
}

template <class Cost> std::int64_t FlatTables<Cost>::states() const
{
    std::int64_t states = 0;
    for (const auto& tables : m_tables)
        states += tables->points();
    return states;
}

template <class Cost> FrontierPoint FlatTables<Cost>::pointAt(std::size_t index) const
{
    const std::size_t i = m_pointEnds[index];
    return m_moves.pointOf(whole().memory[i], whole().cost[i]);
}

template <class Cost> std::vector<int> FlatTables<Cost>::choiceOf(std::size_t index) const
{
    std::int64_t memory = whole().memory[m_pointEnds[index]];
    Cost cost = whole().cost[m_pointEnds[index]];
    // Where the optimizer step sets the peak, the plan may use as much while it runs.
    if (m_isWhole)
        memory = std::max(memory, m_moves.stepEnd());
    std::vector<int> options;
    Input input = Input::Free;
    for (std::size_t stage = 0; stage < m_moves.stages(); ++stage) {
        const SuffixTables<Cost> suffix = suffixOf(stage);
        const StageMove<Cost> move = m_moves.moveThatMakes(stage, input, memory, cost, suffix);
        options.push_back(move.option);
        memory -= move.keep;
        cost -= move.cost;
        input = move.table == 0 ? Input::Free : Input::Owned;
        if (!m_isWhole) {
            // A thinned table says what its point costs at the point's own memory: above it better ones were dropped.
            const std::vector<std::int64_t>& rest = suffix[m_moves.indexOf(input)]->memory;
            memory = *(std::upper_bound(rest.begin(), rest.end(), memory) - 1);
        }
    }
    return options;
}

template class FlatTables<NarrowCost>;
template class FlatTables<WideCost>;

} // namespace remat
