// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/chain/chain.h"
#include "core/chain/schedule.h"

namespace remat {

/// One point of a frontier: no schedule of the planner's class has a lower peak without costing more.
///
/// Cost is the pair (time, reruns), compared lexicographically.  Points are sorted by rising peak and falling cost.
struct FrontierPoint {
    Bytes peak;
    Nanoseconds time;
    std::int64_t reruns = 0;

    bool operator==(const FrontierPoint&) const = default;
};

/// The instant that sets a schedule's peak.
struct BindingOp {
    enum class Kind { Base, Forward, Backward, StepEnd };

    Kind kind = Kind::Base;
    int stage = -1; ///< of Forward and Backward, from 0
    Bytes peak;
};

/// Replays a schedule and says what binds.  Errors: those of replay().
Result<BindingOp> bindingOp(const Chain& chain, const Schedule& schedule);

/// The infeasibility certificate: the leanest schedule needs leastBinding.peak, so `budget` cannot be met.
/// Exit code DoesNotFit.  Arguments: budget, least feasible budget, shortfall, and for an op its stage number (from 1)
/// and name.  Codes: does-not-fit-base, -forward, -backward, -step-end.
Error doesNotFit(Bytes budget, const BindingOp& leastBinding, const std::string& stageName);

/// What a solve that was stopped before it ended returns: "solve-cancelled".
Error solveCancelled(const Chain& chain);

/// Index of the cheapest point whose peak is within the budget: the last one.  Returns points.size() if there is none.
std::size_t lastWithin(std::span<const FrontierPoint> points, Bytes budget);

} // namespace remat
