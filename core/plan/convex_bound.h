// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace remat {

/// A falling, convex, piecewise linear function from memory to excess nanoseconds: the lower convex hull of points.
///
///   ConvexBound bound;
///   bound.add({100, 7});
///   bound.add({200, 3});
///   bound.makeConvex();
///   bound.at(150);      // 5; beyond the last corner 3, below the first one 7
class ConvexBound {
public:
    struct Corner {
        std::int64_t memory;
        std::int64_t excess;
    };

    /// Before makeConvex() this is any point of the function that the hull shall bound from below.
    void add(const Corner& point) { m_corners.push_back(point); }
    /// Adds what the hull of all sums of a corner of `a` from this index on and a corner of `b` needs, by rising
    /// memory. Precondition: both made convex, not empty.
    void addSums(const ConvexBound& a, std::size_t from, const ConvexBound& b);
    /// Linear in what addSums() gave to an empty bound, since that is sorted.
    void makeConvex();

    bool isEmpty() const { return m_corners.empty(); }
    /// By rising memory and falling excess.
    const std::vector<Corner>& corners() const { return m_corners; }
    /// The hull's value, rounded down.  Precondition: made convex, not empty.
    std::int64_t at(std::int64_t memory) const;
    /// Appends lower bounds of at(first + k * step) for k = 0, 1, … count - 1 that are less than `count` ns below it.
    void sample(std::int64_t first, std::int64_t step, std::int64_t count, std::vector<std::int64_t>& values) const;

private:
    std::vector<Corner> m_corners;
};

} // namespace remat
