// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/program/timeline.h"
#include "core/run/executor.h"
#include "core/run/pool_memory.h"
#include "core/run/run_times.h"

namespace remat {

/// Where in the step an allocation failed.
struct RefusedAt {
    std::string phase; ///< "preparation", "forward", "recomputation", "backward"
    std::string op;    ///< that the bytes were for, "layer 3: ffn_up"; empty in the preparation
};

/// What a pass tells while it runs.
struct PassWatch {
    std::stop_token stop;
    /// Step i, the share of it that is done, and the op that runs ("layer 3: ffn_up backward").
    std::function<void(std::int64_t, double, const std::string&)> onProgress;
    /// An allocation failed, and nothing has been unwound yet.
    std::function<void(const Refusal&, const RefusedAt&)> onRefused;
};

struct PassSetup {
    Plan plan; ///< of this machine: planForThisMachine()
    std::uint64_t seed = 1;
    int threads = 1;
    std::optional<Bytes> budget; ///< enforced by the executor where given; a GPU's pool enforces its own cap
};

/// What the memory pass found.
struct MemoryFound {
    Bytes tracked;
    std::optional<Bytes> system, systemBefore; ///< absent where the system does not tell
    std::vector<std::vector<int>> forwardsOfOp;
    PhaseBytes phases{};            ///< tracked, of each phase
    std::optional<PoolMemory> pool; ///< of a GPU, whose `system` is the pool's bytes in use
};

/// One step, measured by the kernel's count of resident memory.
///
/// Every block is its own mapping from 128 KiB up and is written when it is allocated, so that resident memory follows
/// what is live.  Kernels and threads have worked before the baseline is read; VmHWM is then reset, the executor
/// allocates everything that the step stands on, and one step runs:  system = VmHWM - VmRSS before.
/// Precondition: configureAllocator(1) at the start of a fresh process that does nothing else.
Result<MemoryFound> runMemoryPass(const PassSetup& setup, const PassWatch& watch);

struct TimingFound {
    std::string machine; ///< "cpu, x86-64-v3, 2 threads"
    Bytes tracked;
    Nanoseconds warmUp;
    std::vector<Nanoseconds> steps, optimizer;
    std::vector<OpTime> ops;             ///< of every kind of stage
    std::vector<StageTime> stages;       ///< of each stage, in a step's last micro-batch
    std::vector<double> losses;          ///< of all steps, the warm-up first
    std::vector<TimelinePoint> timeline; ///< of the last step
};

/// A step that warms up and `steps` more, with released blocks reused as long as the process stays within `mostHeld`;
/// each op is timed too (core/run/op_clock.h).
Result<TimingFound> runTimingPass(const PassSetup& setup, std::int64_t steps, Bytes mostHeld, const PassWatch& watch);

/// The same on any machine.  `isAsynchronous`: ops are under way when their calls return, so that only the stopwatch
/// knows when they ran; steps are timed by the host's clock, which waits for their end.
Result<TimingFound> timeSteps(
    const PassSetup& setup, OpClock& clock, bool isAsynchronous, std::int64_t steps, const PassWatch& watch);

struct GradientsFound {
    std::uint64_t lossBits = 0;
    std::vector<std::pair<std::string, std::uint64_t>> hashes; ///< of every weight's gradient, by name
};

/// One step whose gradients are hashed.  `poisons`: what is allocated or dropped is filled with NaN, so that reading a
/// value that was not recomputed cannot go unseen.
Result<GradientsFound> runGradientPass(const PassSetup& setup, bool poisons, const PassWatch& watch);
/// The same on any machine.
Result<GradientsFound> hashGradients(const PassSetup& setup, Machine& machine, const PassWatch& watch);

} // namespace remat
