// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/export/settings_text.h"
#include "core/regions/region_plan.h"

namespace remat {

/// The settings of a trainer that come nearest to a plan of the profile pytorch.
struct RegionSettings {
    std::string text;            ///< the flags, one a line, or the TOML table; behind remarks in comments
    RegionPrediction prediction; ///< of the plan's model, setup and device under them
    bool fits = false;           ///< within the plan's budget, or where it has none within its peak
};

/// As nearestSettings() of a runtime plan, with each setting simulated as the regions that it makes of this model
/// (core/torch): Megatron-LM's core_attn and mlp are attention core and FFN, uniform groups are blocks in one region;
/// torchtitan's "op" is a block that saves every second product and fused attention.  What the model has no module for
/// is not tried, nor is Megatron-LM's layernorm, which no region of PyTorch does.  Some dozens of whole simulations.
RegionSettings nearestSettings(const RegionPlan& plan, Trainer trainer);

} // namespace remat
