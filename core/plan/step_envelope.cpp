// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/step_envelope.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace remat {

namespace {

/// Samples stay below this, so that sums of two never overflow 32 bits.
constexpr int kSampleBits = 28;
constexpr std::int32_t kNoBound = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kSurvivorSlots = std::size_t{1} << 17;
/// Wider buckets make sweeps cheaper, narrower ones reject more; the best is flat around this.
constexpr std::int64_t kPointsPerBucket = 4;
constexpr int kPhaseBits = 2;
/// Above every cost; both cost types stay two bits below their width.
template <class Cost> constexpr Cost kNoCost = Cost{1} << (8 * sizeof(Cost) - 2);
constexpr std::int64_t kLeastBuckets = 64;
constexpr std::int64_t kMostBuckets = std::int64_t{1} << 22;

} // namespace

template <class Cost>
StepTable<Cost> StepEnvelope<Cost>::build(std::span<const StageMove<Cost>> moves, const SuffixTables<Cost>& tables)
{
    m_moves.assign(moves.begin(), moves.end());
    m_exchange.reset();
    return buildMoves(tables);
}

template <class Cost>
StepTable<Cost> StepEnvelope<Cost>::buildAgain(std::span<const StageMove<Cost>> moves, const StepTable<Cost>& last)
{
    m_moves.assign(moves.begin(), moves.end());
    m_exchange.emplace(m_moves, last, m_firstOption);
    return buildMoves({&last, &last});
}

template <class Cost>
const StepTable<Cost>& StepEnvelope<Cost>::pointsOf(std::size_t move, const SuffixTables<Cost>& tables) const
{
    return m_exchange ? m_exchange->pointsFor(move) : *tables[static_cast<std::size_t>(m_moves[move].table)];
}

template <class Cost> StepTable<Cost> StepEnvelope<Cost>::buildMoves(const SuffixTables<Cost>& tables)
{
    layGrid(tables);
    m_placed.clear();
    for (std::size_t m = 0; m < m_moves.size(); ++m)
        m_placed.push_back(place(m_moves[m], pointsOf(m, tables)));
    // Enough buckets for long sweeps, few enough that the survivors' lists stay in the cache.
    m_tile = std::clamp<std::size_t>(kSurvivorSlots / m_moves.size() / 8 * 8, 8, kMostTile);
    m_survivors.resize(m_tile * m_moves.size());
    m_result.memory.clear();
    m_result.cost.clear();
    m_firstOption.clear();
    m_best = kNoCost<Cost>;

    const auto tile = static_cast<std::int64_t>(m_tile);
    for (std::int64_t first = 0; first < m_buckets; first += tile) {
        const std::int64_t end = std::min(first + tile, m_buckets);
        findSurvivors(first, end);
        for (std::int64_t bucket = first; bucket < end; ++bucket) {
            const auto inTile = static_cast<std::size_t>(bucket - first);
            if (m_survivorCount[inTile] > 0)
                mergeBucket(bucket, {&m_survivors[inTile * m_moves.size()], m_survivorCount[inTile]}, tables);
        }
    }
    return m_result;
}

