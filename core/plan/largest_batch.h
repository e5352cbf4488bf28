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
    std::optional<Bytes> ruleBudget; ///< the budget in article-greedy's rule, where it is another one
};

/// The greatest batch, with everything else the same, whose plan fits: the strategy planned anew for each batch (for
/// optimal: its least peak); 0 where not even a batch of 1 does, nothing where the search was cancelled.
///
/// A head of more chunks than the batch has tokens gets as many chunks as tokens.  Peaks rise with the batch, so this
/// is a binary search, which starts at the request's batch: one solve a probe.  Least peaks are exact in a thinned
/// solve too, so a large FlatLimits::gapTarget costs nothing here.
std::optional<std::int64_t> largestBatch(const BatchSearch& search, const FlatLimits& limits);

} // namespace remat
