// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/nested_envelope.h"

#include <algorithm>
#include <cstring>

namespace remat {

namespace {

constexpr std::int32_t kNoBound = NestedCeiling::kNone;
/// Three samples are rounded down, so a true sum is less than this above theirs.
constexpr std::int32_t kRounding = 3;
/// Finding a candidate's points in a cell takes as long as looking at some.
constexpr std::int64_t kPointsPerSurvivor = 4;
constexpr std::int64_t kNever = NestedCeiling::kNever;
template <class Cost> constexpr Cost kNoCost = Cost{1} << (8 * sizeof(Cost) - 2);

constexpr std::size_t at(std::int64_t index)
{
    return static_cast<std::size_t>(index);
}

} // namespace

template <class Cost>
typename NestedEnvelope<Cost>::Part NestedEnvelope<Cost>::place(
    const NestedTable<Cost>* table, std::int64_t shift) const
{
    if (!table)
        return {nullptr, 0, 0, 0};
    const std::int64_t width = std::int64_t{1} << m_grid.shift;
    const int fineShift = m_grid.shift - m_grid.phaseBits;
    const std::int64_t fine = std::int64_t{1} << fineShift;
    // Shifts round down, also below zero.
    const std::int64_t offset = m_origin - shift - table->front().memory;
    return {table, shift, offset >> fineShift, (offset + width - 1 + fine - 1) >> fineShift};
}

template <class Cost>
typename NestedEnvelope<Cost>::Row NestedEnvelope<Cost>::rowOf(
    const Part& part, std::int64_t fineIndex, std::int64_t cell) const
{
    if (!part.table)
        return {nullptr, 0, kNever};
    const std::int64_t offset = fineIndex >> m_grid.phaseBits;
    const std::int64_t phase = fineIndex & ((std::int64_t{1} << m_grid.phaseBits) - 1);
    const std::int64_t end = part.table->cells - offset;
    if (cell >= end)
        return {nullptr, sampled(part.table->back().cost), kNever};
    return {part.table->samples.data() + phase * (part.table->cells + 1) + offset + cell, 0, end};
}

/// Calls each(cell, count, row of the first part, of the second, cost) for runs of cells in which both rows are
/// contiguous samples or constants.
template <class Cost>
template <class Sweep>
void NestedEnvelope<Cost>::sweep(
    const Placed& move, bool isLower, std::int64_t from, std::int64_t end, const Sweep& each)
{
    const auto& [first, second] = move.parts;
    while (from < end) {
        const Row a = rowOf(first, isLower ? first.lower : first.upper, from);
        const Row b = rowOf(second, isLower ? second.lower : second.upper, from);
        const std::int64_t stop = std::min({end, a.end, b.end});
        const std::int32_t cost = move.sampledCost + a.constant + b.constant;
        each(from, stop - from, a.samples, b.samples, cost);
        from = stop;
    }
}

template <class Cost>
void NestedEnvelope<Cost>::boundTile(std::int64_t first, std::int64_t end, const NestedCeiling& ceiling)
{
    for (std::int64_t i = 0; i < end - first; ++i) {
        m_ceiling[at(i)] = ceiling.at(m_origin + ((first + i) << m_grid.shift));
        m_upper[at(i)] = m_ceiling[at(i)] == kNoBound ? kNoBound : m_ceiling[at(i)] + 1;
    }
    const auto lowerTo = [&](const Placed& move) {
        sweep(move, false, std::max(first, move.firstUpper), std::min(end, move.endCell),
            [&](std::int64_t cell, std::int64_t count, const std::int32_t* a, const std::int32_t* b,
                std::int32_t cost) { m_sweeps.lowerTo(&m_upper[at(cell - first)], a, b, cost + kRounding, count); });
    };
    for (const Placed& move : m_placed)
        lowerTo(move);
    if (m_limit)
        lowerTo(m_placedLimit);
    std::int32_t least = m_best >= kNoCost<Cost> ? kNoBound : sampled(m_best) + 1;
    for (std::int64_t i = 0; i < end - first; ++i) {
        least = std::min(least, m_upper[at(i)]);
        m_upper[at(i)] = least;
    }
}

template <class Cost> void NestedEnvelope<Cost>::findSurvivors(std::int64_t first, std::int64_t end)
{
    m_survivors.clear();
    m_cellStarts.fill(0);
    for (std::size_t index = 0; index < m_placed.size(); ++index) {
        const Placed& move = m_placed[index];
        const std::int64_t from = std::max(first, move.firstCell);
        const std::int64_t stop = std::min(end, move.endCell);
        if (from >= stop)
            continue;
        sweep(move, true, from, stop,
            [&](std::int64_t cell, std::int64_t count, const std::int32_t* a, const std::int32_t* b,
                std::int32_t cost) {
                m_sweeps.markBelow(&m_survives[at(cell - first)], &m_upper[at(cell - first)], a, b, cost, count);
            });
        for (std::int64_t i = from - first; i < stop - first;) {
            std::uint64_t eight = 0;
            if (i + 8 <= stop - first)
                std::memcpy(&eight, &m_survives[at(i)], 8);
            if (i + 8 <= stop - first && eight == 0) {
                i += 8;
                continue;
            }
            if (m_survives[at(i)] != 0) {
                m_survivors.push_back({static_cast<std::uint32_t>(index), static_cast<std::int32_t>(i)});
                ++m_cellStarts[at(i) + 1];
            }
            ++i;
        }
    }
    for (std::size_t i = 0; i < kTile; ++i)
        m_cellStarts[i + 1] += m_cellStarts[i];
    m_byCell.resize(m_survivors.size());
    for (const Survivor& survivor : m_survivors)
        m_byCell[m_cellStarts[static_cast<std::size_t>(survivor.cell)]++] = survivor;
}

/// The last point of a part with at most `memory`; there is one.
template <class Cost>
const typename NestedEnvelope<Cost>::Point* NestedEnvelope<Cost>::pointAt(const Part& part, std::int64_t memory) const
{
    const NestedTable<Cost>& table = *part.table;
    const std::int64_t local = memory - part.shift;
    const std::int64_t cell = std::min((local - table.front().memory) >> m_grid.shift, table.cells);
    const Point* point = table.points.data() + table.lastAtOrBefore[at(cell)];
    while (point[1].memory <= local)
        ++point;
    return point;
}

/// The points of one move in [begin, end) that are below the envelope before the cell, and not above the ceiling.
template <class Cost> void NestedEnvelope<Cost>::listPoints(const Placed& move, std::int64_t begin, std::int64_t end)
{
    // Which point comes next is left to chance, so the walk has no branches but its end.
    static const std::array<Point, 2> kNothing{Point{0, 0}, Point{NestedTable<Cost>::kEnd, 0}};
    const auto& [first, second] = move.parts;
    m_pointCount = 0;
    std::int64_t memory = std::max(begin, move.start);
    if (memory >= end)
        return;
    const Point* a = first.table ? pointAt(first, memory) : kNothing.data();
    std::size_t count = 0;
    if (!second.table) {
        // One falling function: from the first point below the bound on, all are.
        for (; memory < end && move.cost + a->cost >= m_bound; ++a)
            memory = a[1].memory + first.shift;
        for (; memory < end; ++a) {
            if (count == m_points.size())
                m_points.resize(2 * count + 64);
            m_points[count++] = {memory, move.cost + a->cost};
            memory = a[1].memory + first.shift;
        }
        m_pointCount = count;
        return;
    }
    const Point* b = pointAt(second, memory);
    while (memory < end) {
        if (count == m_points.size())
            m_points.resize(2 * count + 64);
        const Cost cost = move.cost + a->cost + b->cost;
        m_points[count] = {memory, cost};
        count += cost < m_bound ? 1 : 0;
        const std::int64_t nextA = a[1].memory + first.shift;
        const std::int64_t nextB = b[1].memory + second.shift;
        memory = std::min(nextA, nextB);
        a += nextA == memory ? 1 : 0;
        b += nextB == memory ? 1 : 0;
    }
    m_pointCount = count;
}

/// Merges the listed points into the envelope of the cell, again without branches.
template <class Cost> void NestedEnvelope<Cost>::mergeIntoStairs()
{
    constexpr Point kLast{NestedTable<Cost>::kEnd, kNoCost<Cost>};
    const std::size_t all = m_stairCount + m_pointCount;
    for (std::vector<Point>* list : {&m_stairs, &m_points, &m_merged})
        if (list->size() <= all)
            list->resize(2 * all + 64);
    m_stairs[m_stairCount] = kLast;
    m_points[m_pointCount] = kLast;
    const Point* a = m_stairs.data();
    const Point* b = m_points.data();
    Cost least = m_bound;
    std::size_t count = 0;
    for (std::size_t i = 0; i < all; ++i) {
        // Of two points at one memory the cheaper comes first, and then the other is none.
        const bool takesA = (a->memory < b->memory) | ((a->memory == b->memory) & (a->cost <= b->cost));
        const Point point = takesA ? *a : *b;
        a += takesA ? 1 : 0;
        b += takesA ? 0 : 1;
        m_merged[count] = point;
        count += point.cost < least ? 1 : 0;
        least = std::min(least, point.cost);
    }
    std::swap(m_stairs, m_merged);
    m_stairCount = count;
}

/// Of the envelope of the cell that begins there.
template <class Cost> void NestedEnvelope<Cost>::dropNotBelowLimit(std::int64_t begin)
{
    const Point* limit = m_limit->points.data();
    if (begin >= limit->memory)
        limit = pointAt({m_limit, 0, 0, 0}, begin);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m_stairCount; ++i) {
        const Point point = m_stairs[i];
        while (limit[1].memory <= point.memory)
            ++limit;
        m_stairs[kept] = point;
        kept += point.memory < limit->memory || point.cost < limit->cost ? 1 : 0;
    }
    m_stairCount = kept;
}

