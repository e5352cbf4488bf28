// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "core/plan/plan.h"
#include "core/run/gpu_answer.h"
#include "core/run/run_request.h"

namespace remat {

/// A device that stands for this machine's sizes (granule, scratch of so many threads) where times and its memory do
/// not matter.
Device sizesOfThisCpu(std::int64_t threads);

/// The same for a GPU: CUDA's granule and workspaces.
Device sizesOfGpu();
/// Of the machine that a run computes on.
Device sizesOf(RunMachine machine, std::int64_t threads);

/// The threads that a request runs with: its own number, or usableThreads().
std::int64_t threadsOf(const RunRequest& request);

/// The device that a request is predicted for: the one that it carries, else the plan's own if that is of the machine's
/// kind, else one whose times mean nothing; with the machine's granule and, on a CPU, the threads of the request.
Device deviceOf(const RunRequest& request);
/// Whether the times of deviceOf() are of a machine like the one that runs: of a CPU; of the very GPU, which only who
/// asks knows, and then hands in the request; never of the emulator.
bool predictsTime(const RunRequest& request);

/// What to predict a run of `plan` on this CPU with: the plan's own device where its ops were measured on this
/// processor with as many threads, else `thisCpu`, as it was measured in general.
const Device& timedFor(const Plan& plan, const Device& thisCpu);

/// What to predict a run of `plan` on a GPU with: the plan's own device where it is that GPU, by its costs' title or by
/// model and memory ("NVIDIA A100 80 GB (SXM)" is an "NVIDIA A100-SXM4-80GB" of 80 GB); nothing where it is another.
std::optional<Device> timedFor(const Plan& plan, const GpuFound& gpu);

/// The plan's decisions on this machine: same shape, setup and keep-sets, re-derived with the granule and the scratch
/// of `device`, and timed with its rates.  Its peak is what a report calls predicted; the plan's own is called planned.
Plan planForThisMachine(const Plan& plan, const Device& device);

/// Keep-everything with the variants and micro-batches of `plan`: the reference of law 4.
Plan keepAllPlan(const Plan& plan, const Device& device);

} // namespace remat
