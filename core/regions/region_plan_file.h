// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/regions/region_plan.h"

namespace remat {

class JsonCursor;

/// The names of TorchSetup's choices: "half", "bf16", "sdpa", "lm_hf", "adamw-8bit", ...
const char* toName(torch::TorchPrecision precision);
const char* toName(torch::TorchAttention attention);
const char* toName(torch::TorchOptimizer optimizer);
/// lm_hf, mlm_hf or logits_sum: the loss of the labels has the name of the model's class.
const char* lossName(torch::TorchLoss loss, const ModelShape& shape);

/// The setup without its regions.
nlohmann::json toJson(const torch::TorchSetup& setup, const ModelShape& shape);

/// What that says beside sizes and dropouts, which stay as TorchSetup has them.  Mistakes go to the cursor.
torch::TorchSetup readTorchChoices(const JsonCursor& at);

/// The four memory numbers, times and FLOPs: keys of docs/file-formats.md.
nlohmann::json toJson(const RegionPrediction& prediction, std::int64_t microBatches);

/// Plan files of the profile pytorch: "format": "remat-plan", "realization": "regions".  Nothing read is trusted:
/// reading simulates the step again and refuses a file whose numbers differ.
nlohmann::json toJson(const RegionPlan& plan);
std::string regionPlanFileText(const RegionPlan& plan);
/// Whether a text is such a file rather than a plan of another profile.
bool isRegionPlan(std::string_view text);
/// Errors: not JSON, other format, missing or mistyped keys, disagreement (exit 3).
Result<RegionPlan> parseRegionPlan(std::string_view text, const std::string& where);

} // namespace remat
