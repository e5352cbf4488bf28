// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/plan/budget_steps.h"
#include "core/regions/region_study.h"

namespace remat {

/// What the layers of one option free and cost: the plan against the same plan in which these layers keep everything.
/// Both are simulated whole.
struct RegionReason {
    std::string option;
    std::int64_t layers = 0;
    Bytes freed;       ///< of what is saved for backward
    Bytes spared;      ///< of the peak; nothing where other layers or the head bind
    Nanoseconds again; ///< longer micro-batch
};

/// Why a plan of regions is as it is.
struct RegionExplanation {
    std::vector<RegionReason> reasons; ///< of every option but "keep"; none where regions span several layers
    std::optional<RegionPlan> next;    ///< of a planner's plan: the next faster one that more budget buys
    std::vector<BudgetStep> steps;     ///< and what larger budgets buy, up to keeping everything
};

/// Error: cancelled.
Result<RegionExplanation> explain(const RegionPlan& plan);

} // namespace remat
