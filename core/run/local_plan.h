// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/plan/plan.h"
#include "core/run/run_request.h"

namespace remat {

/// A device that stands for this machine's sizes (granule, scratch of so many threads) where times and its memory do
/// not matter.
Device sizesOfThisCpu(std::int64_t threads);

/// The threads that a request runs with: its own number, or usableThreads().
std::int64_t threadsOf(const RunRequest& request);

/// The device that a request is predicted for: the measured CPU that it carries, else the plan's own if that is a CPU,
/// else one whose times mean nothing; with this machine's granule and the threads of the request.
Device deviceOf(const RunRequest& request);
/// Whether the times of deviceOf() are those of a CPU.
bool predictsTime(const RunRequest& request);

/// What to predict a run of `plan` on this CPU with: the plan's own device where its ops were measured on this
/// processor with as many threads, else `thisCpu`, as it was measured in general.
const Device& timedFor(const Plan& plan, const Device& thisCpu);

/// The plan's decisions on this machine: same shape, setup and keep-sets, re-derived with the granule and the scratch
/// of `cpu`, and timed with its rates.  Its peak is what a report calls predicted; the plan's own is called planned.
Plan planForThisMachine(const Plan& plan, const Device& cpu);

/// Keep-everything with the variants and micro-batches of `plan`: the reference of law 4.
Plan keepAllPlan(const Plan& plan, const Device& cpu);

} // namespace remat
