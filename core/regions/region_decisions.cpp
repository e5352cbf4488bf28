// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_decisions.h"

#include <algorithm>
#include <map>

#include "core/plan/file_agreement.h"
#include "core/regions/exact_options.h"
#include "core/regions/region_options.h"
#include "core/regions/region_spans.h"
#include "core/regions/region_strategies.h"

namespace remat {

namespace {

constexpr MessageCode kNotOffered{"plan-layers-not-offered",
    REMAT_TR("The layers' ways are none that the planner has for this model under these names."),
    REMAT_TR("The file was changed or is damaged: make the plan anew."), ExitCode::BadInput};

/// Whether layers run as their options say: each as one of regionOptions() does, or all as a plan of spanPlans().
bool areOffered(const RegionPlan& plan)
{
    const RegionRequest& request = plan.request;
    for (const LayerPlan& spans : spanPlans(request.shape, request.setup))
        if (spans.layers == request.setup.layers && spans.options == plan.options)
            return true;
    const auto first = static_cast<std::size_t>(request.shape.layers);
    const std::vector<RegionOption> encoder = regionOptions(request.shape, request.setup),
                                    decoder = regionOptions(request.shape, request.setup, true);
    for (std::size_t layer = 0; layer < plan.options.size(); ++layer) {
        const std::vector<RegionOption>& offered = layer < first ? encoder : decoder;
        const bool isOne = std::any_of(offered.begin(), offered.end(), [&](const RegionOption& option) {
            return option.name == plan.options[layer] && option.regions == request.setup.layers[layer];
        });
        if (!isOne)
            return false;
    }
    return true;
}

/// Whether an exact plan's layers keep ops that they have, and are named by them.
bool areKeepSets(const RegionPlan& plan)
{
    const RegionRequest& request = plan.request;
    if (!hasExactOptions(request.shape))
        return false;
    std::map<std::pair<bool, std::vector<std::string>>, std::optional<std::string>> names;
    for (std::size_t layer = 0; layer < plan.options.size(); ++layer) {
        const torch::LayerRegions& own = request.setup.layers[layer];
        if (!own.isExact) {
            if (!own.kept.empty() || plan.options[layer] != "keep")
                return false;
            continue;
        }
        const bool hasWindow = request.shape.hasWindow(static_cast<std::int64_t>(layer));
        const auto [name, isNew] = names.try_emplace({hasWindow, own.kept});
        if (isNew)
            name->second = exactName(request, layer, own.kept);
        if (name->second != plan.options[layer])
            return false;
    }
    return true;
}

} // namespace

void checkDecisions(const JsonCursor& list, const RegionPlan& plan)
{
    if (plan.strategy.isPlanner()) {
        if (!(plan.request.isExact ? areKeepSets(plan) : areOffered(plan)))
            list.fail(kNotOffered);
        return;
    }
    const Result<StrategyRegions> rule = regionsOf(plan.strategy, plan.request.shape);
    if (!rule) {
        list.fail(*rule.error().code, rule.error().arguments);
        return;
    }
    const std::vector<JsonCursor> layers = list.elements();
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        if (plan.request.setup.layers[layer] != rule->layers[layer] || plan.options[layer] != rule->options[layer])
            failDisagreeing(layers[layer], plan.options[layer], rule->options[layer]);
}

} // namespace remat
