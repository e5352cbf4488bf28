// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/flat_moves.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/plan/flat_memory.h"

namespace remat {

namespace {

/// Comparing each option with this many others bounds the work on absurd lists; leaving a beaten one in is harmless.
constexpr std::size_t kMostCompared = 1024;

/// Costs stay two bits below the width of their type.
constexpr WideCost kMostNarrowCost = WideCost{1} << 62;
constexpr WideCost kMostWideCost = WideCost{1} << 126;
/// More than the reruns of all plans but those of very long chains; times up to 19 hours fit beside it.
constexpr std::int64_t kUsualScale = std::int64_t{1} << 16;

Nanoseconds leastBackward(const Stage& stage)
{
    Nanoseconds least = stage.options.front().backwardTime;
    for (const Option& option : stage.options)
        least = std::min(least, option.backwardTime);
    return least;
}

/// The largest sums that any plan can reach.
struct CostRange {
    std::int64_t excess = 0;
    std::int64_t reruns = 0;
};

CostRange costRange(const Chain& chain)
{
    CostRange range;
    for (const Stage& stage : chain.stages) {
        const Nanoseconds least = leastBackward(stage);
        std::int64_t excess = 0;
        std::int64_t reruns = 0;
        for (const Option& option : stage.options) {
            excess = std::max(excess, (option.backwardTime - least).value);
            reruns = std::max(reruns, option.reruns);
        }
        range.excess += excess;
        range.reruns += reruns;
    }
    return range;
}

bool haveSameNumbers(const Option& a, const Option& b)
{
    return a.savedBytes == b.savedBytes && a.needsInput == b.needsInput && a.needsOutput == b.needsOutput
        && a.forwardTempBytes == b.forwardTempBytes && a.backwardTime == b.backwardTime
        && a.backwardTempBytes == b.backwardTempBytes && a.reruns == b.reruns;
}

bool haveSameNumbers(const Stage& a, const Stage& b)
{
    return a.outBytes == b.outBytes && a.gradBytes == b.gradBytes
        && std::equal(a.options.begin(), a.options.end(), b.options.begin(), b.options.end(),
            [](const Option& x, const Option& y) { return haveSameNumbers(x, y); });
}

/// Removes what an earlier entry beats; `beats(a, b)` must imply that a can stand for b everywhere.
template <class T, class Beats> void keepUnbeaten(std::vector<T>& list, Beats beats)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto end = list.begin() + static_cast<std::ptrdiff_t>(std::min(kept, kMostCompared));
        if (std::none_of(list.begin(), end, [&](const T& other) { return beats(other, list[i]); }))
            list[kept++] = list[i];
    }
    list.resize(kept);
}

/// Value of a step function; the caller knows that it is finite there.
template <class Cost> const Cost* costAt(const StepTable<Cost>& table, std::int64_t memory)
{
    const auto above = std::upper_bound(table.memory.begin(), table.memory.end(), memory);
    return above == table.memory.begin() ? nullptr
                                         : &table.cost[static_cast<std::size_t>(above - table.memory.begin()) - 1];
}

} // namespace

bool fitsNarrowCost(const Chain& chain)
{
    const CostRange range = costRange(chain);
    const WideCost largest = (WideCost{range.excess} + 1) * (WideCost{range.reruns} + 1);
    return largest < kMostNarrowCost;
}

template <class Cost> Cost FlatMoves<Cost>::usualScale(const Chain& chain)
{
    const CostRange range = costRange(chain);
    const WideCost most = std::is_same_v<Cost, NarrowCost> ? kMostNarrowCost : kMostWideCost;
    const bool fits = (WideCost{range.excess} + 1) * kUsualScale < most;
    return range.reruns < kUsualScale && fits ? kUsualScale : Cost{range.reruns} + 1;
}

template <class Cost>
FlatMoves<Cost>::FlatMoves(const Chain& chain, Cost scale, FlatSuffixes<Cost>* remembered)
    : m_stages(chain.stages.size()),
      m_base(chain.baseBytes),
      m_stepEnd(chain.stepEndBytes.value),
      m_costPerNanosecond(scale)
{
    assert(scale > costRange(chain).reruns);
    const auto made = [&](Kind kind) {
        auto shared = std::make_shared<const Kind>(std::move(kind));
        return remembered ? remembered->interned(std::move(shared)) : shared;
    };
    const auto inputBytes = [&](std::size_t i) { return i == 0 ? 0 : chain.stages[i - 1].outBytes.value; };
    for (std::size_t i = chain.stages.size(); i-- > 0;) {
        const Stage& stage = chain.stages[i];
        const bool isLast = i + 1 == chain.stages.size();
        m_stages[i].kind = !isLast && inputBytes(i) == inputBytes(i + 1) && haveSameNumbers(stage, chain.stages[i + 1])
            ? m_stages[i + 1].kind
            : made(kindOf(stage, inputBytes(i)));
        m_stages[i].laterWeightGrads
            = isLast ? 0 : m_stages[i + 1].laterWeightGrads + chain.stages[i + 1].weightGradBytes.value;
        m_stepEnd += stage.weightGradBytes.value;
        m_leastTime += stage.forwardTime + leastBackward(stage);
    }
    for (std::size_t i = 0; i < m_stages.size(); ++i)
        m_stages[i].isReached = {i == 0 || !m_stages[i - 1].kind->ownsAll, i > 0 && m_stages[i - 1].kind->ownsSome};
}