/// The least memory from which on no such cost is below the limit.
template <class Cost> std::int64_t NestedEnvelope<Cost>::endBelowLimit(Cost least) const
{
    const auto last = m_limit->points.end() - 1;
    const auto end
        = std::partition_point(m_limit->points.begin(), last, [&](const Point& point) { return point.cost > least; });
    return end == last ? kNever : end->memory;
}

template <class Cost>
void NestedEnvelope<Cost>::mergeCell(
    std::int64_t cell, std::int32_t ceiling, std::span<const Survivor> survivors, NestedTable<Cost>& result)
{
    const std::int64_t begin = m_origin + (cell << m_grid.shift);
    const std::int64_t end = begin + (std::int64_t{1} << m_grid.shift);
    m_bound = ceiling == kNoBound ? m_best : std::min(m_best, (Cost{ceiling} + 1) << m_grid.costShift);
    m_stairCount = 0;
    for (const Survivor& survivor : survivors) {
        listPoints(m_placed[survivor.move], begin, end);
        m_work += static_cast<std::int64_t>(m_pointCount);
        if (m_stairCount == 0) {
            std::swap(m_stairs, m_points);
            m_stairCount = m_pointCount;
        } else if (m_pointCount > 0) {
            mergeIntoStairs();
        }
    }
    if (m_limit)
        dropNotBelowLimit(begin);
    if (m_stairCount == 0)
        return;
    result.points.insert(
        result.points.end(), m_stairs.begin(), m_stairs.begin() + static_cast<std::ptrdiff_t>(m_stairCount));
    m_best = m_stairs[m_stairCount - 1].cost;
}

