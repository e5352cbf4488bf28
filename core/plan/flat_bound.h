// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <utility>

#include "core/plan/convex_bound.h"
#include "core/plan/flat_moves.h"
#include "core/plan/low_end_bound.h"

namespace remat {

/// A function from memory to excess nanoseconds that is nowhere above the exact frontier: what certifies a thinned
/// plan.
///
/// The flat recursion (flat_planner.h) is monotone: with a lower bound of the suffix in the suffix's place it gives a
/// lower bound of the whole.  Two bounds are carried along:
/// - the lower convex hull of every suffix function.  It has few corners, and unlike rounding down to a grid its error
///   does not add up over stages, because the hull of a sum is the sum of the hulls;
/// - near the least memory, where the hull is loose, a staircase of cells (low_end_bound.h).
/// O(stages * (corners + options * cells)), and little more where floors bind.
class FlatBound {
public:
    /// `memoryRange`, from the leanest to the cheapest plan, scales the cells; any value gives a valid bound.
    template <class Cost> static FlatBound ofWhole(const FlatMoves<Cost>& moves, std::int64_t memoryRange);

    /// A lower bound of the excess of any plan with this memory, which must be feasible.
    std::int64_t at(std::int64_t memory) const
    {
        return m_lowEnd.covers(memory) ? m_lowEnd.at(memory) : m_hull.at(memory);
    }

private:
    FlatBound(ConvexBound hull, LowEndBound lowEnd) : m_hull(std::move(hull)), m_lowEnd(std::move(lowEnd)) { }

    ConvexBound m_hull;
    LowEndBound m_lowEnd; ///< nowhere below the hull
};

} // namespace remat