template <class Cost> void StepEnvelope<Cost>::layGrid(const SuffixTables<Cost>& tables)
{
    std::int64_t low = std::numeric_limits<std::int64_t>::max();
    std::int64_t high = std::numeric_limits<std::int64_t>::min();
    std::array<std::int64_t, 2> largestKeep{-1, -1};
    Cost largestCost = 0;
    for (const StageMove<Cost>& move : m_moves) {
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
    points = std::max(points, static_cast<std::int64_t>(m_result.size()));
    const std::int64_t wanted = std::clamp(points / kPointsPerBucket, kLeastBuckets, kMostBuckets);
    m_origin = low;
    m_shift = 0;
    while (((high - low) >> m_shift) >= 2 * wanted)
        ++m_shift;
    m_buckets = ((high - low) >> m_shift) + 1;
    m_phaseBits = std::min(m_shift, kPhaseBits);
    m_costShift = 0;
    while ((largestCost >> m_costShift) >> kSampleBits != 0)
        ++m_costShift;
    for (std::size_t t = 0; t < tables.size(); ++t)
        // Nothing reads the table below this, so a floor far above the table does not blow up the grid.
        if (largestKeep[t] >= 0)
            sample(*tables[t], std::max(tables[t]->memory.front(), low - largestKeep[t]), m_samples[t]);
}

template <class Cost>
void StepEnvelope<Cost>::sample(const StepTable<Cost>& table, std::int64_t origin, Samples& samples) const
{
    const std::int64_t width = std::int64_t{1} << m_shift;
    samples.origin = origin;
    samples.cells = (std::max<std::int64_t>(0, table.memory.back() - origin) + width - 1) >> m_shift;
    samples.stride = samples.cells + m_buckets + 4;
    const int phases = 1 << m_phaseBits;
    samples.cost.resize(static_cast<std::size_t>(samples.stride * phases));
    samples.lastAtOrBefore.resize(static_cast<std::size_t>(samples.cells) + 1);
    std::size_t point = 0;
    for (std::int64_t cell = 0; cell <= samples.cells; ++cell) {
        for (int phase = 0; phase < phases; ++phase) {
            const std::int64_t memory = origin + (cell << m_shift) + (std::int64_t{phase} << (m_shift - m_phaseBits));
            while (point + 1 < table.size() && table.memory[point + 1] <= memory)
                ++point;
            samples.cost[static_cast<std::size_t>(phase * samples.stride + cell)] = rounded(table.cost[point]);
            if (phase == 0)
                samples.lastAtOrBefore[static_cast<std::size_t>(cell)] = static_cast<std::uint32_t>(point);
        }
    }
    for (int phase = 0; phase < phases; ++phase) {
        const auto begin = samples.cost.begin() + phase * samples.stride;
        std::fill(begin + samples.cells + 1, begin + samples.stride, rounded(table.cost.back()));
    }
}

template <class Cost>
typename StepEnvelope<Cost>::PlacedMove StepEnvelope<Cost>::place(
    const StageMove<Cost>& move, const StepTable<Cost>& table) const
{
    const Samples& samples = m_samples[static_cast<std::size_t>(move.table)];
    const std::int64_t width = std::int64_t{1} << m_shift;
    const std::int64_t offset = m_origin - move.keep - samples.origin;
    const int fineShift = m_shift - m_phaseBits;
    const std::int64_t phaseMask = (std::int64_t{1} << m_phaseBits) - 1;
    // Shifts round down, also below zero: the last sample at or before the start, the first at or after the end.
    const std::int64_t atStart = offset >> fineShift;
    const std::int64_t atEnd = (offset + width + (std::int64_t{1} << fineShift) - 1) >> fineShift;
    const std::int64_t startCell = atStart >> m_phaseBits;

    PlacedMove placed{};
    placed.samples = samples.cost.data();
    placed.cell = std::min(startCell, samples.cells);
    placed.upperSample = (atStart & phaseMask) * samples.stride + placed.cell;
    placed.lowerSample = (atEnd & phaseMask) * samples.stride + std::min(atEnd >> m_phaseBits, samples.cells + 1);
    // Two rounded-down terms are at most 2 below the true sum; more than that keeps a move from rejecting itself.
    placed.upperCost = rounded(move.cost) + 2;
    placed.lowerCost = rounded(move.cost);
    const std::int64_t firstAboveFloor = move.floor <= m_origin ? 0 : (move.floor - m_origin + width - 1) >> m_shift;
    placed.firstUpper = std::max(firstAboveFloor, std::max<std::int64_t>(0, -startCell));
    placed.firstBucket = (std::max(table.memory.front() + move.keep, move.floor) - m_origin) >> m_shift;
    placed.lastBucket = (std::max(table.memory.back() + move.keep, move.floor) - m_origin) >> m_shift;
    placed.nextBucket = placed.firstBucket;
    return placed;
}

template <class Cost> void StepEnvelope<Cost>::findSurvivors(std::int64_t firstBucket, std::int64_t endBucket)
{
    m_upper.fill(m_result.size() > 0 ? rounded(m_best) + 1 : kNoBound);
    for (const PlacedMove& move : m_placed) {
        // Behind its last bucket a move could only say its last cost again.
        const std::int64_t begin = std::max(firstBucket, move.firstUpper);
        const std::int64_t end = std::min(endBucket, move.lastBucket + 1);
        if (begin >= end)
            continue;
        m_sweeps.lowerTo(m_upper.data() + (begin - firstBucket), move.samples + (move.upperSample + begin), nullptr,
            move.upperCost, end - begin);
    }
    m_survivorCount.fill(0);
    const std::size_t stride = m_placed.size();
    for (std::size_t m = 0; m < m_placed.size(); ++m) {
        const PlacedMove& move = m_placed[m];
        const std::int64_t begin = std::max(firstBucket, move.firstBucket);
        const std::int64_t end = std::min(endBucket, move.lastBucket + 1);
        if (begin >= end)
            continue;
        const auto count = static_cast<std::size_t>(end - begin);
        const auto inTile = static_cast<std::size_t>(begin - firstBucket);
        m_sweeps.markBelow(m_survives.data(), m_upper.data() + inTile, move.samples + (move.lowerSample + begin),
            nullptr, move.lowerCost, end - begin);
        // Eight flags at a time; the few bytes behind the last one are cleared so that they read as rejected.
        const std::size_t padded = std::min(kMostTile, (count + 7) / 8 * 8);
        std::fill(m_survives.begin() + static_cast<std::ptrdiff_t>(count),
            m_survives.begin() + static_cast<std::ptrdiff_t>(padded), std::uint8_t{0});
        for (std::size_t i = 0; i < count; i += 8) {
            std::uint64_t flags = 0;
            std::memcpy(&flags, &m_survives[i], sizeof flags);
            for (; flags != 0; flags &= flags - 1) {
                const std::size_t bucket = inTile + i + static_cast<std::size_t>(std::countr_zero(flags)) / 8;
                m_survivors[bucket * stride + m_survivorCount[bucket]++] = static_cast<std::uint32_t>(m);
            }
        }
    }
}

template <class Cost>
void StepEnvelope<Cost>::mergeBucket(
    std::int64_t bucket, std::span<const std::uint32_t> survivors, const SuffixTables<Cost>& tables)
{
    m_stairs.clear();
    // An exchanged move's few points have no samples of their own, so most buckets that it survives have none of them.
    for (const std::uint32_t m : survivors)
        if (m_placed[m].nextBucket <= bucket)
            mergeMove(bucket, m, pointsOf(m, tables));
    if (m_stairs.empty())
        return;
    for (const Point& point : m_stairs) {
        m_result.memory.push_back(point.memory);
        m_result.cost.push_back(point.cost);
        m_firstOption.push_back(point.option);
    }
    m_best = m_stairs.back().cost;
}

template <class Cost>
void StepEnvelope<Cost>::mergeMove(std::int64_t bucket, std::size_t moveIndex, const StepTable<Cost>& points)
{
    const StageMove<Cost>& move = m_moves[moveIndex];
    PlacedMove& placed = m_placed[moveIndex];
    const Samples& samples = m_samples[static_cast<std::size_t>(move.table)];
    const std::int64_t start = m_origin + (bucket << m_shift);
    const std::int64_t end = start + (std::int64_t{1} << m_shift);
    const std::size_t count = points.size();
    const std::int64_t cell = std::clamp<std::int64_t>(placed.cell + bucket, 0, samples.cells);
    std::size_t i = m_exchange ? placed.reached : samples.lastAtOrBefore[static_cast<std::size_t>(cell)];
    if (move.floor >= start) {
        // All points below the floor are lifted to it; only the cheapest of them counts.
        while (i + 1 < count && points.memory[i + 1] + move.keep <= move.floor)
            ++i;
    } else {
        while (i < count && points.memory[i] + move.keep < start)
            ++i;
    }
    const auto pointAt = [&](std::size_t k) -> Point {
        return {std::max(points.memory[k] + move.keep, move.floor), points.cost[k] + move.cost, move.option};
    };
    // Identical stages reach the same point in every order, so most runs add nothing; look before merging.
    std::size_t stair = 0;
    Cost bound = m_best;
    for (; i < count && points.memory[i] + move.keep < end; ++i) {
        const Point point = pointAt(i);
        for (; stair < m_stairs.size() && m_stairs[stair].memory <= point.memory; ++stair)
            bound = m_stairs[stair].cost;
        if (point.cost < bound)
            break;
    }
    std::size_t runEnd = i;
    while (runEnd < count && points.memory[runEnd] + move.keep < end)
        ++runEnd;
    placed.reached = runEnd;
    placed.nextBucket = runEnd < count ? (points.memory[runEnd] + move.keep - m_origin) >> m_shift : m_buckets;
    if (runEnd == i)
        return;

    m_merged.assign(m_stairs.begin(), m_stairs.begin() + static_cast<std::ptrdiff_t>(stair));
    while (i < runEnd || stair < m_stairs.size()) {
        const bool takesStair = stair < m_stairs.size() && (i == runEnd || m_stairs[stair].memory <= pointAt(i).memory);
        const Point point = takesStair ? m_stairs[stair++] : pointAt(i++);
        if (point.cost >= bound)
            continue;
        bound = point.cost;
        if (!m_merged.empty() && m_merged.back().memory == point.memory)
            m_merged.back() = point;
        else
            m_merged.push_back(point);
    }
    std::swap(m_stairs, m_merged);
}

template class StepEnvelope<NarrowCost>;
template class StepEnvelope<WideCost>;

} // namespace remat
