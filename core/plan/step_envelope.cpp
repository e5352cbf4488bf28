// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/step_envelope.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace remat {

namespace {

/// Samples stay below this, so that sums of two never overflow 32 bits.
constexpr int kSampleBits = 28;
constexpr std::size_t kSurvivorSlots = std::size_t{1} << 17;
/// Wider buckets make sweeps cheaper, narrower ones reject more; the best is flat around this.
constexpr std::int64_t kPointsPerBucket = 4;
constexpr int kPhaseBits = 2;
/// With an exchange a bucket has few candidates beside its points, so there is less to reject.
constexpr std::int64_t kExchangedPointsPerBucket = 8;
constexpr std::int64_t kLeastBuckets = 64;
constexpr std::int64_t kMostBuckets = std::int64_t{1} << 22;
/// Ranges a thread, since some have more points than others, and the buckets that make a range worth sharing.
constexpr std::int64_t kRangesPerThread = 3;
constexpr std::int64_t kBucketsPerRange = 512;
/// A list of an exchange with fewer points than this part of the table's is looked at point by point, not swept over.
constexpr std::size_t kSweptPart = 8;

/// Pieces that do not need each other; `pool` may be null.
template <class Piece> void inPieces(ThreadPool* pool, std::int64_t count, const Piece& piece)
{
    if (pool)
        return pool->parallelFor(count, piece);
    for (std::int64_t i = 0; i < count; ++i)
        piece(i, 0);
}

} // namespace

template <class Cost>
StepTable<Cost> StepEnvelope<Cost>::build(
    std::span<const StageMove<Cost>> moves, const SuffixTables<Cost>& tables, ThreadPool* pool)
{
    m_moves.assign(moves.begin(), moves.end());
    m_grid.isExchanged = false;
    layGrid(moves, tables);
    return buildMoves(tables, pool);
}

template <class Cost>
StepTable<Cost> StepEnvelope<Cost>::buildAgain(
    std::span<const StageMove<Cost>> moves, const StepTable<Cost>& last, ThreadPool* pool)
{
    m_moves.assign(moves.begin(), moves.end());
    m_grid.isExchanged = true;
    const SuffixTables<Cost> tables{&last, &last};
    // Neither needs the other: the exchange sorts moves of its own.
    const auto prepare = [&](std::int64_t step, int) {
        if (step == 0)
            m_exchange.assign(m_moves, last, m_firstOption);
        else
            layGrid(moves, tables);
    };
    inPieces(pool, 2, prepare);
    return buildMoves(tables, pool);
}

template <class Cost> StepTable<Cost> StepEnvelope<Cost>::buildMoves(const SuffixTables<Cost>& tables, ThreadPool* pool)
{
    m_grid.moves.clear();
    for (std::size_t m = 0; m < m_moves.size(); ++m) {
        const StepTable<Cost>& table = *tables[static_cast<std::size_t>(m_moves[m].table)];
        m_grid.moves.push_back(place(m_moves[m], m_grid.isExchanged ? m_exchange.pointsFor(m) : table));
        if (m_grid.isExchanged && m_exchange.pointsFor(m).size() < table.size() / kSweptPart)
            sweepOnlyShared(m_grid.moves.back());
    }
    // Enough buckets for long sweeps, few enough that the survivors' lists stay in the cache.
    m_grid.tile = std::clamp<std::size_t>(kSurvivorSlots / m_moves.size() / 8 * 8, 8, StepGrid<Cost>::kMostTile);
    return joined(walk(pool), pool);
}

/// Returns in how many ranges.
template <class Cost> std::size_t StepEnvelope<Cost>::walk(ThreadPool* pool)
{
    const std::int64_t most = pool ? kRangesPerThread * pool->threads() : 1;
    const std::int64_t ranges = std::clamp<std::int64_t>(m_grid.buckets / kBucketsPerRange, 1, most);
    if (static_cast<std::int64_t>(m_walks.size()) < ranges)
        m_walks.resize(static_cast<std::size_t>(ranges));
    const auto walkOne = [&](std::int64_t range, int) {
        m_walks[static_cast<std::size_t>(range)].run(
            m_grid, m_grid.buckets * range / ranges, m_grid.buckets * (range + 1) / ranges);
    };
    if (ranges == 1)
        walkOne(0, 0);
    else
        pool->parallelFor(ranges, walkOne);
    return static_cast<std::size_t>(ranges);
}