template <class Cost> FlatStageKind<Cost> FlatMoves<Cost>::kindOf(const Stage& stage, std::int64_t inputBytes) const
{
    Kind kind;
    const auto& options = stage.options;
    kind.inputsCoincide = std::all_of(options.begin(), options.end(), [](const Option& o) { return o.needsInput; });
    kind.ownsSome = std::any_of(options.begin(), options.end(), [](const Option& o) { return o.needsOutput; });
    kind.ownsAll = std::all_of(options.begin(), options.end(), [](const Option& o) { return o.needsOutput; });
    const Nanoseconds least = leastBackward(stage);
    for (const Input input : {Input::Free, Input::Owned}) {
        auto& templates = kind.templates[indexOf(input)];
        for (std::size_t o = 0; o < options.size(); ++o) {
            const Option& option = options[o];
            const std::int64_t keep
                = option.savedBytes.value + (input == Input::Owned || option.needsInput ? inputBytes : 0);
            const std::int64_t forwardFloor
                = inputBytes + (stage.outBytes + option.savedBytes + option.forwardTempBytes).value;
            const std::int64_t backwardFloor = keep + (option.needsOutput ? stage.outBytes.value : 0)
                + (stage.gradBytes + option.backwardTempBytes).value;
            const Cost cost = Cost{(option.backwardTime - least).value} * m_costPerNanosecond + option.reruns;
            templates.push_back(
                {keep, forwardFloor, backwardFloor, cost, option.needsOutput ? 1 : 0, static_cast<int>(o)});
        }
        std::sort(templates.begin(), templates.end(), [](const Template& a, const Template& b) {
            return std::tie(a.keep, a.cost, a.table, a.option) < std::tie(b.keep, b.cost, b.table, b.option);
        });
        keepUnbeaten(templates, [](const Template& a, const Template& b) {
            return a.keep <= b.keep && a.cost <= b.cost && a.table <= b.table && a.forwardFloor <= b.forwardFloor
                && a.backwardFloor <= b.backwardFloor;
        });
    }
    return kind;
}

template <class Cost> StageMove<Cost> FlatMoves<Cost>::moveOf(const Template& one, std::int64_t laterWeightGrads)
{
    return {
        one.keep, std::max(one.forwardFloor, one.backwardFloor + laterWeightGrads), one.cost, one.table, one.option};
}

template <class Cost>
void FlatMoves<Cost>::worthTrying(
    std::size_t stage, Input input, const SuffixTables<Cost>& suffix, std::vector<StageMove<Cost>>& moves) const
{
    const StageEntry& entry = m_stages[stage];
    moves.clear();
    for (const Template& one : entry.kind->templates[indexOf(input)]) {
        moves.push_back(moveOf(one, entry.laterWeightGrads));
        StageMove<Cost>& move = moves.back();
        move.floor = std::max(move.floor, suffix[static_cast<std::size_t>(move.table)]->memory.front() + move.keep);
    }
    keepUnbeaten(moves, [](const StageMove<Cost>& a, const StageMove<Cost>& b) {
        return a.keep <= b.keep && a.cost <= b.cost && a.table <= b.table && a.floor <= b.floor;
    });
}

template <class Cost>
StageMove<Cost> FlatMoves<Cost>::moveThatMakes(
    std::size_t stage, Input input, std::int64_t memory, Cost cost, const SuffixTables<Cost>& suffix) const
{
    const StageEntry& entry = m_stages[stage];
    for (const Template& one : entry.kind->templates[indexOf(input)]) {
        const StageMove<Cost> move = moveOf(one, entry.laterWeightGrads);
        if (move.floor > memory)
            continue;
        const Cost* rest = costAt(*suffix[static_cast<std::size_t>(move.table)], memory - move.keep);
        if (rest != nullptr && *rest + move.cost == cost)
            return move;
    }
    assert(!"the tables contain every point that they were built from");
    return {};
}

template <class Cost> FrontierPoint FlatMoves<Cost>::pointOf(std::int64_t memory, Cost cost) const
{
    const auto reruns = static_cast<std::int64_t>(cost % m_costPerNanosecond);
    return {m_base + Bytes{std::max(memory, m_stepEnd)}, m_leastTime + Nanoseconds{excessOf(cost)}, reruns};
}

template class FlatMoves<NarrowCost>;
template class FlatMoves<WideCost>;

} // namespace remat
