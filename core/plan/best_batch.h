// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "core/plan/largest_batch.h"

namespace remat {

/// A batch with its plan under the budget.
struct PlannedBatch {
    std::int64_t batch = 0;
    Plan plan;
    /// Of whole steps: every micro-batch, and the optimizer step.
    double samplesPerSecond() const;
};

/// The search's strategy planned for one batch.  Errors: those of planning; for a planner its certificate (exit 4).
/// A fixed strategy's plan need not fit.
Result<PlannedBatch> planBatch(
    const BatchSearch& search, std::int64_t batch, const FlatLimits& limits, StudyMemory* remembered = nullptr);

/// Of the batches up to `largest`, that of most samples a second: a smaller batch may recompute less.  All are tried
/// where there are at most kMostBatches of them, else as many evenly spaced ones and then those between the best and
/// its neighbours, as evenly.  Nothing where no plan fits or the search was cancelled.
std::optional<PlannedBatch> bestBatch(const BatchSearch& search, std::int64_t largest, const FlatLimits& limits);

inline constexpr std::int64_t kMostBatches = 24;

} // namespace remat
