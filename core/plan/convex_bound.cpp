// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/convex_bound.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace remat {

namespace {

/// Whether (m, c) lies on or below the line through a and b, a.memory < b.memory <= m; so b is no corner.
template <class Corner> bool hidesMiddle(const Corner& a, const Corner& b, const Corner& c)
{
    // Bytes and nanoseconds stay within 2^61, so the products fit 128 bits.
    return WideCost{b.excess - a.excess} * (c.memory - a.memory)
        >= WideCost{c.excess - a.excess} * (b.memory - a.memory);
}

} // namespace

void ConvexBound::makeConvex()
{
    std::sort(m_corners.begin(), m_corners.end(),
        [](const Corner& a, const Corner& b) { return std::tie(a.memory, a.excess) < std::tie(b.memory, b.excess); });
    std::size_t kept = 0;
    for (const Corner& corner : m_corners) {
        if (kept > 0 && corner.excess >= m_corners[kept - 1].excess)
            continue;
        while (kept >= 2 && hidesMiddle(m_corners[kept - 2], m_corners[kept - 1], corner))
            --kept;
        m_corners[kept++] = corner;
    }
    m_corners.resize(kept);
}

std::int64_t ConvexBound::at(std::int64_t memory) const
{
    const auto above = std::upper_bound(m_corners.begin(), m_corners.end(), memory,
        [](std::int64_t m, const Corner& corner) { return m < corner.memory; });
    if (above == m_corners.end())
        return m_corners.back().excess;
    if (above == m_corners.begin())
        return m_corners.front().excess;
    const Corner& left = *(above - 1);
    const WideCost run = above->memory - left.memory;
    const WideCost fall = WideCost{left.excess - above->excess} * (memory - left.memory);
    // Rounded up, so that the bound is rounded down.
    return left.excess - static_cast<std::int64_t>((fall + run - 1) / run);
}

template <class Cost> ConvexBound ConvexBound::ofWhole(const FlatMoves<Cost>& moves)
{
    std::array<ConvexBound, 2> suffix;
    suffix[0].add(0, 0);
    suffix[1].add(0, 0);
    std::vector<StageMove<Cost>> tried;
    for (std::size_t stage = moves.stages(); stage-- > 0;) {
        std::array<ConvexBound, 2> next;
        // worthTrying() only asks the tables for their least memory, which hulls share with the exact functions.
        std::array<StepTable<Cost>, 2> least;
        for (std::size_t t = 0; t < 2; ++t)
            if (!suffix[t].m_corners.empty())
                least[t].memory = {suffix[t].m_corners.front().memory};
        for (const Input input : {Input::Free, Input::Owned}) {
            if (!moves.isReached(stage, input))
                continue;
            ConvexBound& bound = next[FlatMoves<Cost>::indexOf(input)];
            moves.worthTrying(stage, input, {&least[0], &least[1]}, tried);
            for (const StageMove<Cost>& move : tried) {
                const ConvexBound& rest = suffix[static_cast<std::size_t>(move.table)];
                const std::int64_t excess = moves.excessOf(move.cost);
                const std::int64_t atFloor = move.floor - move.keep;
                bound.add(move.floor, rest.at(atFloor) + excess);
                for (const Corner& corner : rest.m_corners)
                    if (corner.memory > atFloor)
                        bound.add(corner.memory + move.keep, corner.excess + excess);
            }
            bound.makeConvex();
        }
        suffix = std::move(next);
    }
    return suffix[0];
}

template ConvexBound ConvexBound::ofWhole(const FlatMoves<NarrowCost>& moves);
template ConvexBound ConvexBound::ofWhole(const FlatMoves<WideCost>& moves);

} // namespace remat
