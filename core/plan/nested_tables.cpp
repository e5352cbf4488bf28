// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/nested_tables.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "core/plan/nested_schedule.h"

namespace remat {

namespace {

/// Cells of the whole chain's memory range: more make sweeps dearer, fewer leave more to merge.  So there are about as
/// many as a table has points, of which a known frontier's or thin tables' number tells.
constexpr std::int64_t kCells = 1024;
constexpr std::int64_t kMostKnownCells = 16384;
constexpr std::int64_t kLeastCells = 256;
/// Of any table, also where few of its bytes are a matter of choice.
constexpr std::int64_t kMostCells = std::int64_t{1} << 16;
constexpr int kPhaseBits = 1;
constexpr int kSampleBits = 30;
/// What a move usually takes where tables are large, in the unit of NestedLimits::maxWork.
constexpr std::int64_t kWorkPerMove = 50;
/// Where layers repeat there are few tables a level; large ones are then cut into so many shares for the threads.
/// Whether they are does not depend on the threads, since the work is counted by share.
constexpr std::int64_t kFewTables = 8;
constexpr std::int64_t kShares = 4;
constexpr std::size_t kSharedPoints = 4096; ///< of the known frontier, which tells how large tables are

std::int64_t cellsForKnown(std::size_t points)
{
    return std::clamp(static_cast<std::int64_t>(points), kCells, kMostKnownCells);
}

std::int64_t cellsForThinned(std::size_t pointsPerTable)
{
    return std::clamp(static_cast<std::int64_t>(pointsPerTable), kLeastCells, kCells);
}

/// Keeps of a table that is not finished about `count` points, so that no dropped one is more than an even share of the
/// cost range below what stands for it.  Returns the largest such difference.
template <class Cost> Cost thin(NestedTable<Cost>& table, std::size_t count)
{
    auto& points = table.points;
    if (points.size() <= count)
        return 0;
    const Cost step = (points.front().cost - points.back().cost) / static_cast<Cost>(count) + 1;
    Cost error = 0;
    std::size_t kept = 1;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Cost behind = points[kept - 1].cost - points[i].cost;
        if (behind <= step && i + 1 < points.size()) {
            error = std::max(error, behind);
            continue;
        }
        points[kept++] = points[i];
    }
    points.resize(kept);
    return error;
}

/// Costs fall within a share too, so what an earlier share beats is the beginning of a later one.
template <class Cost> NestedTable<Cost>& joined(std::vector<NestedTable<Cost>>& shares)
{
    auto& points = shares.front().points;
    for (std::size_t share = 1; share < shares.size(); ++share) {
        const auto& more = shares[share].points;
        auto begin = more.begin();
        if (!points.empty())
            begin = std::partition_point(more.begin(), more.end(),
                [best = points.back().cost](const auto& point) { return point.cost >= best; });
        points.insert(points.end(), begin, more.end());
    }
    return shares.front();
}

template <class Cost> Cost worstError(const std::vector<NestedMove<Cost>>& moves)
{
    Cost worst = 0;
    for (const NestedMove<Cost>& move : moves)
        worst = std::max(
            worst, (move.first ? move.first->error : Cost{0}) + (move.second ? move.second->error : Cost{0}));
    return worst;
}

} // namespace

template <class Cost>
NestedTables<Cost>::NestedTables(const Chain& chain, NestedClass solvedClass)
    : m_chain(chain, solvedClass),
      m_index(m_chain)
{ }

template <class Cost> NestedGrid NestedTables<Cost>::gridOf(std::int64_t cells) const
{
    NestedGrid grid;
    while ((m_chain.memoryRange() >> grid.shift) > cells || (m_chain.mostMemory() >> grid.shift) > kMostCells)
        ++grid.shift;
    grid.phaseBits = std::min(grid.shift, kPhaseBits);
    while ((m_chain.mostCost() >> grid.costShift) >> kSampleBits != 0)
        ++grid.costShift;
    return grid;
}

template <class Cost> template <class Visit> void NestedTables<Cost>::countMoves(const Visit& visit) const
{
    // Per stage before which a stretch may be cut: the checkpoint and the drops there.
    std::vector<std::int64_t> movesBefore{0};
    for (int stage = 0; stage < m_chain.stages(); ++stage) {
        const auto& choices = m_chain.kind(stage).choices;
        const auto drops = std::count_if(
            choices.begin(), choices.end(), [&](const auto& choice) { return m_chain.mayDrop(stage, choice); });
        movesBefore.push_back(movesBefore.back() + 1 + drops);
    }
    // No stretch is cut behind a stage that runs once.
    std::vector<int> lastCut(movesBefore.size());
    for (int stage = m_chain.stages(); stage-- > 0;)
        lastCut[static_cast<std::size_t>(stage)] = m_chain.kind(stage).runsOnce || stage + 1 == m_chain.stages()
            ? stage
            : lastCut[static_cast<std::size_t>(stage) + 1];
    for (const NestedPart& part : m_index.parts()) {
        const int cut = std::min(part.last, lastCut[static_cast<std::size_t>(part.first)]);
        const auto choices = static_cast<std::int64_t>(m_chain.kind(part.first).choices.size());
        const std::int64_t length = part.last - part.first + 1;
        visit(length,
            part.staying >= 0 ? 1 + cut - part.first
                              : choices + movesBefore[static_cast<std::size_t>(cut) + 1]
                    - movesBefore[static_cast<std::size_t>(part.first) + 1]);
    }
}

