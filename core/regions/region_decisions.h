// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/json_cursor.h"
#include "core/regions/region_plan.h"

namespace remat {

/// Fails where the layers of a plan file (`list`) are none that its strategy could decide: a rule's layers are what the
/// rule says, a planner's are regionOptions() or spanPlans() by their names, or keep-sets of ops that the layers have.
void checkDecisions(const JsonCursor& list, const RegionPlan& plan);

} // namespace remat
