// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/best_batch.h"

#include <algorithm>

#include "core/base/rates.h"
#include "core/plan/nested_study.h"

namespace remat {

namespace {

/// At most kMostBatches whole numbers from `first` to `last`, both among them.
std::vector<std::int64_t> spread(std::int64_t first, std::int64_t last)
{
    std::vector<std::int64_t> batches;
    const std::int64_t steps = std::min(last - first, kMostBatches - 1);
    for (std::int64_t i = 0; i <= steps; ++i)
        batches.push_back(steps == 0 ? first : first + (last - first) * i / steps);
    return batches;
}

} // namespace

double PlannedBatch::samplesPerSecond() const
{
    const TrainingSetup& setup = plan.setup();
    return perSecond(setup.batch * setup.microBatches, plan.prediction.stepTime(setup));
}

Result<PlannedBatch> planBatch(
    const BatchSearch& search, std::int64_t batch, const FlatLimits& limits, StudyMemory* remembered)
{
    if (!search.strategy.isPlanner()) {
        Result<Plan> plan = fixedPlanAt(search, batch);
        return plan ? Result<PlannedBatch>(PlannedBatch{batch, *std::move(plan)}) : plan.error();
    }
    const Result<Study> study = Study::solve(search.requestAt(batch), limits, remembered);
    if (!study)
        return study.error();
    if (search.strategy.kind == Strategy::Kind::OptimalNested) {
        const Result<NestedStudy> nested = NestedStudy::solve(*study, {.cancel = limits.cancel}, remembered);
        if (!nested)
            return nested.error();
        Result<Plan> plan = nested->cheapestWithin(search.budget);
        return plan ? Result<PlannedBatch>(PlannedBatch{batch, *std::move(plan)}) : plan.error();
    }
    Result<Plan> plan = study->cheapestWithin(search.budget);
    return plan ? Result<PlannedBatch>(PlannedBatch{batch, *std::move(plan)}) : plan.error();
}

std::optional<PlannedBatch> bestBatch(const BatchSearch& search, std::int64_t largest, const FlatLimits& limits)
{
    StudyMemory memory;
    std::optional<PlannedBatch> best;
    const auto tryAll = [&](const std::vector<std::int64_t>& batches) {
        for (const std::int64_t batch : batches) {
            if (limits.cancel.stop_requested())
                return;
            Result<PlannedBatch> planned = planBatch(search, batch, limits, &memory);
            if (planned && planned->plan.fits() && (!best || planned->samplesPerSecond() > best->samplesPerSecond()))
                best = *std::move(planned);
        }
    };
    if (largest < 1)
        return std::nullopt;
    const std::vector<std::int64_t> coarse = spread(1, largest);
    tryAll(coarse);
    if (best && static_cast<std::int64_t>(coarse.size()) < largest) {
        const auto found = std::find(coarse.begin(), coarse.end(), best->batch);
        const std::int64_t below = found == coarse.begin() ? *found : *(found - 1);
        const std::int64_t above = found + 1 == coarse.end() ? *found : *(found + 1);
        tryAll(spread(below, above));
    }
    return limits.cancel.stop_requested() ? std::nullopt : best;
}

} // namespace remat