template <class Cost> bool NestedTables<Cost>::mayFit(const NestedLimits& limits) const
{
    std::int64_t sum = 0;
    countMoves([&](std::int64_t, std::int64_t moves) { sum += moves; });
    return sum <= limits.maxWork / kWorkPerMove;
}

template <class Cost> std::int64_t NestedTables<Cost>::leastThinnedWork(std::size_t pointsPerTable) const
{
    const std::int64_t allCells = cellsForThinned(pointsPerTable);
    std::int64_t sum = 0;
    // No plan is known, so every move is looked at, and swept over at least one tile.
    countMoves([&](std::int64_t length, std::int64_t moves) {
        const std::int64_t cells = std::max(allCells * length / m_chain.stages(), NestedEnvelope<Cost>::kTile);
        sum += moves * (1 + cells / kCellsPerWork);
    });
    return sum;
}

template <class Cost>
typename NestedTables<Cost>::Outcome NestedTables<Cost>::fill(
    const NestedLimits& limits, std::span<const FrontierPoint> known, const FlatTables<Cost>* flat)
{
    const NestedGrid grid = gridOf(cellsForKnown(known.size()));
    std::optional<NestedSuffixes<Cost>> suffixes;
    if (flat)
        suffixes.emplace(m_chain, grid, *flat);
    std::optional<NestedBound> bound;
    if (!known.empty())
        bound.emplace(m_chain, grid, known);
    const std::int64_t shares = known.size() >= kSharedPoints ? kShares : 1;
    return fillAll(limits, grid, kAllPoints, shares, bound ? &*bound : nullptr, suffixes ? &*suffixes : nullptr);
}

template <class Cost>
typename NestedTables<Cost>::Outcome NestedTables<Cost>::fillThinned(
    const NestedLimits& limits, std::size_t pointsPerTable)
{
    return fillAll(limits, gridOf(cellsForThinned(pointsPerTable)), pointsPerTable, 1, nullptr, nullptr);
}

