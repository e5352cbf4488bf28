// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_explanation.h"

#include <algorithm>
#include <set>

namespace remat {

namespace {

RegionReason reasonOf(const RegionPlan& plan, const std::string& option)
{
    RegionReason reason;
    reason.option = option;
    RegionRequest kept = plan.request;
    for (std::size_t layer = 0; layer < plan.options.size(); ++layer)
        if (plan.options[layer] == option) {
            kept.setup.layers[layer] = {};
            ++reason.layers;
        }
    const RegionPrediction without = predict(kept, plan.prediction.keepAll);
    reason.freed = without.saved - plan.prediction.saved;
    reason.spared = without.peak - plan.prediction.peak;
    reason.again = plan.prediction.time - without.time;
    return reason;
}

} // namespace

Result<RegionExplanation> explain(const RegionPlan& plan)
{
    RegionExplanation explanation;
    const std::vector<torch::LayerRegions>& layers = plan.request.setup.layers;
    const bool hasSpans
        = std::any_of(layers.begin(), layers.end(), [](const torch::LayerRegions& r) { return r.span > 1; });
    std::set<std::string> options(plan.options.begin(), plan.options.end());
    options.erase("keep");
    if (!hasSpans)
        for (const std::string& option : options)
            explanation.reasons.push_back(reasonOf(plan, option));
    if (!plan.strategy.isPlanner())
        return explanation;
    const Result<RegionStudy> study = RegionStudy::solve(plan.request);
    if (!study)
        return study.error();
    const std::vector<RegionPlan> frontier = study->frontier();
    std::vector<BudgetStep> points;
    for (const RegionPlan& point : frontier)
        points.push_back({point.prediction.peak, point.prediction.time});
    explanation.steps = budgetSteps(
        points, plan.budget.value_or(plan.prediction.peak), plan.prediction.time, plan.prediction.keepAll);
    for (const RegionPlan& point : frontier)
        if (plan.budget && point.prediction.peak > *plan.budget && point.prediction.time < plan.prediction.time) {
            explanation.next = point;
            break;
        }
    return explanation;
}

} // namespace remat
