// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/flat_bound.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

namespace remat {

namespace {

/// The low end reaches about half of what one stage can keep: there the choices of single stages show.
int cellShift(std::int64_t memoryRange, std::size_t stages)
{
    const std::int64_t perStage = memoryRange / static_cast<std::int64_t>(stages);
    const auto width = static_cast<std::uint64_t>(std::max<std::int64_t>(1, perStage / LowEndBound::kCells));
    return std::countr_zero(std::bit_floor(width));
}

/// One state of the suffix's input; both bounds empty where no plan reaches it.
struct SuffixBound {
    ConvexBound hull;
    LowEndBound lowEnd;
};

/// Adds the sums of moves before this table and the corners of its hull where no floor of these moves binds: there a
/// move above the hull of the moves is of no use.  Returns how many corners stand before those.
template <class Cost>
std::size_t addFreeSums(const FlatMoves<Cost>& moves, const std::vector<StageMove<Cost>>& tried,
    const ConvexBound& rest, int table, ConvexBound& hull)
{
    ConvexBound ofMoves;
    std::int64_t free = 0;
    for (const StageMove<Cost>& move : tried) {
        if (move.table != table)
            continue;
        ofMoves.add({move.keep, moves.excessOf(move.cost)});
        free = std::max(free, move.floor - move.keep);
    }
    const auto& corners = rest.corners();
    const auto first = std::partition_point(
        corners.begin(), corners.end(), [&](const ConvexBound::Corner& corner) { return corner.memory < free; });
    const auto from = static_cast<std::size_t>(first - corners.begin());
    if (first != corners.end() && !ofMoves.isEmpty()) {
        ofMoves.makeConvex();
        hull.addSums(rest, from, ofMoves);
    }
    return from;
}

template <class Cost>
SuffixBound extended(const FlatMoves<Cost>& moves, const std::vector<StageMove<Cost>>& tried,
    const std::array<SuffixBound, 2>& suffix, int shift)
{
    ConvexBound hull;
    const std::array<std::size_t, 2> bound{
        addFreeSums(moves, tried, suffix[0].hull, 0, hull), addFreeSums(moves, tried, suffix[1].hull, 1, hull)};
    for (const StageMove<Cost>& move : tried) {
        const auto table = static_cast<std::size_t>(move.table);
        const ConvexBound& rest = suffix[table].hull;
        const std::int64_t excess = moves.excessOf(move.cost);
        const std::int64_t atFloor = move.floor - move.keep;
        hull.add({move.floor, rest.at(atFloor) + excess});
        for (const ConvexBound::Corner& corner : std::span(rest.corners()).first(bound[table]))
            if (corner.memory > atFloor)
                hull.add({corner.memory + move.keep, corner.excess + excess});
    }
    hull.makeConvex();
    LowEndBound lowEnd(hull.corners().front().memory, shift);
    for (const StageMove<Cost>& move : tried)
        lowEnd.include(
            move.keep, move.floor, moves.excessOf(move.cost), suffix[static_cast<std::size_t>(move.table)].lowEnd);
    lowEnd.finish(hull);
    return {std::move(hull), std::move(lowEnd)};
}

} // namespace

template <class Cost> FlatBound FlatBound::ofWhole(const FlatMoves<Cost>& moves, std::int64_t memoryRange)
{
    const int shift = cellShift(memoryRange, moves.stages());
    ConvexBound nothing;
    nothing.add({0, 0});
    std::array<SuffixBound, 2> suffix;
    suffix.fill({nothing, LowEndBound::ofNothing(shift)});
    std::vector<StageMove<Cost>> tried;
    for (std::size_t stage = moves.stages(); stage-- > 0;) {
        // worthTrying() only asks the tables for their least memory, which hulls share with the exact functions.
        std::array<StepTable<Cost>, 2> least;
        for (std::size_t t = 0; t < 2; ++t)
            if (!suffix[t].hull.isEmpty())
                least[t].memory = {suffix[t].hull.corners().front().memory};
        std::array<SuffixBound, 2> next;
        for (const Input input : {Input::Free, Input::Owned}) {
            if (!moves.isReached(stage, input))
                continue;
            moves.worthTrying(stage, input, {&least[0], &least[1]}, tried);
            next[FlatMoves<Cost>::indexOf(input)] = extended(moves, tried, suffix, shift);
        }
        suffix = std::move(next);
    }
    return {std::move(suffix[0].hull), std::move(suffix[0].lowEnd)};
}

template FlatBound FlatBound::ofWhole(const FlatMoves<NarrowCost>& moves, std::int64_t memoryRange);
template FlatBound FlatBound::ofWhole(const FlatMoves<WideCost>& moves, std::int64_t memoryRange);

} // namespace remat
