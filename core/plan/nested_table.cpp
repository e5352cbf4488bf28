// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/nested_table.h"

namespace remat {

template <class Cost> void NestedTable<Cost>::sample(const NestedGrid& grid)
{
    const std::vector<std::int64_t>& points = this->memory;
    const std::int64_t origin = points.front();
    const int phases = 1 << grid.phaseBits;
    const int fineShift = grid.shift - grid.phaseBits;
    cells = (points.back() - origin + (std::int64_t{1} << grid.shift) - 1) >> grid.shift;
    const auto stride = static_cast<std::size_t>(cells + 1);
    samples.resize(stride * static_cast<std::size_t>(phases));
    lastAtOrBefore.resize(stride);
    std::size_t point = 0;
    for (std::size_t cell = 0; cell < stride; ++cell)
        for (int phase = 0; phase < phases; ++phase) {
            const std::int64_t where
                = origin + (static_cast<std::int64_t>(cell) << grid.shift) + (std::int64_t{phase} << fineShift);
            while (point + 1 < points.size() && points[point + 1] <= where)
                ++point;
            samples[static_cast<std::size_t>(phase) * stride + cell] = grid.sampled(this->cost[point]);
            if (phase == 0)
                lastAtOrBefore[cell] = static_cast<std::uint32_t>(point);
        }
}

template struct NestedTable<NarrowCost>;
template struct NestedTable<WideCost>;

} // namespace remat
