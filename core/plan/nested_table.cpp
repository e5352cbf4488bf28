// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/nested_table.h"

namespace remat {

template <class Cost> void NestedTable<Cost>::finish(const NestedGrid& grid)
{
    if (points.empty()) {
        points.push_back({kEnd, 0});
        samples.clear();
        lastAtOrBefore.clear();
        cells = 0;
        return;
    }
    points.push_back({kEnd, points.back().cost});
    const std::int64_t origin = front().memory;
    const int phases = 1 << grid.phaseBits;
    const int fineShift = grid.shift - grid.phaseBits;
    cells = (back().memory - origin + (std::int64_t{1} << grid.shift) - 1) >> grid.shift;
    const auto stride = static_cast<std::size_t>(cells + 1);
    samples.resize(stride * static_cast<std::size_t>(phases));
    lastAtOrBefore.resize(stride);
    std::size_t point = 0;
    for (std::size_t cell = 0; cell < stride; ++cell)
        for (int phase = 0; phase < phases; ++phase) {
            const std::int64_t memory
                = origin + (static_cast<std::int64_t>(cell) << grid.shift) + (std::int64_t{phase} << fineShift);
            while (points[point + 1].memory <= memory)
                ++point;
            samples[static_cast<std::size_t>(phase) * stride + cell] = grid.sampled(points[point].cost);
            if (phase == 0)
                lastAtOrBefore[cell] = static_cast<std::uint32_t>(point);
        }
}

template struct NestedTable<NarrowCost>;
template struct NestedTable<WideCost>;

} // namespace remat
