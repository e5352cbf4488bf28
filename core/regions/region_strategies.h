// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/regions/region_plan.h"

namespace remat {

/// What a strategy that is a rule does to every layer.
struct StrategyRegions {
    std::vector<torch::LayerRegions> layers;
    std::vector<std::string> options; ///< of each layer: RegionOption::name
    bool stopsEarly = true;
};

/// Errors: the profile pytorch has no such rule, or the model lacks the module that it wraps (exit 3).
Result<StrategyRegions> regionsOf(const Strategy& strategy, const ModelShape& shape);

/// That the simulations for a request were stopped.
Error simulationsCancelled(const RegionRequest& request);

/// The plan of such a rule, from one simulation: no study is needed.  `keepAll` is the time of the same step without
/// regions; where it is 0, a second simulation finds it.  Errors: those of regionsOf(), and cancelled.
Result<RegionPlan> planOfRule(const RegionRequest& request, const Strategy& strategy, std::optional<Bytes> budget,
    Nanoseconds keepAll = {}, const std::stop_token& cancel = {});

} // namespace remat
