// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/machine/gpu_passes.h"

#include <algorithm>
#include <stdexcept>

#include "core/run/pass.h"
#include "cuda/machine/cuda_machine.h"

namespace remat::cuda {

namespace {

constexpr MessageCode kNoFigures{"gpu-tells-no-memory", REMAT_TR("The GPU's memory figures cannot be read: {0}."),
    REMAT_TR("Run again; if it fails again, check the driver and the card (nvidia-smi -q)."), ExitCode::DeviceError};

/// The GPU's moments for an OpClock.  A GPU that broke down notes nothing more; the machine's finish() says why.
class GpuStopwatch : public Stopwatch {
public:
    explicit GpuStopwatch(Gpu& gpu) : m_gpu(gpu) { }

    void stamp() override
    {
        attempt([&] { m_gpu.stamp(); });
    }
    std::vector<Nanoseconds> take() override
    {
        std::vector<Nanoseconds> moments;
        attempt([&] { moments = m_gpu.takeStamps(); });
        return moments;
    }

private:
    template <class Work> void attempt(const Work& work)
    {
        if (m_isBroken)
            return;
        try {
            work();
        } catch (const std::runtime_error&) {
            m_isBroken = true;
        }
    }

    Gpu& m_gpu;
    bool m_isBroken = false;
};

/// The pool's marks of each phase of a step, of all micro-batches.
class PhaseMarks {
public:
    explicit PhaseMarks(Gpu& gpu) : m_gpu(gpu) { }

    /// A step begins with begin(), goes from phase to phase, and ends with end().
    void begin() { m_marks = {}; }
    void enter(StepPhase phase)
    {
        end();
        m_gpu.resetPeak();
        m_phase = phase;
    }
    void end()
    {
        if (!m_phase)
            return;
        PoolPeak& most = m_marks[static_cast<std::size_t>(*m_phase)];
        const PoolPeak now = m_gpu.peak();
        most = {std::max(most.used, now.used), std::max(most.reserved, now.reserved)};
        m_phase.reset();
    }
    const std::array<PoolPeak, kStepPhases>& marks() const { return m_marks; }

private:
    Gpu& m_gpu;
    std::optional<StepPhase> m_phase;
    std::array<PoolPeak, kStepPhases> m_marks{};
};

bool areInUseAlike(const std::array<PoolPeak, kStepPhases>& a, const std::array<PoolPeak, kStepPhases>& b)
{
    return std::equal(
        a.begin(), a.end(), b.begin(), [](const PoolPeak& x, const PoolPeak& y) { return x.used == y.used; });
}

Result<MemoryFound> measureMemory(Gpu& gpu, const PassSetup& setup, const PassWatch& watch)
{
    CudaMachine machine(gpu, {});
    Pass pass(setup, watch);
    PhaseMarks marks(gpu);
    bool isMeasured = false;
    ExecutorOptions options = pass.options();
    options.onPhase = [&](StepPhase phase) {
        if (isMeasured)
            marks.enter(phase);
    };
    const DriverMemory before = gpu.driverMemory();
    auto executor = Executor::create(pass.tape(), pass.program(), machine, options);
    if (!executor)
        return executor.error();
    const auto step = [&] {
        marks.begin();
        Result<StepObservation> seen = (*executor)->runStep();
        if (seen)
            marks.end();
        return seen;
    };
    if (auto warmedUp = step(); !warmedUp)
        return warmedUp.error();
    isMeasured = true;
    Result<StepObservation> seen = step();
    if (!seen)
        return seen.error();
    PoolMemory pool{marks.marks()};
    if (auto again = step(); !again)
        return again.error();
    pool.isRepeated = areInUseAlike(pool.phases, marks.marks());
    const DriverMemory after = gpu.driverMemory();
    pool.processBefore = before.process;
    pool.processAfter = after.process;
    // Another program may have freed more than this one took.
    if (before.free && after.free && *before.free >= *after.free)
        pool.freeShrank = *before.free - *after.free;
    MemoryFound found{
        seen->peak, pool.peak().used, std::nullopt, std::move(seen->forwardsOfOp), seen->phasePeaks, pool};
    return found;
}

} // namespace

Result<MemoryFound> runMemoryPass(Gpu& gpu, const PassSetup& setup, const PassWatch& watch)
{
    try {
        return measureMemory(gpu, setup, watch);
    } catch (const std::runtime_error& failure) {
        return Error{&kNoFigures, "", {std::string(failure.what())}};
    }
}

Result<TimingFound> runTimingPass(Gpu& gpu, const PassSetup& setup, std::int64_t steps, const PassWatch& watch)
{
    CudaMachine machine(gpu, {});
    GpuStopwatch stopwatch(gpu);
    OpClock clock(machine, stopwatch);
    return timeSteps(setup, clock, true, steps, watch);
}

Result<GradientsFound> runGradientPass(Gpu& gpu, const PassSetup& setup, bool poisons, const PassWatch& watch)
{
    CudaMachine machine(gpu, {.poisonsBlocks = poisons});
    return hashGradients(setup, machine, watch);
}

} // namespace remat::cuda
