// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/convex_bound.h"

#include <algorithm>
#include <tuple>

#include "core/plan/step_table.h"

namespace remat {

namespace {

/// Whether (m, c) lies on or below the line through a and b, a.memory < b.memory <= m; so b is no corner.
bool hidesMiddle(const ConvexBound::Corner& a, const ConvexBound::Corner& b, const ConvexBound::Corner& c)
{
    // Bytes and nanoseconds stay within 2^61, so the products fit 128 bits.
    return WideCost{b.excess - a.excess} * (c.memory - a.memory)
        >= WideCost{c.excess - a.excess} * (b.memory - a.memory);
}

} // namespace

/// The edges of a sum's hull are those of both hulls, the steepest first.
void ConvexBound::addSums(const ConvexBound& a, std::size_t from, const ConvexBound& b)
{
    const std::vector<Corner>&x = a.m_corners, &y = b.m_corners;
    std::size_t i = from;
    std::size_t j = 0;
    for (;;) {
        m_corners.push_back({x[i].memory + y[j].memory, x[i].excess + y[j].excess});
        const bool isLastX = i + 1 == x.size(), isLastY = j + 1 == y.size();
        if (isLastX && isLastY)
            return;
        if (isLastX || isLastY) {
            ++(isLastY ? i : j);
        } else {
            const WideCost fallOfX = WideCost{x[i].excess - x[i + 1].excess} * (y[j + 1].memory - y[j].memory);
            const WideCost fallOfY = WideCost{y[j].excess - y[j + 1].excess} * (x[i + 1].memory - x[i].memory);
            ++(fallOfX > fallOfY ? i : j);
        }
    }
}

void ConvexBound::makeConvex()
{
    const auto isBefore
        = [](const Corner& a, const Corner& b) { return std::tie(a.memory, a.excess) < std::tie(b.memory, b.excess); };
    const auto sorted = std::is_sorted_until(m_corners.begin(), m_corners.end(), isBefore);
    std::sort(sorted, m_corners.end(), isBefore);
    std::inplace_merge(m_corners.begin(), sorted, m_corners.end(), isBefore);
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

void ConvexBound::sample(
    std::int64_t first, std::int64_t step, std::int64_t count, std::vector<std::int64_t>& values) const
{
    auto next = m_corners.begin();
    std::int64_t value = 0;
    std::int64_t fall = 0;
    for (std::int64_t k = 0; k < count; ++k) {
        const std::int64_t memory = first + k * step;
        if (next != m_corners.end() && next->memory <= memory) {
            next = std::upper_bound(
                next, m_corners.end(), memory, [](std::int64_t m, const Corner& corner) { return m < corner.memory; });
            value = at(memory);
            fall = 0;
            if (next != m_corners.end() && next->memory - memory > step) {
                // One division for all that follows on this edge: rounded up, so that the values are rounded down.
                const Corner& left = *(next - 1);
                const WideCost run = next->memory - left.memory;
                fall = static_cast<std::int64_t>((WideCost{left.excess - next->excess} * step + run - 1) / run);
            }
        } else {
            value = k == 0 ? at(memory) : value - fall;
        }
        values.push_back(value);
    }
}

} // namespace remat
