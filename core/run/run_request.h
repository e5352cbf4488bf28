// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/run/run_machine.h"

namespace remat {

inline constexpr std::int64_t kMostSteps = 10'000;
inline constexpr std::int64_t kMostThreads = 64;

/// What a run is asked to do: the plan and how to measure it.  It travels to the worker as one line of JSON:
///
///   {"format": "remat-run-request", "version": 1, "plan": {remat-plan}, "steps": 3, "seed": 1, "threads": 2,
///    "check_gradients": true, "enforce_budget": false, "memory_limit_bytes": null, "device": {...} or null,
///    "ends_with_stdin": true, "machine": "cpu"}
struct RunRequest {
    Plan plan;
    RunMachine machine = RunMachine::Cpu;
    std::int64_t steps = 3;   ///< measured steps of the timing pass; one more warms up
    std::uint64_t seed = 1;   ///< of weights, tokens and dropout
    std::int64_t threads = 0; ///< 0: usableThreads() of the machine that runs
    bool checksGradients = false;
    bool enforcesBudget = false;       ///< an allocation beyond the plan's budget fails as on a card of that size
    std::optional<Bytes> memoryLimit;  ///< never use more than this, whatever the machine has
    std::optional<Device> device;      ///< what times are predicted with: this CPU as measured, or the very GPU
    bool endsWithStandardInput = true; ///< the run stops when whoever asked for it closes the pipe or dies
};

/// The request as one line, without the line's end.
std::string requestLine(const RunRequest& request);

/// Errors: what is wrong with the request itself has exit code 2 (usage); what is wrong with the plan inside it, and a
/// plan that this machine cannot run (profile, precision), has exit code 3.
Result<RunRequest> parseRunRequest(std::string_view line, const std::string& where);

/// Whether a machine can run a plan at all: runtime profile, on the CPU fp32.  Errors: exit code 3.
Result<void> checkRunnable(const Plan& plan, RunMachine machine);

} // namespace remat
