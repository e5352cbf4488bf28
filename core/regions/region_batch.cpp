// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_batch.h"

#include "core/regions/region_study.h"

namespace remat {

std::optional<std::int64_t> largestSmallerBatch(
    const RegionRequest& request, Bytes budget, const std::stop_token& cancel)
{
    FlatLimits limits;
    limits.cancel = cancel;
    std::int64_t fits = 0, fails = request.setup.batch;
    while (fails - fits > 1) {
        RegionRequest tried = request;
        tried.setup.batch = fits + (fails - fits) / 2;
        const Result<RegionStudy> study = RegionStudy::solve(tried, limits, 1);
        if (!study)
            return std::nullopt;
        (study->leastPeak() <= budget ? fits : fails) = tried.setup.batch;
    }
    return fits > 0 ? std::optional(fits) : std::nullopt;
}

Result<BatchMapRow> solveMapRow(
    const RegionRequest& request, std::int64_t batch, const FlatLimits& limits, std::size_t plans)
{
    RegionRequest own = request;
    own.setup.batch = batch;
    if (auto valid = validate(own); !valid)
        return valid.error();
    const Result<RegionStudy> study = RegionStudy::solve(std::move(own), limits, plans);
    if (!study)
        return study.error();
    BatchMapRow row;
    row.batch = batch;
    for (const RegionStudy::Point& point : study->points())
        row.points.push_back({point.peak, point.extraTime});
    return row;
}

} // namespace remat
