// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/cpu_calibration.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/clock.h"
#include "core/program/lowering.h"
#include "core/run/cpu_machine.h"
#include "core/run/executor.h"
#include "core/run/local_plan.h"
#include "core/run/op_clock.h"
#include "core/run/process_memory.h"
#include "core/run/this_machine.h"

namespace remat {

namespace {

/// One layer as wide as GPT-2 with a small vocabulary, so that all classes weigh enough to be timed.
ModelShape sampleShape()
{
    ModelShape shape;
    shape.name = "calibration";
    shape.modelType = "gpt2";
    shape.layers = 1;
    shape.hidden = 768;
    shape.heads = 12;
    shape.ffn = 3072;
    shape.vocabulary = 4096;
    shape.maxPositions = 256;
    shape.activation = Activation::GeluTanh;
    shape.dropout = {0.1, 0.1, 0.1};
    return shape;
}

TrainingSetup sampleSetup(AttentionKind attention)
{
    TrainingSetup setup;
    // The second pass is there for its attention alone.
    setup.batch = attention == AttentionKind::Blocked ? 2 : 1;
    setup.sequence = 256;
    setup.attention = attention;
    return setup;
}

/// Ops so small that their work does not count.
ModelShape tinyShape()
{
    ModelShape shape = sampleShape();
    shape.hidden = 16;
    shape.heads = 1;
    shape.ffn = 16;
    shape.vocabulary = 16;
    return shape;
}

/// Times the second step of keep-everything; the first pays for page faults.
void timeStep(const ModelShape& shape, const TrainingSetup& setup, OpClock& machine)
{
    const StepTape tape = buildStepTape(shape, setup, machine.traits());
    const Device device = sizesOfThisCpu(1);
    const Plan plan = derivePlan(tape, device, keepSetsOf({Strategy::Kind::None}, tape, {}, {0}));
    const Program program = lower(*plan.step, plan.schedule);
    ExecutorOptions options;
    options.clock = steadyClock;
    // A step that cannot allocate some megabytes leaves its rates unmeasured, which limits nothing.
    auto executor = Executor::create(plan.step->tape, program, machine, options);
    if (!executor || !(*executor)->runStep())
        return;
    machine.reset();
    if (!(*executor)->runStep())
        machine.reset();
}

void takeRates(OpClock& clock, CpuMeasurement& measurement)
{
    for (std::size_t i = 0; i < kOpClassCount; ++i) {
        const auto opClass = static_cast<OpClass>(i);
        const ClassTime& sum = clock.timeOf(opClass);
        MeasuredRate& rate = measurement.rateOf(opClass);
        if (sum.time.value <= 0 || rate != MeasuredRate{})
            continue;
        const double seconds = static_cast<double>(sum.time.value) * 1e-9;
        if (isProductClass(opClass))
            rate.flopsPerSecond = static_cast<double>(sum.flops.value) / seconds;
        else
            rate.bytesPerSecond = static_cast<double>(sum.bytes.value) / seconds;
    }
}

} // namespace

CpuMeasurement measureCpu(int threads)
{
    CpuMeasurement measurement;
    measurement.processor = processorName();
    measurement.threads = threads;
    measurement.kernels = kernels::bestCpuKernels().name();
    CpuMachineOptions options;
    options.threads = threads;
    options.reusesBlocks = true;
    CpuMachine machine(options);
    OpClock clock(machine, steadyClock);
    TrainingSetup tinySetup = sampleSetup(AttentionKind::Blocked);
    tinySetup.batch = 1;
    tinySetup.sequence = 4;
    timeStep(tinyShape(), tinySetup, clock);
    ClassTime all;
    for (std::size_t i = 0; i < kOpClassCount; ++i) {
        all.time += clock.timeOf(static_cast<OpClass>(i)).time;
        all.ops += clock.timeOf(static_cast<OpClass>(i)).ops;
    }
    if (all.ops > 0)
        measurement.launchOverhead = {all.time.value / all.ops};
    for (const AttentionKind attention : {AttentionKind::Blocked, AttentionKind::Stored}) {
        clock.reset();
        timeStep(sampleShape(), sampleSetup(attention), clock);
        takeRates(clock, measurement);
    }
    return measurement;
}

CpuMeasurement thisCpu(
    const std::string& cacheFolder, int threads, const std::function<CpuMeasurement(int threads)>& measure)
{
    const int all = usableThreads();
    if (threads == 0)
        threads = all;
    const std::string path = thisCpuCostsPath(cacheFolder, threads == all ? 0 : threads);
    if (!cacheFolder.empty()) {
        const Result<CpuMeasurement> kept = readCosts(path);
        if (kept && kept->processor == processorName() && kept->threads == threads
            && kept->kernels == kernels::bestCpuKernels().name())
            return *kept;
    }
    CpuMeasurement measurement = measure(threads);
    if (!cacheFolder.empty())
        (void)writeCosts(path, measurement);
    return measurement;
}

Device thisCpuDevice(
    const std::string& cacheFolder, int threads, const std::function<CpuMeasurement(int threads)>& measure)
{
    return cpuDevice(thisCpu(cacheFolder, threads, measure), std::max(Bytes{1}, installedMemory().value_or(Bytes{1})));
}

} // namespace remat
