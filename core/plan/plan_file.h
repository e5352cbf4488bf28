// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/plan/plan.h"

namespace remat {

/// Plan files: `"format": "remat-plan"`, `"version": 1` (docs/file-formats.md).
///
/// A plan file holds everything that it was derived from: shape, setup, device, budget, strategy, pins, the chain and
/// the schedule, and of each stage what is kept, by tensor name and framework module.  Nothing read is trusted: reading
/// derives the plan anew from shape, setup, device and keep-sets and refuses a file whose chain, schedule or numbers
/// disagree, whose keep-sets are against its pins or its strategy's rule, or whose proof cannot be one, naming the
/// first key that does.  That an optimal plan is optimal is not proved again: a new solve would.
nlohmann::json toJson(const Plan& plan);
std::string planFileText(const Plan& plan);

/// Errors: not JSON, other format, missing or mistyped keys, an invalid shape or setup, unknown tensors, and
/// disagreement, with the key, the file's value and the derived one.
Result<Plan> parsePlan(std::string_view text, const std::string& where);
Result<Plan> readPlan(const std::string& path);

} // namespace remat