/// Costs fall within a range too, so what an earlier range beats is the beginning of a later one.
template <class Cost> StepTable<Cost> StepEnvelope<Cost>::joined(std::size_t ranges, ThreadPool* pool)
{
    struct Part {
        const StepWalk<Cost>* walk;
        std::ptrdiff_t begin;
        std::ptrdiff_t end;
    };
    std::vector<Part> parts;
    std::size_t count = 0;
    for (std::size_t range = 0; range < ranges; ++range) {
        const StepWalk<Cost>& walk = m_walks[range];
        const auto first = walk.points().cost.begin();
        const auto end = static_cast<std::ptrdiff_t>(walk.size());
        std::ptrdiff_t begin = 0;
        if (!parts.empty()) {
            const Cost best = parts.back().walk->points().cost[static_cast<std::size_t>(parts.back().end) - 1];
            begin = std::partition_point(first, first + end, [&](Cost cost) { return cost >= best; }) - first;
        }
        if (begin == end)
            continue;
        parts.push_back({&walk, begin, end});
        count += static_cast<std::size_t>(end - begin);
    }
    StepTable<Cost> table;
    m_firstOption.clear();
    const auto append = [&](auto& list, const auto& listOf) {
        for (const auto& [walk, begin, end] : parts)
            list.insert(list.end(), listOf(*walk).begin() + begin, listOf(*walk).begin() + end);
    };
    // Much of this is the system's work of giving memory that was never used, so threads share even that.
    using Walk = StepWalk<Cost>;
    const auto fillOne = [&](std::int64_t list, int) {
        if (list == 0) {
            table.memory.reserve(count);
            append(
                table.memory, [](const Walk& walk) -> auto& { return walk.points().memory; });
        } else if (list == 1) {
            table.cost.reserve(count);
            append(
                table.cost, [](const Walk& walk) -> auto& { return walk.points().cost; });
        } else {
            append(
                m_firstOption, [](const Walk& walk) -> auto& { return walk.options(); });
        }
    };
    inPieces(pool, 3, fillOne);
    m_lastSize = count;
    return table;
}

template <class Cost>
void StepEnvelope<Cost>::layGrid(std::span<const StageMove<Cost>> moves, const SuffixTables<Cost>& tables)
{
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    std::array<std::int64_t, 2> largestKeep{-1, -1};
    Cost largestCost = 0;
    for (const StageMove<Cost>& move : moves) {
        const auto t = static_cast<std::size_t>(move.table);
        const StepTable<Cost>& table = *tables[t];
        low = std::min(low, std::max(table.memory.front() + move.keep, move.floor));
        high = std::max(high, std::max(table.memory.back() + move.keep, move.floor));
        largestKeep[t] = std::max(largestKeep[t], move.keep);
        largestCost = std::max(largestCost, move.cost + table.cost.front());
    }
    std::int64_t points = 0;
    for (std::size_t t = 0; t < tables.size(); ++t)
        points += largestKeep[t] >= 0 ? static_cast<std::int64_t>(tables[t]->size()) : 0;

    // From thinned tables comes a result with many more points than they have, about as many as last time.
    points = std::max(points, static_cast<std::int64_t>(m_lastSize));
    const std::int64_t perBucket = m_grid.isExchanged ? kExchangedPointsPerBucket : kPointsPerBucket;
    const std::int64_t wanted = std::clamp(points / perBucket, kLeastBuckets, kMostBuckets);
    m_grid.origin = low;
    m_grid.shift = 0;
    while (((high - low) >> m_grid.shift) >= 2 * wanted)
        ++m_grid.shift;
    m_grid.buckets = ((high - low) >> m_grid.shift) + 1;
    m_grid.phaseBits = std::min(m_grid.shift, kPhaseBits);
    m_grid.costShift = 0;
    while ((largestCost >> m_grid.costShift) >> kSampleBits != 0)
        ++m_grid.costShift;
    for (std::size_t t = 0; t < tables.size(); ++t)
        // Nothing reads the table below this, so a floor far above the table does not blow up the grid.
        if (largestKeep[t] >= 0)
            sample(*tables[t], std::max(tables[t]->memory.front(), low - largestKeep[t]), m_grid.samples[t]);
}

