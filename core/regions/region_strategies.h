// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/model_shape.h"
#include "core/plan/strategy.h"
#include "core/torch/torch_setup.h"

namespace remat {

/// What a strategy that is a rule does to every layer.
struct StrategyRegions {
    std::vector<torch::LayerRegions> layers;
    std::vector<std::string> options; ///< of each layer: RegionOption::name
    bool stopsEarly = true;
};

/// Errors: the profile pytorch has no such rule, or the model lacks the module that it wraps (exit 3).
Result<StrategyRegions> regionsOf(const Strategy& strategy, const ModelShape& shape);

} // namespace remat
