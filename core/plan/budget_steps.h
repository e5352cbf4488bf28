// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/base/units.h"

namespace remat {

/// The budget from which on a plan is to be had, and the forward and backward of its micro-batch.
struct BudgetStep {
    Bytes budget;
    Nanoseconds time;
    auto operator<=>(const BudgetStep&) const = default;
};

/// Where more budget takes the holder of a plan, up to keeping everything, in at most four steps: of the plan's time
/// beyond `keepAll` the least budgets above `budget` at which no more than three, two, one and none of four quarters
/// are left.  Steps that one budget does together are one.
///
/// `points`: a frontier, rising budgets and falling times; `time`: the plan's.
std::vector<BudgetStep> budgetSteps(
    std::span<const BudgetStep> points, Bytes budget, Nanoseconds time, Nanoseconds keepAll);

} // namespace remat
