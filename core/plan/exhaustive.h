// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/chain/chain.h"
#include "core/chain/schedule.h"
#include "core/plan/frontier.h"

namespace remat {

/// Chains of more stages have too many states.
inline constexpr std::size_t kMostExhaustiveStages = 7;

/// How far an exhaustive search may go.
struct ExhaustiveLimits {
    /// Asked now and then; a stopped search returns the error "solve-cancelled".
    std::stop_token cancel;
    /// Partial schedules that the search may hold, 64 bytes or so each.
    std::size_t maxLabels = 40'000'000;
};

/// The true frontier of a chain: the judge of the planners' classes.
struct ExhaustiveFrontier {
    std::vector<FrontierPoint> points;
    std::vector<Schedule> schedules; ///< one per point
};

/// The frontier over all schedules that docs/planner.md ("Operations") allows, found without any recursion.
///
/// A state is which outputs and interiors exist and how far the backward has come; its bytes follow from it.  Partial
/// schedules are labels (time, reruns, peak), taken in this order; one is worth going on with if its peak is below that
/// of every label taken in its state before.  So the first label that completes the step at some peak is a point of the
/// frontier.  What no later op can read is freed at once, which never costs.  Exponential: O(2^n * options^n) states.
///
/// Errors: cancelled; more than kMostExhaustiveStages stages, 62 options of a stage or maxLabels labels.
Result<ExhaustiveFrontier> searchExhaustively(const Chain& chain, const ExhaustiveLimits& limits = {});

/// How a planner's frontier stands to the true one.
struct FrontierAgreement {
    std::int64_t missed = 0;     ///< peaks of the true frontier at which the planner is slower or has no plan
    std::int64_t impossible = 0; ///< points of the planner that are faster than every schedule of their peak

    bool isEqual() const { return missed == 0 && impossible == 0; }
};
FrontierAgreement agreementOf(std::span<const FrontierPoint> truth, std::span<const FrontierPoint> planned);

} // namespace remat
