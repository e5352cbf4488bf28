// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/merged_frontiers.h"

#include <tuple>

namespace remat {

std::vector<StudyPoint> mergeFrontiers(std::span<const std::vector<FrontierPoint>> frontiers)
{
    std::vector<StudyPoint> all, merged;
    for (std::size_t v = 0; v < frontiers.size(); ++v)
        for (std::size_t p = 0; p < frontiers[v].size(); ++p)
            all.push_back({frontiers[v][p], static_cast<int>(v), p});
    const auto key = [](const StudyPoint& p) { return std::tuple(p.cost.peak, p.cost.time, p.cost.reruns, p.variant); };
    std::sort(all.begin(), all.end(), [&](const StudyPoint& a, const StudyPoint& b) { return key(a) < key(b); });
    for (const StudyPoint& point : all) {
        const bool isCheaper = merged.empty()
            || std::tuple(point.cost.time, point.cost.reruns)
                < std::tuple(merged.back().cost.time, merged.back().cost.reruns);
        if (isCheaper)
            merged.push_back(point);
    }
    return merged;
}

const StudyPoint* cheapestPoint(std::span<const StudyPoint> points, Bytes budget)
{
    const auto beyond
        = std::partition_point(points.begin(), points.end(), [&](const auto& p) { return p.cost.peak <= budget; });
    return beyond == points.begin() ? nullptr : &*(beyond - 1);
}

} // namespace remat
