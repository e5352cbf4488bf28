// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/largest_batch.h"

#include <algorithm>

#include "core/base/greatest_fitting.h"
#include "core/cost/device_traits.h"
#include "core/plan/nested_study.h"

namespace remat {

StudyRequest BatchSearch::requestAt(std::int64_t batch) const
{
    StudyRequest other = request;
    other.setup.batch = batch;
    other.setup.headChunks = std::min(other.setup.headChunks, batch * other.setup.sequence);
    return other;
}

Result<Plan> fixedPlanAt(const BatchSearch& search, std::int64_t batch)
{
    StudyRequest request = search.requestAt(batch);
    request.setup = withDefaults(request.shape, request.setup);
    if (auto valid = validate(request.shape, request.setup); !valid)
        return valid.error();
    if (auto stored = checkPrecision(request.setup, request.device); !stored)
        return stored.error();
    const StepTape tape = buildStepTape(request.shape, request.setup, machineTraits(request.device));
    const Result<std::vector<KeepRule>> rules = pinRules(tape, request.pins);
    if (!rules)
        return rules.error();
    if (auto applies = strategyApplies(search.strategy, tape); !applies)
        return applies.error();
    const Bytes ruleBudget = search.ruleBudget.value_or(search.budget);
    Result<Plan> plan = fixedPlan(tape, request.device, search.strategy, *rules, ruleBudget);
    if (plan) {
        plan->pins = std::move(request.pins);
        plan->budget = search.budget;
    }
    return plan;
}

std::optional<Bytes> leastPeakAt(
    const BatchSearch& search, std::int64_t batch, const FlatLimits& limits, StudyMemory* remembered)
{
    if (search.strategy.isPlanner()) {
        const Result<Study> study = Study::solve(search.requestAt(batch), limits, remembered);
        if (!study || search.strategy.kind == Strategy::Kind::Optimal)
            return study ? std::optional(study->leastPeak()) : std::nullopt;
        const Result<NestedStudy> nested = NestedStudy::solve(*study, {.cancel = limits.cancel}, remembered);
        return nested ? std::optional(nested->leastPeak()) : std::nullopt;
    }
    const Result<Plan> plan = fixedPlanAt(search, batch);
    return plan ? std::optional(plan->prediction.peak) : std::nullopt;
}

std::optional<std::int64_t> largestBatch(const BatchSearch& search, const FlatLimits& limits)
{
    StudyMemory memory;
    const std::int64_t largest = greatestFitting(search.request.setup.batch, kMaxBatch, [&](std::int64_t batch) {
        if (limits.cancel.stop_requested())
            return false;
        const std::optional<Bytes> peak = leastPeakAt(search, batch, limits, &memory);
        return peak && *peak <= search.budget;
    });
    return limits.cancel.stop_requested() ? std::nullopt : std::optional(largest);
}

} // namespace remat
