// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <stop_token>

#include "core/base/result.h"
#include "core/plan/strategy.h"
#include "core/run/run_request.h"

namespace remat {

/// What a run will take on this machine, worked out before it starts, so that it never starts into swap or the kernel's
/// killer.
///
/// A run needs its plan's peak and what a process takes beside it; it may have what the system can give
/// (usableMemory(), a limit of the request) less a reserve of 256 MiB and 2 %.  Where keep-everything needs more than
/// that, the run goes ahead without comparing gradients.
struct Preflight {
    Bytes predictedPeak;                 ///< of the plan, with this machine's granule and scratch
    Bytes needed;                        ///< that, and the process around it
    Bytes usable;                        ///< what the run may take: available less the reserve
    Bytes available;                     ///< as read
    bool checksGradients = false;        ///< false also where keep-everything would not fit
    std::optional<Nanoseconds> stepTime; ///< predicted; absent where the plan was timed for another device
    std::optional<Nanoseconds> runTime;  ///< of all passes

    bool fits() const { return needed <= usable; }
};

/// The run's needs against `available`: usableMemory() of core/run/process_memory.h, or what a test says.
Preflight preflight(const RunRequest& request, Bytes available);

/// The greatest batch of the same strategy that this machine can run (core/plan/largest_batch.h); 0 where not even a
/// batch of 1 does.  A search that is cancelled ends soon, with a number that means nothing.
std::int64_t largestBatch(const RunRequest& request, Bytes usable, std::stop_token cancel = {});

/// What to plan a batch with so that this machine can run it.
struct FittingBudget {
    Strategy strategy; ///< optimal; optimal-nested where only that reaches the budget and the request's plan is nested
    Bytes budget;
};

/// A budget with which the planner finds a plan of the request's own batch that this machine can run: what it can give,
/// rounded so that who types what is printed gets such a plan.  Nothing where the leanest plan needs more, or the
/// search was cancelled.  One thinned solve, and a nested one for a nested plan.
std::optional<FittingBudget> fittingBudget(const RunRequest& request, Bytes usable, std::stop_token cancel = {});

/// The figures and the way out, exit code 10.  The batch asked for can run with another budget
/// ("out-of-memory-with-this-plan"), or this strategy with a smaller batch ("out-of-memory-expected"), or both
/// ("out-of-memory-at-this-batch"), or neither ("out-of-memory-at-every-batch").
Error refusal(const RunRequest& request, const Preflight& preflight, std::int64_t largestBatch,
    const std::optional<FittingBudget>& fitting = {});

} // namespace remat
