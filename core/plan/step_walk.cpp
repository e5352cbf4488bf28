// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/step_walk.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace remat {

namespace {

constexpr std::int32_t kNoBound = std::numeric_limits<std::int32_t>::max();
/// Above every cost; both cost types stay two bits below their width.
template <class Cost> constexpr Cost kNoCost = Cost{1} << (8 * sizeof(Cost) - 2);

} // namespace

template <class Cost>
void StepWalk<Cost>::run(const StepGrid<Cost>& grid, std::int64_t firstBucket, std::int64_t endBucket)
{
    m_grid = &grid;
    start(firstBucket);
    const std::size_t stride = grid.moves.size();
    const auto tile = static_cast<std::int64_t>(grid.tile);
    for (std::int64_t first = firstBucket; first < endBucket; first += tile) {
        const std::int64_t end = std::min(first + tile, endBucket);
        findSurvivors(first, end);
        for (std::int64_t bucket = first; bucket < end; ++bucket) {
            const auto inTile = static_cast<std::size_t>(bucket - first);
            if (m_survivorCount[inTile] > 0)
                mergeBucket(bucket, {&m_survivors[inTile * stride], m_survivorCount[inTile]});
        }
    }
}

template <class Cost> void StepWalk<Cost>::start(std::int64_t firstBucket)
{
    m_survivors.resize(m_grid->tile * m_grid->moves.size());
    m_size = 0;
    m_best = kNoCost<Cost>;
    m_progress.clear();
    const std::int64_t begin = m_grid->origin + (firstBucket << m_grid->shift);
    for (const PlacedStepMove<Cost>& placed : m_grid->moves) {
        Progress progress{0, placed.firstBucket, placed.firstSingle};
        if (m_grid->isExchanged && firstBucket > 0 && placed.move->floor < begin) {
            const std::vector<std::int64_t>& memory = placed.points->memory;
            const auto next = std::lower_bound(memory.begin(), memory.end(), begin - placed.move->keep);
            progress.reached = static_cast<std::size_t>(next - memory.begin());
            progress.nextBucket = next == memory.end() ? m_grid->buckets : bucketOf(*next + placed.move->keep);
            progress.nextSingle = std::max(progress.nextSingle, progress.reached);
        }
        m_progress.push_back(progress);
    }
}

template <class Cost> void StepWalk<Cost>::findSurvivors(std::int64_t firstBucket, std::int64_t endBucket)
{
    m_upper.fill(m_size == 0 ? kNoBound : m_grid->rounded(m_best) + 1);
    for (const PlacedStepMove<Cost>& move : m_grid->moves) {
        // Behind its last bucket a move could only say its last cost again.
        const std::int64_t begin = std::max(firstBucket, move.firstUpper);
        const std::int64_t end = std::min(endBucket, move.lastSwept + 1);
        if (begin >= end)
            continue;
        m_sweeps.lowerTo(m_upper.data() + (begin - firstBucket), move.table->cost.data() + (move.upperSample + begin),
            nullptr, move.upperCost, end - begin);
    }
    m_survivorCount.fill(0);
    for (std::size_t m = 0; m < m_grid->moves.size(); ++m) {
        const PlacedStepMove<Cost>& move = m_grid->moves[m];
        if (firstBucket <= move.lastSwept)
            markSwept(m, firstBucket, endBucket);
        if (endBucket > move.lastSwept + 1)
            markSingles(m, firstBucket, endBucket);
    }
}

template <class Cost>
void StepWalk<Cost>::markSwept(std::size_t moveIndex, std::int64_t firstBucket, std::int64_t endBucket)
{
    const PlacedStepMove<Cost>& move = m_grid->moves[moveIndex];
    const std::int64_t begin = std::max(firstBucket, move.firstBucket);
    const std::int64_t end = std::min(endBucket, move.lastSwept + 1);
    if (begin >= end)
        return;
    const auto count = static_cast<std::size_t>(end - begin);
    const auto inTile = static_cast<std::size_t>(begin - firstBucket);
    m_sweeps.markBelow(m_survives.data(), m_upper.data() + inTile, move.table->cost.data() + (move.lowerSample + begin),
        nullptr, move.lowerCost, end - begin);
    // Eight flags at a time; the few bytes behind the last one are cleared so that they read as rejected.
    const std::size_t padded = std::min(m_survives.size(), (count + 7) / 8 * 8);
    std::fill(m_survives.begin() + static_cast<std::ptrdiff_t>(count),
        m_survives.begin() + static_cast<std::ptrdiff_t>(padded), std::uint8_t{0});
    for (std::size_t i = 0; i < count; i += 8) {
        std::uint64_t flags = 0;
        std::memcpy(&flags, &m_survives[i], sizeof flags);
        for (; flags != 0; flags &= flags - 1)
            addSurvivor(inTile + i + static_cast<std::size_t>(std::countr_zero(flags)) / 8, moveIndex);
    }
}

