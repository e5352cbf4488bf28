// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/batch_map.h"

#include <algorithm>
#include <cmath>

#include "core/plan/largest_batch.h"

namespace remat {

std::optional<double> BatchMapRow::extraTimeAt(Bytes budget) const
{
    const auto above
        = std::upper_bound(points.begin(), points.end(), budget, [](Bytes b, const Point& p) { return b < p.peak; });
    return above == points.begin() ? std::nullopt : std::optional(std::prev(above)->extraTime);
}

std::optional<Bytes> BatchMapRow::leastBudgetFor(double extraTime) const
{
    const auto found = std::partition_point(
        points.begin(), points.end(), [&](const Point& point) { return point.extraTime > extraTime; });
    return found == points.end() ? std::nullopt : std::optional(found->peak);
}

std::vector<std::int64_t> mapBatches(std::int64_t batch)
{
    const std::int64_t most = std::min<std::int64_t>(std::max<std::int64_t>(batch, 4) * 4, kMaxBatch);
    std::vector<std::int64_t> batches{batch};
    for (std::int64_t power = 1; power <= most; power *= 2)
        for (const std::int64_t next : {power, power + power / 2})
            if (next <= most)
                batches.push_back(next);
    std::sort(batches.begin(), batches.end());
    batches.erase(std::unique(batches.begin(), batches.end()), batches.end());
    return batches;
}

std::vector<std::int64_t> byNearness(std::vector<std::int64_t> batches, std::int64_t batch)
{
    const auto distance
        = [&](std::int64_t b) { return std::abs(std::log(static_cast<double>(b) / static_cast<double>(batch))); };
    std::stable_sort(
        batches.begin(), batches.end(), [&](std::int64_t a, std::int64_t b) { return distance(a) < distance(b); });
    return batches;
}

namespace {

/// Of each of equally wide ranges of peak the first point, which no later one of its range undercuts by a pixel.
BatchMapRow thinnedRow(std::int64_t batch, const std::vector<StudyPoint>& points, const Study& study)
{
    BatchMapRow row{batch, {}};
    const std::int64_t least = points.front().cost.peak.value;
    const std::int64_t width
        = (points.back().cost.peak.value - least) / static_cast<std::int64_t>(kBatchMapPoints - 2) + 1;
    std::int64_t lastRange = -1;
    for (const StudyPoint& point : points) {
        const std::int64_t range = (point.cost.peak.value - least) / width;
        if (range == lastRange && &point != &points.back())
            continue;
        lastRange = range;
        row.points.push_back({point.cost.peak, study.extraTimeOf(point)});
    }
    return row;
}

} // namespace

Result<BatchMapRow> solveMapRow(
    const StudyRequest& request, std::int64_t batch, const FlatLimits& limits, StudyMemory* remembered)
{
    const BatchSearch search{request, {}, {}, std::nullopt};
    const Result<Study> study = Study::solve(search.requestAt(batch), limits, remembered);
    if (!study)
        return study.error();
    return thinnedRow(batch, study->points(), *study);
}

Result<BatchMapRow> solveNestedMapRow(const StudyRequest& request, std::int64_t batch, const FlatLimits& limits,
    const NestedLimits& nestedLimits, StudyMemory* remembered)
{
    const BatchSearch search{request, {}, {}, std::nullopt};
    const Result<Study> study = Study::solve(search.requestAt(batch), limits, remembered);
    if (!study)
        return study.error();
    const Result<NestedStudy> nested = NestedStudy::solve(*study, nestedLimits);
    if (!nested)
        return nested.error();
    return thinnedRow(batch, nested->points(), *study);
}

} // namespace remat
