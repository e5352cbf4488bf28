// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/plan/study.h"

namespace remat {

/// An op about which two plans of one step decide otherwise, with the stages in which they do.
struct OpFlip {
    std::string op;
    bool isKeptBySecond = false; ///< and made again by the first; or the other way round
    std::vector<int> stages;     ///< ascending
    Bytes bytes;                 ///< held for it by the plan that keeps it, over these stages

    bool operator==(const OpFlip&) const = default;
};

/// Where two plans differ, the most bytes first; an op that is kept here and dropped there stands in two flips.  Empty:
/// they decide alike.  Nothing where their stages have other ops (another shape, other kernels), so that there is
/// nothing to put side by side.
std::optional<std::vector<OpFlip>> flipsBetween(const Plan& first, const Plan& second);

/// What another budget would make of a planner's plan.
struct BudgetMove {
    Bytes peak;             ///< of the plan there: the budget from which on it is the answer
    double extraTime = 0.0; ///< its own; the plan's is Plan::extraTime()
    std::vector<OpFlip> flips;
};

/// How a plan would change if its budget moved: to the next one that buys a noticeable share of time (moreBudget()),
/// and to the first below its peak that costs as much.
struct BudgetMoves {
    std::optional<BudgetMove> more, less;
};

/// `planWithin` makes the frontier's plan for a budget (Study::cheapestWithin or NestedStudy::cheapestWithin).
BudgetMoves budgetMoves(
    std::span<const StudyPoint> points, const Plan& plan, const std::function<Result<Plan>(Bytes)>& planWithin);

} // namespace remat