template <class Cost>
typename NestedTables<Cost>::Outcome NestedTables<Cost>::fillAll(const NestedLimits& limits, const NestedGrid& grid,
    std::size_t pointsPerTable, std::int64_t sharesOfFew, const NestedBound* bound,
    const NestedSuffixes<Cost>* suffixes)
{
    const int wanted = limits.threads > 0 ? limits.threads : static_cast<int>(std::thread::hardware_concurrency());
    ThreadPool pool(std::max(wanted, 1));
    // Fresh ones: assigning to the tables of an earlier call would keep what those had allocated.
    m_tables.clear();
    if (static_cast<std::int64_t>(m_index.slotCount() * sizeof(NestedTable<Cost>)) > limits.maxTableBytes)
        return Outcome::TooLarge;
    m_tables.resize(m_index.slotCount());
    std::vector<NestedEnvelope<Cost>> envelopes(static_cast<std::size_t>(pool.threads()), NestedEnvelope<Cost>(grid));
    std::vector<Job> jobs(envelopes.size());
    const NestedMoves<Cost> moves(m_chain, m_index, m_tables);
    std::atomic<std::int64_t> bytes{static_cast<std::int64_t>(m_tables.size() * sizeof(NestedTable<Cost>))};
    std::atomic<std::int64_t> work{0};
    // Sums only grow, so a level that is cut short here is too large at its end whatever the threads did.
    const auto isTooLarge = [&] {
        return bytes.load(std::memory_order_relaxed) > limits.maxTableBytes
            || work.load(std::memory_order_relaxed) > limits.maxWork;
    };
    const auto stops = [&] { return limits.cancel.stop_requested() || isTooLarge(); };

    const auto prepare = [&](const NestedPart& part, std::int64_t shares, Job& job) {
        job.hasFlat = suffixes && suffixes->copyFlat(part, m_tables[m_index.slotOf(part)]);
        moves.list(part, job.moves, suffixes ? &job.steps : nullptr);
        if (suffixes)
            suffixes->separate(job.moves, job.steps, job.hasFlat);
        job.shares.resize(static_cast<std::size_t>(shares));
    };
    const auto build = [&](const NestedPart& part, NestedShare share, Job& job, NestedEnvelope<Cost>& envelope) {
        const std::int64_t workBefore = envelope.work();
        envelope.build(job.moves, bound ? bound->ceilingOf(m_chain, part) : NestedCeiling{},
            job.shares[static_cast<std::size_t>(share.index)], job.hasFlat ? &m_tables[m_index.slotOf(part)] : nullptr,
            share);
        work.fetch_add(envelope.work() - workBefore, std::memory_order_relaxed);
    };
    const auto finish = [&](const NestedPart& part, Job& job) {
        NestedTable<Cost>& made = joined(job.shares);
        made.error = worstError(job.moves);
        if (pointsPerTable != kAllPoints)
            made.error += thin(made, pointsPerTable);
        made.finish(grid);
        NestedTable<Cost>& table = m_tables[m_index.slotOf(part)];
        if (job.hasFlat)
            table.below = std::make_shared<const NestedTable<Cost>>(made);
        else
            table = made;
        bytes.fetch_add(table.bytes(), std::memory_order_relaxed);
    };

    const std::vector<NestedPart>& parts = m_index.parts();
    const auto levelOf = [&](std::size_t i) { return m_index.levelOf(parts[i]); };
    for (std::size_t begin = 0, end = 0; begin < parts.size(); begin = end) {
        while (end < parts.size() && levelOf(end) == levelOf(begin))
            ++end;
        const auto count = static_cast<std::int64_t>(end - begin);
        const auto partAt
            = [&](std::int64_t i) -> const NestedPart& { return parts[begin + static_cast<std::size_t>(i)]; };
        if (sharesOfFew > 1 && count < kFewTables) {
            jobs.resize(std::max(jobs.size(), static_cast<std::size_t>(count)));
            const auto forEach = [&](std::int64_t pieces, const auto& piece) {
                pool.parallelFor(pieces, [&](std::int64_t i, int worker) {
                    if (!stops())
                        piece(i, static_cast<std::size_t>(worker));
                });
            };
            forEach(count, [&](std::int64_t i, std::size_t) {
                prepare(partAt(i), sharesOfFew, jobs[static_cast<std::size_t>(i)]);
            });
            forEach(count * sharesOfFew, [&](std::int64_t i, std::size_t worker) {
                const std::int64_t table = i / sharesOfFew;
                build(partAt(table), {i % sharesOfFew, sharesOfFew}, jobs[static_cast<std::size_t>(table)],
                    envelopes[worker]);
            });
            forEach(count, [&](std::int64_t i, std::size_t) { finish(partAt(i), jobs[static_cast<std::size_t>(i)]); });
        } else {
            pool.parallelFor(count, [&](std::int64_t i, int worker) {
                if (stops())
                    return;
                Job& job = jobs[static_cast<std::size_t>(worker)];
                prepare(partAt(i), 1, job);
                build(partAt(i), {}, job, envelopes[static_cast<std::size_t>(worker)]);
                finish(partAt(i), job);
            });
        }
        if (limits.cancel.stop_requested())
            return Outcome::Cancelled;
        if (isTooLarge())
            return Outcome::TooLarge;
        if (limits.progress)
            limits.progress(static_cast<double>(end) / static_cast<double>(parts.size()));
    }
    m_bytes = bytes.load();

    if (NestedTable<Cost>& whole = m_tables[rootSlot()]; whole.below) {
        whole = whole.inOne();
        whole.finish(grid);
    }
    listPoints();
    return Outcome::Done;
}

/// Below the step's end more memory buys nothing: of the points that are lifted to it only the cheapest counts.  A
/// schedule whose time passes what quantities may be is none.
template <class Cost> void NestedTables<Cost>::listPoints()
{
    const NestedTable<Cost>& whole = m_tables[rootSlot()];
    m_points.clear();
    for (std::size_t i = 0; i < whole.size(); ++i)
        if ((i + 1 == whole.size() || whole.points[i + 1].memory > m_chain.stepEnd())
            && m_chain.isWithinTime(whole.points[i].cost))
            m_points.push_back(i);
}

template <class Cost> double NestedTables<Cost>::certifiedGap() const
{
    const Nanoseconds error{m_chain.excessOf(m_tables[rootSlot()].error)};
    double gap = 0;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Nanoseconds ours = pointAt(i).time;
        const Nanoseconds best = std::max(m_chain.leastTime(), ours - error);
        gap = std::max(gap, ratio(ours - best, best));
    }
    return gap;
}

template <class Cost> std::int64_t NestedTables<Cost>::states() const
{
    std::int64_t states = 0;
    for (const NestedTable<Cost>& table : m_tables)
        states += table.functionSize();
    return states;
}

template <class Cost> FrontierPoint NestedTables<Cost>::pointAt(std::size_t index) const
{
    const NestedTable<Cost>& whole = m_tables[rootSlot()];
    const auto& point = whole.points[m_points[index]];
    return m_chain.pointOf(point.memory, point.cost);
}

template <class Cost> Schedule NestedTables<Cost>::scheduleOf(std::size_t index) const
{
    return NestedScheduleWriter<Cost>(m_chain, m_index, m_tables)
        .write(root(), m_tables[rootSlot()].points[m_points[index]]);
}

template class NestedTables<NarrowCost>;
template class NestedTables<WideCost>;

} // namespace remat
