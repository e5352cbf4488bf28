// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/program/program.h"
#include "core/program/step_phase.h"
#include "core/run/machine.h"

namespace remat {

/// What was seen while a step ran.
struct ObservedPoint {
    Nanoseconds time; ///< since the step began
    Bytes live;       ///< tracked, with base
    int instruction = 0;
};

struct StepObservation {
    Bytes peak;              ///< tracked: every allocation counted, base included
    PhaseBytes phasePeaks{}; ///< the same of each phase, over all micro-batches
    int peakInstruction = 0;
    double loss = 0.0; ///< mean over micro-batches
    Nanoseconds time;  ///< whole step, optimizer included
    Nanoseconds optimizerTime;
    std::vector<std::vector<int>> forwardsOfOp; ///< of each stage and op: how often its forward ran in a micro-batch
    std::vector<ObservedPoint> points;          ///< of the last micro-batch, when asked for
};

/// An allocation that failed, told before anything is unwound.
struct Refusal {
    const Error& error;
    Bytes requested, live; ///< asked for, and in use then
    int instruction = -1;  ///< of the program; -1: what is resident for the whole step
};

/// The error of a step whose stop token was used.
inline constexpr MessageCode kRunStopped{
    "run-stopped", REMAT_TR("The run was stopped."), REMAT_TR("Start it again when you like."), ExitCode::DeviceError};

struct ExecutorOptions {
    std::uint64_t seed = 1;
    std::optional<Bytes> budget; ///< an allocation beyond it fails as on a card of that size
    bool recordsPoints = false;
    std::function<Nanoseconds()> clock; ///< monotonic; tests inject their own
    std::stop_token stop;
    /// Called for every weight after the last backward, before the optimizer step, with the gradient's numbers in the
    /// storage type of the step.
    std::function<void(const Parameter&, std::span<const std::byte>)> onGradient;
    /// Called when an allocation fails.
    std::function<void(const Refusal&)> onRefused;
    /// Called when a phase begins, before its first instruction; the optimizer's once, the others' each micro-batch.
    std::function<void(StepPhase)> onPhase;
    /// Called before each op: instruction index of all.
    std::function<void(int, int)> onProgress;
};

/// Runs a program on a machine and counts every byte that it asks for.
///
/// Construction allocates what is resident for the whole step and fills it; each runStep() trains one step on fresh
/// random tokens.  Gradients and loss depend on (model, setup, seed, step) alone, not on the plan (law 4).
class Executor {
public:
    static Result<std::unique_ptr<Executor>> create(
        const StepTape& tape, const Program& program, Machine& machine, ExecutorOptions options);
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    /// Errors: out of memory with the op and the bytes (exit 10), stopped, what the machine's finish() says.
    Result<StepObservation> runStep();

private:
    Executor(const StepTape& tape, const Program& program, Machine& machine, ExecutorOptions options);
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace remat
