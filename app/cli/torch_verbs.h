// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "app/cli/answer.h"
#include "app/cli/arguments.h"
#include "app/cli/environment.h"
#include "core/base/result.h"
#include "core/regions/region_request.h"

namespace remat::cli {

// The verbs of the profile pytorch (core/regions); asksForTorch() says when they answer.
Result<Answer> describeTorch(const Arguments& arguments, const Environment& environment);
/// --exact makes `request` one of keep-sets.  Errors: pins, which plans of this profile do not have (exit 2), a model
/// whose layers have no keep-sets of their own (exit 3).
std::optional<Error> readPlanFlags(const Arguments& arguments, RegionRequest& request);
Result<Answer> planTorch(const Arguments& arguments, const Environment& environment);
Result<Answer> frontierTorch(const Arguments& arguments, const Environment& environment);
Result<Answer> compareTorch(const Arguments& arguments, const Environment& environment);
Result<Answer> maxBatchTorch(const Arguments& arguments, const Environment& environment);
// Of a plan file with realization "regions" or "exact".
Result<Answer> verifyTorch(const std::string& path, bool isJson);
Result<Answer> explainTorch(const std::string& path, bool isJson);

} // namespace remat::cli
