// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// A gpt2 step (124M, batch 1, sequence 256, keep-all, AdamW included) on this CPU: the FLOPs of its products per second
// as a share of this machine's own rate for a large product with the same library and threads.  The overhead of four
// plans as measured beside the one predicted with costs that a profile of the same step measured.  And the flat planner
// on BERT-large widened to 96 layers with its full option lists.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "core/base/units.h"
#include "core/cost/device_traits.h"
#include "core/model/presets.h"
#include "core/plan/flat_planner.h"
#include "core/plan/flat_schedule.h"
#include "core/plan/study.h"
#include "core/run/cpu_profile.h"
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

/// A plan's step that can be run again and again.
class PlanRunner {
public:
    PlanRunner(const Plan& plan, int threads)
        : m_plan(plan),
          m_program(lower(*plan.step, plan.schedule)),
          m_cpu({.threads = threads, .reusesBlocks = true}),
          m_machine(m_cpu, steadyClock)
    {
        ExecutorOptions options;
        options.clock = steadyClock;
        m_executor = *Executor::create(m_plan.step->tape, m_program, m_machine, options);
        run();
        m_machine.reset(); // the first step pays for page faults
        m_steps.clear();
        m_optimizer.clear();
    }

    void run()
    {
        const StepObservation seen = (*m_executor).runStep().value();
        m_steps.push_back(seen.time);
        m_optimizer.push_back(seen.optimizerTime);
    }

    const Plan& plan() const { return m_plan; }
    const std::vector<Nanoseconds>& steps() const { return m_steps; }

    /// What a report of these steps says of times.
    RunReport report(int threads)
    {
        RunReport report;
        report.shape = m_plan.shape();
        report.setup = m_plan.setup();
        report.threads = threads;
        report.ops = opTimesOf(m_plan.step->tape, m_machine);
        report.time.optimizer = median(m_optimizer);
        return report;
    }

private:
    Plan m_plan;
    Program m_program;
    CpuMachine m_cpu;
    OpClock m_machine;
    std::unique_ptr<Executor> m_executor;
    std::vector<Nanoseconds> m_steps, m_optimizer;
};

/// What `steps` take above `base`, as a share: the median over rounds in which both ran.
double measuredOverhead(const std::vector<Nanoseconds>& steps, const std::vector<Nanoseconds>& base)
{
    std::vector<double> shares;
    for (std::size_t i = 0; i < base.size(); ++i)
        shares.push_back(ratio(steps[i], base[i]) - 1);
    std::nth_element(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2), shares.end());
    return shares[shares.size() / 2];
}

/// The overhead of full, FFN-only, attention-only and optimal plans of a small GPT-2: predicted with the costs that a
/// profile of keep-everything measured, and measured as the difference of whole steps.  The profile and the plans take
/// turns, so that a machine that slows down slows all of them.
void benchOverhead()
{
    constexpr int kRounds = 7;
    constexpr double kBar = 0.10;
    const int threads = usableThreads();
    ModelShape shape = findPreset("gpt2").value();
    shape.layers = 6;
    shape.hidden = 512;
    shape.heads = 8;
    shape.ffn = 2048;
    shape.vocabulary = 8192;
    TrainingSetup setup;
    setup.batch = 4;
    setup.sequence = 256;
    setup = withDefaults(shape, setup);
    const Device rough = roundCpu(threads);
    const auto profiled = [&](PlanRunner& runner) {
        CpuMeasurement base;
        base.launchOverhead = rough.launchOverhead;
        return cpuDevice(profiledCosts(runner.report(threads), base), rough.memory);
    };
    const StepTape tape = buildStepTape(shape, setup, machineTraits(rough));
    PlanRunner keepAll(fixedPlan(tape, rough, {Strategy::Kind::None}, {}, std::nullopt).value(), threads);
    keepAll.run();
    // A tight budget, so that the optimal plan has to make something again.
    const Study study = Study::solve({shape, setup, profiled(keepAll), {}}).value();
    const Bytes budget{study.leastPeak().value + (study.keepAllPeak().value - study.leastPeak().value) / 8};
    std::vector<std::unique_ptr<PlanRunner>> runners;
    for (const Strategy::Kind kind :
        {Strategy::Kind::Full, Strategy::Kind::FfnOnly, Strategy::Kind::AttentionOnly, Strategy::Kind::Optimal})
        runners.push_back(std::make_unique<PlanRunner>(study.plan({kind}, budget).value(), threads));
    for (int i = 0; i < kRounds; ++i) {
        keepAll.run();
        for (const auto& runner : runners)
            runner->run();
    }
    const Device measured = profiled(keepAll);
    const std::vector<Nanoseconds> base(keepAll.steps().end() - kRounds, keepAll.steps().end());
    const Plan predicted = derivePlan(tape, measured, keepAll.plan().keep);
    std::printf("gpt2 of 6 layers of width 512, %d threads: keep-everything measured %.1f ms, predicted %.1f ms\n",
        threads, seconds(median(base)) * 1e3, seconds(predicted.prediction.stepTime(setup)) * 1e3);
    for (const auto& runner : runners) {
        const double expected = derivePlan(tape, measured, runner->plan().keep).extraTime();
        const double found = measuredOverhead(runner->steps(), base);
        std::printf("  %s: overhead predicted %.1f %%, measured %.1f %% of a step; share of the bar of 10 %%: %.2f\n",
            toName(runner->plan().strategy).c_str(), expected * 100, found * 100, std::abs(expected - found) / kBar);
    }
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
    benchOverhead();
}
