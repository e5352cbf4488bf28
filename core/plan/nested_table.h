// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/plan/step_table.h"

namespace remat {

/// The cells that all step functions of one nested solve are sampled on.
struct NestedGrid {
    int shift = 0;     ///< a cell is 2^shift bytes wide
    int phaseBits = 0; ///< each cell is sampled 2^phaseBits times
    int costShift = 0; ///< samples are costs >> costShift, so that sums of three fit 32 bits

    template <class Cost> std::int32_t sampled(Cost cost) const { return static_cast<std::int32_t>(cost >> costShift); }
};

/// A falling step function as in step_table.h, with its samples: the value at front().memory + (cell * phases + phase)
/// * (cell width / phases) is samples[phase * (cells + 1) + cell], rounded down; from `cells` on every sample is the
/// last cost.
template <class Cost> struct NestedTable {
    struct Point {
        std::int64_t memory;
        Cost cost;
    };
    /// Behind the last point, so that walks need not ask for the end; no memory comes near it.
    static constexpr std::int64_t kEnd = std::int64_t{1} << 62;

    std::vector<Point> points; ///< memory rises and cost falls strictly; the last one is the sentinel of finish()
    std::vector<std::int32_t> samples;
    std::vector<std::uint32_t> lastAtOrBefore; ///< by cell, the point that phase 0 shows
    std::int64_t cells = 0;
    Cost error = 0; ///< this table is nowhere more than that above the exact one
    /// Where this is there, the function is the lower one of both: that one has the points that are below this table.
    std::shared_ptr<const NestedTable> below;

    /// Of a finished table that nothing was worth keeping in.
    bool isEmpty() const { return points.size() == 1; }
    /// Without the sentinel.
    std::size_t size() const { return points.size() - 1; }
    const Point& front() const { return points.front(); }
    const Point& back() const { return points[size() - 1]; }

    /// The last point of the function with at most this memory; null where there is none.
    const Point* pointWithin(std::int64_t memory) const;
    /// Points of the function.
    std::int64_t functionSize() const;
    /// The function in one table that is not finished.  Precondition: `below` is there.
    NestedTable inOne() const;

    /// Adds the sentinel and fills samples, lastAtOrBefore and cells (of an empty table: nothing).
    void finish(const NestedGrid& grid);

    std::int64_t bytes() const
    {
        return static_cast<std::int64_t>(points.size() * sizeof(Point) + samples.size() * sizeof(std::int32_t)
                   + lastAtOrBefore.size() * sizeof(std::uint32_t))
            + (below ? below->bytes() : 0);
    }
};

} // namespace remat
