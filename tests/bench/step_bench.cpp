// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// A gpt2 step (124M, batch 1, sequence 256, keep-all, AdamW included) on this CPU: the FLOPs of its products per second
// as a share of this machine's own rate for a large product with the same library and threads.  And the flat planner on
// BERT-large widened to 96 layers with its full option lists.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "core/base/units.h"
#include "core/cost/device_traits.h"
#include "core/model/presets.h"
#include "core/plan/flat_planner.h"
#include "core/plan/flat_schedule.h"
#include "core/run/this_machine.h"
#include "tests/support/run_step.h"

namespace {

using namespace remat;
using namespace remat::testing;

double seconds(Nanoseconds time)
{
    return static_cast<double>(time.value) / 1e9;
}

/// Rate of C[2048, 3072] = A[2048, 768] B[768, 3072], best of ten.
double gemmRate(int threads)
{
    const std::int64_t m = 2048, n = 3072, k = 768;
    const auto floats = [](std::int64_t count) {
        return static_cast<float*>(std::aligned_alloc(64, static_cast<std::size_t>(count) * 4));
    };
    float *a = floats(m * k), *b = floats(k * n), *c = floats(m * n);
    ThreadPool pool(threads);
    auto* scratch = reinterpret_cast<std::byte*>(floats(threads * kernels::kScratchBytesPerWorker / 4));
    const kernels::Workers workers{pool, scratch};
    const kernels::CpuKernels& cpu = kernels::bestCpuKernels();
    cpu.fillNormal(workers, {1, 1}, m * k, 1.0F, a);
    cpu.fillNormal(workers, {1, 2}, k * n, 1.0F, b);
    double best = 0;
    for (int i = 0; i < 10; ++i) {
        const Nanoseconds start = steadyClock();
        cpu.gemm(workers, {m, n, k}, a, b, nullptr, c, kernels::Store::Write);
        best = std::max(best, 2.0 * static_cast<double>(m * n * k) / seconds(steadyClock() - start));
    }
    for (void* block :
        {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(c), static_cast<void*>(scratch)})
        std::free(block);
    return best;
}

void benchStep()
{
    const int threads = usableThreads();
    const ModelShape shape = findPreset("gpt2").value();
    TrainingSetup setup;
    setup.batch = 1;
    setup.sequence = 256;
    setup.dropout = 0.0;
    const Device device = roundCpu(threads);
    const StepTape tape = buildStepTape(shape, setup, machineTraits(device));
    const StepChain step = buildFixedChain(tape, device, keepEverything(tape));
    const Program program = lower(step, flatSchedule(step.chain, std::vector<int>(step.chain.stages.size(), 0)));
    double flops = 0;
    for (int s = 0; s < static_cast<int>(tape.stages.size()); ++s)
        for (const Op& op : tape.tapeOf(s).ops)
            flops += static_cast<double>(op.forwardFlops.value + op.backwardFlops.value);
    CpuMachine machine({.threads = threads, .reusesBlocks = true});
    ExecutorOptions options;
    options.clock = steadyClock;
    auto executor = Executor::create(step.tape, program, machine, options);
    if (!executor)
        return;
    std::vector<double> times;
    for (int i = 0; i < 8; ++i)
        if (const auto seen = (*executor)->runStep(); seen && i > 0)
            times.push_back(seconds(seen->time));
    std::sort(times.begin(), times.end());
    const double rate = flops / times[times.size() / 2], large = gemmRate(threads);
    std::printf("gpt2 step, %d threads: %.1f GFLOP/s of products; large product %.1f GFLOP/s; share %.2f (aim 0.60)\n",
        threads, rate / 1e9, large / 1e9, rate / large);
}

void benchPlanner(double gapTarget, double limitMs, const char* name)
{
    ModelShape shape = findPreset("bert-large").value();
    shape.layers = 96;
    TrainingSetup setup;
    setup.batch = 8;
    setup.sequence = 512;
    const Device device = roundCpu(2);
    const StepChain step = buildStepChain(buildStepTape(shape, setup, machineTraits(device)), device, {});
    double best = 1e9, gap = 0;
    std::size_t points = 0;
    for (int i = 0; i < 5; ++i) {
        const Nanoseconds start = steadyClock();
        const auto frontier = FlatPlanner(step.chain, {.gapTarget = gapTarget}).solve();
        best = std::min(best, seconds(steadyClock() - start) * 1e3);
        points = frontier->points().size();
        gap = frontier->gap();
    }
    std::printf(
        "%s, bert-large x 96 layers, %zu options a block: %.1f ms, %zu points, gap %.4f %%; share of the limit %.2f\n",
        name, step.chain.stages[1].options.size(), best, points, gap * 100, best / limitMs);
}

} // namespace

int main()
{
    benchPlanner(0.0, 250.0, "exact frontier");
    benchPlanner(0.001, 60.0, "thinned frontier");
    benchStep();
}