/// Puts the moves that can be worth their while on a grid; returns the least cost that any of them comes to.
template <class Cost>
Cost NestedEnvelope<Cost>::placeAll(std::span<const NestedMove<Cost>> moves, const NestedCeiling& ceiling)
{
    m_placed.clear();
    m_origin = kNever;
    Cost cheapest = kNoCost<Cost>;
    m_worthwhile.clear();
    for (const NestedMove<Cost>& move : moves) {
        if ((move.first && move.first->isEmpty()) || (move.second && move.second->isEmpty()))
            continue;
        std::int64_t start = move.floor;
        Cost least = move.cost;
        if (move.first) {
            start = std::max(start, move.first->front().memory + move.firstShift);
            least += move.first->back().cost;
        }
        if (move.second) {
            start = std::max(start, move.second->front().memory + move.secondShift);
            least += move.second->back().cost;
        }
        const std::int64_t end
            = std::min(ceiling.endOf(sampled(least)), m_limit ? endBelowLimit(least) : NestedCeiling::kNever);
        if (sampled(least) > ceiling.at(start) || end <= start)
            continue;
        m_worthwhile.push_back({&move, start, end});
        m_origin = std::min(m_origin, start);
        cheapest = std::min(cheapest, least);
    }
    const std::int64_t width = std::int64_t{1} << m_grid.shift;
    for (const auto& [move, start, end] : m_worthwhile) {
        Part first = place(move->first, move->firstShift);
        Part second = place(move->second, move->secondShift);
        if (!first.table)
            std::swap(first, second);
        std::int64_t last = start;
        for (const Part& part : {first, second})
            if (part.table)
                last = std::max(last, part.table->back().memory + part.shift);
        m_placed.push_back({{first, second}, start, move->cost, sampled(move->cost),
            (start - m_origin + width - 1) >> m_grid.shift, (start - m_origin) >> m_grid.shift,
            end == kNever ? kNever : (end - m_origin + width - 1) >> m_grid.shift, (last - m_origin) >> m_grid.shift});
    }
    if (m_limit && !m_placed.empty()) {
        const std::int64_t start = m_limit->front().memory;
        const std::int64_t firstCell = std::max<std::int64_t>(0, (start - m_origin + width - 1) >> m_grid.shift);
        m_placedLimit = {{place(m_limit, 0), place(nullptr, 0)}, start, 0, 0, firstCell, firstCell, kNever, kNever};
    }
    return cheapest;
}