template <class Cost>
void StepWalk<Cost>::markSingles(std::size_t moveIndex, std::int64_t firstBucket, std::int64_t endBucket)
{
    const PlacedStepMove<Cost>& placed = m_grid->moves[moveIndex];
    const StageMove<Cost>& move = *placed.move;
    const StepTable<Cost>& points = *placed.points;
    const std::int64_t firstSingle = std::max(firstBucket, placed.lastSwept + 1);
    std::int64_t last = firstSingle - 1;
    std::size_t& i = m_progress[moveIndex].nextSingle;
    for (; i < points.size(); ++i) {
        const std::int64_t bucket = bucketOf(points.memory[i] + move.keep);
        if (bucket >= endBucket)
            return;
        const auto inTile = static_cast<std::size_t>(bucket - firstBucket);
        if (bucket <= last || m_grid->rounded(points.cost[i] + move.cost) >= m_upper[inTile])
            continue;
        addSurvivor(inTile, moveIndex);
        last = bucket;
    }
}

template <class Cost> void StepWalk<Cost>::mergeBucket(std::int64_t bucket, std::span<const std::uint32_t> survivors)
{
    m_stairs.clear();
    // An exchanged move's few points have no samples of their own, so most buckets that it survives have none of them.
    for (const std::uint32_t m : survivors)
        if (m_progress[m].nextBucket <= bucket)
            mergeMove(bucket, m);
    if (m_stairs.empty())
        return;
    if (m_options.size() < m_size + m_stairs.size()) {
        const std::size_t room = 2 * (m_size + m_stairs.size());
        m_points.memory.resize(room);
        m_points.cost.resize(room);
        m_options.resize(room);
    }
    for (const Point& point : m_stairs) {
        m_points.memory[m_size] = point.memory;
        m_points.cost[m_size] = point.cost;
        m_options[m_size++] = point.option;
    }
    m_best = m_stairs.back().cost;
}

template <class Cost> void StepWalk<Cost>::mergeMove(std::int64_t bucket, std::size_t moveIndex)
{
    const PlacedStepMove<Cost>& placed = m_grid->moves[moveIndex];
    const StageMove<Cost>& move = *placed.move;
    const StepTable<Cost>& points = *placed.points;
    const StepSamples& samples = *placed.table;
    Progress& progress = m_progress[moveIndex];
    const std::int64_t start = m_grid->origin + (bucket << m_grid->shift);
    const std::int64_t end = start + (std::int64_t{1} << m_grid->shift);
    const std::size_t count = points.size();
    const std::int64_t cell = std::clamp<std::int64_t>(placed.cell + bucket, 0, samples.cells);
    std::size_t i = m_grid->isExchanged ? progress.reached : samples.lastAtOrBefore[static_cast<std::size_t>(cell)];
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
    progress.reached = runEnd;
    progress.nextBucket = runEnd < count ? bucketOf(points.memory[runEnd] + move.keep) : m_grid->buckets;
    if (runEnd == i)
        return;

    if (m_stairs.empty()) {
        for (; i < runEnd; ++i)
            if (const Point point = pointAt(i); point.cost < bound) {
                bound = point.cost;
                // Of points that are lifted to one floor the last one counts.
                if (!m_stairs.empty() && m_stairs.back().memory == point.memory)
                    m_stairs.back() = point;
                else
                    m_stairs.push_back(point);
            }
        return;
    }
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

template class StepWalk<NarrowCost>;
template class StepWalk<WideCost>;

} // namespace remat
