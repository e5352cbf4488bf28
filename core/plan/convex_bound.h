// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/plan/flat_moves.h"

namespace remat {

/// A falling, convex, piecewise linear function from memory to excess nanoseconds that is nowhere above a frontier:
/// what certifies a thinned plan.
class ConvexBound {
public:
    /// The flat recursion (flat_planner.h) with every suffix function replaced by its lower convex hull.  The recursion
    /// is monotone, so a bound of the suffix gives a bound of the whole; a hull has few corners, so this is fast.
    /// Unlike rounding down to a grid its error does not add up over stages: the hull of a sum is the sum of the hulls.
    template <class Cost> static ConvexBound ofWhole(const FlatMoves<Cost>& moves);

    /// A lower bound of the excess of any plan with this memory, which must be feasible.
    std::int64_t at(std::int64_t memory) const;

private:
    struct Corner {
        std::int64_t memory;
        std::int64_t excess;
    };
    void add(std::int64_t memory, std::int64_t excess) { m_corners.push_back({memory, excess}); }
    void makeConvex();

    std::vector<Corner> m_corners;
};

} // namespace remat
