// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/low_end_bound.h"

#include <algorithm>

namespace remat {

LowEndBound LowEndBound::ofNothing(int widthShift)
{
    LowEndBound bound(0, widthShift);
    bound.m_excess.assign(kCells + kHullCells, 0);
    return bound;
}

void LowEndBound::include(std::int64_t keep, std::int64_t floor, std::int64_t excess, const LowEndBound& rest)
{
    // What the largest memory of cell k leaves to the rest lies in the rest's cell k + ahead.
    const std::int64_t ahead = (lastOfFirst() - keep - rest.m_start) >> m_widthShift;
    const std::int64_t lastOfRest = static_cast<std::int64_t>(rest.m_excess.size()) - 1;
    // Below the floor, and where the rest would get less than its least memory, the move makes no plan.
    const std::int64_t first = std::max({std::int64_t{0}, (floor - m_start) >> m_widthShift, -ahead});
    for (std::int64_t k = first; k < kCells; ++k) {
        std::int64_t& cell = m_excess[static_cast<std::size_t>(k)];
        const std::int64_t restCell = std::min(k + ahead, lastOfRest);
        cell = std::min(cell, rest.m_excess[static_cast<std::size_t>(restCell)] + excess);
    }
}

void LowEndBound::finish(const ConvexBound& hull)
{
    std::vector<std::int64_t> ofHull;
    ofHull.reserve(kCells + kHullCells);
    hull.sample(lastOfFirst(), std::int64_t{1} << m_widthShift, kCells + kHullCells, ofHull);
    ofHull.back() = hull.corners().back().excess;
    for (std::size_t k = 0; k < m_excess.size(); ++k)
        ofHull[k] = std::max(ofHull[k], m_excess[k]);
    m_excess = std::move(ofHull);
}

} // namespace remat
