// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/nested_table.h"

#include <algorithm>

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

template <class Cost> const typename NestedTable<Cost>::Point* NestedTable<Cost>::pointWithin(std::int64_t memory) const
{
    const auto above = std::upper_bound(points.begin(), points.end(), memory,
        [](std::int64_t limit, const Point& point) { return limit < point.memory; });
    const Point* const own = above == points.begin() ? nullptr : &*(above - 1);
    const Point* const lower = below ? below->pointWithin(memory) : nullptr;
    // At one cost the lower table has it at less memory.
    return lower && (!own || lower->cost <= own->cost) ? lower : own;
}

template <class Cost> std::int64_t NestedTable<Cost>::functionSize() const
{
    auto count = static_cast<std::int64_t>(points.empty() ? 0 : size());
    if (!below || below->isEmpty())
        return count;
    // What the lower table beats here costs at least its last cost.
    auto lower = below->points.begin();
    auto own = std::lower_bound(points.begin(), points.end() - 1, below->front().memory,
        [](const Point& point, std::int64_t memory) { return point.memory < memory; });
    for (; own != points.end() - 1 && own->cost >= below->back().cost; ++own) {
        while (lower[1].memory <= own->memory)
            ++lower;
        count -= lower->cost <= own->cost ? 1 : 0;
    }
    return count + static_cast<std::int64_t>(below->size());
}

template <class Cost> NestedTable<Cost> NestedTable<Cost>::inOne() const
{
    NestedTable one;
    one.points.reserve(size() + below->size() + 1);
    const Point* own = points.data();
    const Point* lower = below->points.data();
    while (own->memory != kEnd || lower->memory != kEnd) {
        // Of two at one memory the lower table's is the cheaper one.
        const Point& next = lower->memory <= own->memory ? *lower++ : *own++;
        if (one.points.empty() || next.cost < one.points.back().cost)
            one.points.push_back(next);
    }
    return one;
}

template struct NestedTable<NarrowCost>;
template struct NestedTable<WideCost>;

} // namespace remat
