// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "core/base/json_cursor.h"
#include "core/plan/plan.h"

namespace remat {

/// {"op": "backward", "stage": 3, "name": "layer 1"}; stage and name are null where no stage's op binds.
nlohmann::json bindingJson(const BindingOp& binding);

/// The key "proof" of plan files (docs/file-formats.md): class, exact, gap, least_budget_bytes, and of a planner's plan
/// bound_ns, least_binding and states.
nlohmann::json proofJson(const Plan& plan);

/// Reads it for a plan whose other fields are read.  What the plan's own replay tells is compared; the rest must be
/// possible: a rule's plan proves nothing, a planner's has all facts of its solve or, from older files, none.
PlanProof readProof(const JsonCursor& at, const Plan& plan);

} // namespace remat