template <class Cost>
void NestedEnvelope<Cost>::build(std::span<const NestedMove<Cost>> moves, const NestedCeiling& ceiling,
    NestedTable<Cost>& result, const NestedTable<Cost>* limit, NestedShare share)
{
    result.points.clear();
    m_limit = limit;
    const Cost cheapest = placeAll(moves, ceiling);
    m_work += share.index == 0 ? static_cast<std::int64_t>(moves.size()) : 0;
    m_best = kNoCost<Cost>;
    std::int64_t endOfAll = 0;
    for (const Placed& move : m_placed)
        endOfAll = std::max(endOfAll, std::min(move.endCell, move.lastCell + 1));
    const std::int64_t tiles = (endOfAll + kTile - 1) / kTile;
    const std::int64_t endTile = tiles * (share.index + 1) / share.count;
    for (std::int64_t tile = tiles * share.index / share.count; m_best > cheapest && tile < endTile; ++tile) {
        const std::int64_t first = tile * kTile;
        if (ceiling.at(m_origin + (first << m_grid.shift)) < sampled(cheapest))
            break;
        boundTile(first, first + kTile, ceiling);
        findSurvivors(first, first + kTile);
        m_work += static_cast<std::int64_t>(m_placed.size()) * kTile / kCellsPerWork
            + static_cast<std::int64_t>(m_survivors.size()) * kPointsPerSurvivor;
        std::uint32_t begin = 0;
        for (std::size_t i = 0; i < kTile && m_best > cheapest; ++i) {
            // Placing the survivors moved each cell's start to its end.
            const std::uint32_t stop = m_cellStarts[i];
            if (stop > begin)
                mergeCell(first + static_cast<std::int64_t>(i), m_ceiling[i], {&m_byCell[begin], stop - begin}, result);
            begin = stop;
        }
    }
}

template class NestedEnvelope<NarrowCost>;
template class NestedEnvelope<WideCost>;

} // namespace remat
