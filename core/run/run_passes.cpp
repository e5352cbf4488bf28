// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_passes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "core/base/clock.h"
#include "core/program/lowering.h"
#include "core/run/cpu_machine.h"
#include "core/run/executor.h"
#include "core/run/op_clock.h"
#include "core/run/pass.h"
#include "core/run/process_memory.h"

namespace remat {

namespace {

constexpr MessageCode kNoMoments{"machine-tells-no-times",
    REMAT_TR("The machine did not tell when its operations ran."),
    REMAT_TR("Run again; if it fails again, check the driver and the card (nvidia-smi -q)."), ExitCode::DeviceError};

std::size_t opsOf(const Program& program)
{
    return static_cast<std::size_t>(std::count_if(program.instructions.begin(), program.instructions.end(),
        [](const Instruction& step) { return step.op >= 0; }));
}

/// A step of a tiny model of the same kind: afterwards the kernels' code is in memory and every thread has a stack.
Result<void> exerciseKernels(const Plan& plan, CpuMachine& machine)
{
    ModelShape shape = plan.shape();
    shape.layers = 1;
    shape.hidden = 64;
    shape.heads = 2;
    shape.keyValueHeads = std::min<std::int64_t>(shape.keyValueHeads, 1);
    shape.ownHeadWidth = 0;
    shape.ffn = 128;
    shape.vocabulary = 256;
    shape.maxPositions = 64;
    TrainingSetup setup = plan.setup();
    setup.batch = 1;
    setup.sequence = 64;
    setup.headChunks = std::min<std::int64_t>(setup.headChunks, 4);
    const StepTape tape = buildStepTape(shape, setup, machine.traits());
    const Plan tiny = derivePlan(tape, plan.device, keepSetsOf({Strategy::Kind::None}, tape, {}, {0}));
    const Program program = lower(*tiny.step, tiny.schedule);
    ExecutorOptions options;
    options.clock = steadyClock;
    auto executor = Executor::create(tiny.step->tape, program, machine, options);
    if (!executor)
        return executor.error();
    if (auto ran = (*executor)->runStep(); !ran)
        return ran.error();
    return {};
}

void returnFreeMemory()
{
#if defined(__GLIBC__)
    ::malloc_trim(0);
#endif
}

/// A 64-bit hash, 32 bits at a time: multiply and fold, as in MurmurHash2's 64-bit body.
std::uint64_t hashOf(std::span<const std::byte> bytes)
{
    constexpr std::uint64_t kMultiplier = 0xc6a4a7935bd1e995ULL;
    std::uint64_t hash = bytes.size() * kMultiplier;
    while (!bytes.empty()) {
        std::uint32_t word = 0;
        const std::span<const std::byte> taken = bytes.first(std::min(bytes.size(), sizeof word));
        std::memcpy(&word, taken.data(), taken.size());
        bytes = bytes.subspan(taken.size());
        hash = (hash ^ word) * kMultiplier;
        hash ^= hash >> 47;
    }
    return hash;
}

} // namespace

Result<MemoryFound> runMemoryPass(const PassSetup& setup, const PassWatch& watch)
{
    CpuMachineOptions machineOptions;
    machineOptions.threads = setup.threads;
    machineOptions.room = [] { return controlGroupRoom(FileCache::All); };
    machineOptions.touchesBlocks = true;
    CpuMachine machine(machineOptions);
    if (auto exercised = exerciseKernels(setup.plan, machine); !exercised)
        return exercised.error();
    Pass pass(setup, watch);
    returnFreeMemory();
    const bool isReset = resetPeakResident();
    const std::optional<ProcessMemory> before = readProcessMemory();
    auto executor = Executor::create(pass.tape(), pass.program(), machine, pass.options());
    if (!executor)
        return executor.error();
    Result<StepObservation> seen = (*executor)->runStep();
    if (!seen)
        return seen.error();
    const std::optional<ProcessMemory> after = readProcessMemory();
    MemoryFound found{
        seen->peak, std::nullopt, std::nullopt, std::move(seen->forwardsOfOp), seen->phasePeaks, std::nullopt};
    if (isReset && before && after) {
        found.system = after->peakResident - before->resident;
        found.systemBefore = before->resident;
    }
    return found;
}

Result<TimingFound> runTimingPass(const PassSetup& setup, std::int64_t steps, Bytes mostHeld, const PassWatch& watch)
{
    CpuMachineOptions machineOptions;
    machineOptions.threads = setup.threads;
    machineOptions.room = [] { return controlGroupRoom(FileCache::All); };
    machineOptions.reusesBlocks = true;
    machineOptions.mostHeld = mostHeld;
    CpuMachine cpu(machineOptions);
    OpClock clock(cpu, steadyClock);
    return timeSteps(setup, clock, false, steps, watch);
}

Result<TimingFound> timeSteps(
    const PassSetup& setup, OpClock& clock, bool isAsynchronous, std::int64_t steps, const PassWatch& watch)
{
    Pass pass(setup, watch);
    ExecutorOptions options = pass.options();
    options.recordsPoints = true;
    auto executor = Executor::create(pass.tape(), pass.program(), clock, options);
    if (!executor)
        return executor.error();
    TimingFound found;
    found.machine = clock.name();
    std::vector<std::vector<StageTime>> stages;
    for (std::int64_t i = 0; i <= steps; ++i) {
        pass.beginStep(i);
        Result<StepObservation> seen = (*executor)->runStep();
        if (!seen)
            return seen.error();
        const std::vector<OpMoment> moments = clock.takeMoments();
        if (isAsynchronous) {
            if (moments.size() < opsOf(pass.program()))
                return Error{&kNoMoments, "", {}};
            putOnOpClock(pass.program(), moments, seen->points);
        }
        found.tracked = std::max(found.tracked, seen->peak);
        found.losses.push_back(seen->loss);
        if (i == 0) {
            found.warmUp = seen->time;
            clock.reset();
            continue;
        }
        found.steps.push_back(seen->time);
        found.optimizer.push_back(seen->optimizerTime);
        stages.push_back(stageTimes(pass.tape(), pass.program(), seen->points));
        if (i == steps)
            for (const ObservedPoint& point : seen->points)
                found.timeline.push_back({point.time, point.live, point.instruction});
    }
    found.ops = opTimesOf(pass.tape(), clock);
    found.stages = medianTimes(stages);
    return found;
}

Result<GradientsFound> runGradientPass(const PassSetup& setup, bool poisons, const PassWatch& watch)
{
    CpuMachineOptions machineOptions;
    machineOptions.threads = setup.threads;
    machineOptions.room = [] { return controlGroupRoom(FileCache::All); };
    machineOptions.poisonsBlocks = poisons;
    CpuMachine machine(machineOptions);
    return hashGradients(setup, machine, watch);
}

Result<GradientsFound> hashGradients(const PassSetup& setup, Machine& machine, const PassWatch& watch)
{
    Pass pass(setup, watch);
    GradientsFound found;
    ExecutorOptions options = pass.options();
    options.onGradient = [&](const Parameter& parameter, std::span<const std::byte> gradient) {
        found.hashes.emplace_back(parameter.name, hashOf(gradient));
    };
    auto executor = Executor::create(pass.tape(), pass.program(), machine, options);
    if (!executor)
        return executor.error();
    const Result<StepObservation> seen = (*executor)->runStep();
    if (!seen)
        return seen.error();
    found.lossBits = std::bit_cast<std::uint64_t>(seen->loss);
    return found;
}

} // namespace remat
