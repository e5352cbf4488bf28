// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <string>

#include "core/cost/device_traits.h"
#include "core/model/presets.h"
#include "core/plan/plan.h"
#include "core/program/lowering.h"
#include "core/run/local_plan.h"
#include "core/run/run_report.h"
#include "core/run/run_request.h"

namespace remat::testing {

/// A plan of a preset with batch 2, for a CPU with two threads unless told otherwise.
inline Plan samplePlan(const std::string& preset, Strategy::Kind kind, const Device& device = sizesOfThisCpu(2),
    std::int64_t batch = 2, double dropout = 0.1)
{
    const ModelShape shape = findPreset(preset).value();
    TrainingSetup setup;
    setup.batch = batch;
    setup.dropout = dropout;
    setup = withDefaults(shape, setup);
    const StepTape tape = buildStepTape(shape, setup, machineTraits(device));
    Plan plan = derivePlan(tape, device, keepSetsOf({kind}, tape, {}, {0}));
    plan.strategy = {kind};
    plan.proof.planClass = "fixed";
    return plan;
}

/// A report as a run of samplePlan("tiny-gpt2", Full) might give it; its prediction replays.
inline RunReport sampleReport()
{
    const Plan plan = samplePlan("tiny-gpt2", Strategy::Kind::Full);
    RunReport report;
    report.shape = plan.shape();
    report.setup = plan.setup();
    report.keep = plan.keep;
    report.strategy = "full";
    report.budget = Bytes{1 << 28};
    report.budgetEnforced = true;
    report.machine = "cpu, x86-64-v3, 2 threads";
    report.processor = "Example CPU";
    report.kernels = "x86-64-v3";
    report.threads = 2;
    report.seed = 5;
    const Bytes peak = plan.prediction.peak;
    report.peak = {peak, englishText(plan.prediction.peakAt), peak, peak, plan.prediction.base, peak + Bytes{4096},
        Bytes{9000000}};
    report.time = {{300}, {40}, {900}, {{310}, {300}, {290}}, Nanoseconds{280}};
    report.loss = {6.9, 6.8, std::log(static_cast<double>(report.shape.vocabulary))};
    report.reruns = {plan.prediction.reruns, plan.prediction.reruns, true, std::nullopt};
    const auto tensors = static_cast<std::int64_t>(plan.step->tape.parameters.size());
    report.gradients = GradientReport{false, true, tensors, "transformer.h.0.mlp.c_fc.weight"};
    report.timeline = {{{0}, plan.prediction.base, 0}, {{10}, peak, 1}};
    report.warnings = {"Something to know."};
    return report;
}

/// The same with times by op and by stage: from 100 us, no two alike; 5 ms of optimizer.
inline RunReport sampleReportWithTimes()
{
    RunReport report = sampleReport();
    const std::shared_ptr<const StepChain> step = samplePlan("tiny-gpt2", Strategy::Kind::Full).step;
    std::int64_t time = 100'000;
    for (const StageTape& kind : step->tape.kinds)
        for (const Op& op : kind.ops) {
            const std::int64_t runs = kind.kind == "block" ? 2 * 3 : 3; // two layers, three steps
            report.ops.push_back({kind.kind, op.name, {time}, {op.backwardBytes.value > 0 ? 2 * time : 0}, runs, runs});
            time += 1000;
        }
    for (std::size_t s = 0; s < step->tape.stages.size(); ++s) {
        report.stages.push_back({{++time}, {++time}, {++time}});
        report.predictedStages.push_back({{++time}, {++time}, {++time}});
    }
    report.time.optimizer = {5'000'000};
    report.time.predicted = Nanoseconds{10'000'000}; // the stages' times and an optimizer
    return report;
}

/// A report as a run of that plan on a GPU might give it: the pool counts 1 KiB more than was asked for, holds 4 KiB
/// more than the peak, and 100 B are left unexplained.
inline RunReport sampleGpuReport()
{
    const Device gpu = sizesOfGpu();
    const Plan plan = samplePlan("tiny-gpt2", Strategy::Kind::Full, gpu);
    const StepTape& tape = plan.step->tape;
    const Program program = lower(*plan.step, plan.schedule);
    RunReport report = sampleReport();
    report.machineKind = RunMachine::Cuda;
    report.machine = "NVIDIA Example";
    report.threads = 0;
    report.granule = gpu.granule;
    const Bytes peak = plan.prediction.peak;
    const PhaseBytes phases = phasePeaks(program, tape);
    PoolMemory pool;
    for (std::size_t i = 0; i < kStepPhases; ++i)
        pool.phases[i] = {phases[i] + Bytes{1024}, peak + Bytes{4096}};
    pool.isRepeated = true;
    pool.cap = Bytes{1 << 30};
    pool.processBefore = Bytes{300'000'000};
    pool.processAfter = peak + Bytes{4096} + Bytes{300'000'100};
    pool.freeShrank = peak + Bytes{8192};
    report.peak = {peak, englishText(plan.prediction.peakAt), peak, peak, plan.prediction.base, peak + Bytes{1024},
        std::nullopt, PeakParts(replayDry(program, tape).atPeak, tape.base), phases, phases, pool};
    return report;
}

} // namespace remat::testing