template <class Cost>
void StepEnvelope<Cost>::sample(const StepTable<Cost>& table, std::int64_t origin, StepSamples& samples) const
{
    const std::int64_t width = std::int64_t{1} << m_grid.shift;
    samples.origin = origin;
    samples.cells = (std::max<std::int64_t>(0, table.memory.back() - origin) + width - 1) >> m_grid.shift;
    samples.stride = samples.cells + m_grid.buckets + 4;
    const int phases = 1 << m_grid.phaseBits;
    samples.cost.resize(static_cast<std::size_t>(samples.stride * phases));
    samples.lastAtOrBefore.resize(static_cast<std::size_t>(samples.cells) + 1);
    std::size_t point = 0;
    for (std::int64_t cell = 0; cell <= samples.cells; ++cell) {
        for (int phase = 0; phase < phases; ++phase) {
            const std::int64_t memory
                = origin + (cell << m_grid.shift) + (std::int64_t{phase} << (m_grid.shift - m_grid.phaseBits));
            while (point + 1 < table.size() && table.memory[point + 1] <= memory)
                ++point;
            samples.cost[static_cast<std::size_t>(phase * samples.stride + cell)] = m_grid.rounded(table.cost[point]);
            if (phase == 0)
                samples.lastAtOrBefore[static_cast<std::size_t>(cell)] = static_cast<std::uint32_t>(point);
        }
    }
    for (int phase = 0; phase < phases; ++phase) {
        const auto begin = samples.cost.begin() + phase * samples.stride;
        std::fill(begin + samples.cells + 1, begin + samples.stride, m_grid.rounded(table.cost.back()));
    }
}

template <class Cost>
PlacedStepMove<Cost> StepEnvelope<Cost>::place(const StageMove<Cost>& move, const StepTable<Cost>& points) const
{
    const StepSamples& samples = m_grid.samples[static_cast<std::size_t>(move.table)];
    const std::int64_t width = std::int64_t{1} << m_grid.shift;
    const std::int64_t offset = m_grid.origin - move.keep - samples.origin;
    const int fineShift = m_grid.shift - m_grid.phaseBits;
    const std::int64_t phaseMask = (std::int64_t{1} << m_grid.phaseBits) - 1;
    // Shifts round down, also below zero: the last sample at or before the start, the first at or after the end.
    const std::int64_t atStart = offset >> fineShift;
    const std::int64_t atEnd = (offset + width + (std::int64_t{1} << fineShift) - 1) >> fineShift;
    const std::int64_t startCell = atStart >> m_grid.phaseBits;

    PlacedStepMove<Cost> placed{};
    placed.move = &move;
    placed.points = &points;
    placed.table = &samples;
    placed.cell = std::min(startCell, samples.cells);
    placed.upperSample = (atStart & phaseMask) * samples.stride + placed.cell;
    placed.lowerSample = (atEnd & phaseMask) * samples.stride + std::min(atEnd >> m_grid.phaseBits, samples.cells + 1);
    // Two rounded-down terms are at most 2 below the true sum; more than that keeps a move from rejecting itself.
    placed.upperCost = m_grid.rounded(move.cost) + 2;
    placed.lowerCost = m_grid.rounded(move.cost);
    const std::int64_t firstAboveFloor
        = move.floor <= m_grid.origin ? 0 : (move.floor - m_grid.origin + width - 1) >> m_grid.shift;
    placed.firstUpper = std::max(firstAboveFloor, std::max<std::int64_t>(0, -startCell));
    placed.firstBucket = (std::max(points.memory.front() + move.keep, move.floor) - m_grid.origin) >> m_grid.shift;
    placed.lastBucket = (std::max(points.memory.back() + move.keep, move.floor) - m_grid.origin) >> m_grid.shift;
    placed.lastSwept = placed.lastBucket;
    placed.firstSingle = points.size();
    return placed;
}

/// Of an exchanged move with few points: behind those that all moves have.
template <class Cost> void StepEnvelope<Cost>::sweepOnlyShared(PlacedStepMove<Cost>& placed) const
{
    const StageMove<Cost>& move = *placed.move;
    placed.firstSingle = m_exchange.pointsForAll();
    const std::int64_t lastShared = placed.points->memory[placed.firstSingle - 1];
    placed.lastSwept = (std::max(lastShared + move.keep, move.floor) - m_grid.origin) >> m_grid.shift;
}

template class StepEnvelope<NarrowCost>;
template class StepEnvelope<WideCost>;

} // namespace remat
