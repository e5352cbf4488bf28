// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "core/plan/study.h"

namespace remat {

/// A batch that is looked for.
struct BatchSearch {
    StudyRequest request; ///< its batch is where the search starts
    Strategy strategy;
    Bytes budget;                    ///< what the peak may reach
    std::optional<Bytes> ruleBudget; ///< the budget in the rules that read one, where it is another one

    /// The request at another batch; a head of more chunks than the batch has tokens gets as many chunks as tokens.
    StudyRequest requestAt(std::int64_t batch) const;
};

/// The plan of a search's strategy that is no planner, at a batch: nothing is solved for it.
/// Errors: a step that is not valid or not of the device, a pin that it lacks, a rule that does not apply or fails.
Result<Plan> fixedPlanAt(const BatchSearch& search, std::int64_t batch);

/// What the strategy needs at least at a batch: for a planner its least peak (of optimal-nested a nested solve, which
/// takes seconds).  Nothing where that batch is not valid, the strategy finds no plan, or the solve was cancelled.
std::optional<Bytes> leastPeakAt(
    const BatchSearch& search, std::int64_t batch, const FlatLimits& limits, StudyMemory* remembered = nullptr);

/// The greatest batch, with everything else the same, whose plan fits: the strategy planned anew for each batch (for
/// optimal: its least peak); 0 where not even a batch of 1 does, nothing where the search was cancelled.
///
/// A binary search that starts at the request's batch, one leastPeakAt() a probe: peaks rise with the batch.  (Rules
/// that read the budget may fill it again at a larger batch; for those the answer fits, but a larger one may too.)
/// Least peaks are exact in a thinned solve too, so a large FlatLimits::gapTarget costs nothing here.
std::optional<std::int64_t> largestBatch(const BatchSearch& search, const FlatLimits& limits);

} // namespace remat
