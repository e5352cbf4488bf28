// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/worker/assemble_report.h"

#include <cmath>

#include "core/base/format_units.h"
#include "core/program/lowering.h"
#include "core/run/kernels/kernels.h"
#include "core/run/local_plan.h"
#include "core/run/this_machine.h"

namespace remat::worker {

namespace {

RerunReport compareReruns(const Timeline& dry, const MemoryFound& found, const StepTape& tape)
{
    RerunReport report{dry.reruns, 0, true, std::nullopt};
    for (std::size_t s = 0; s < dry.rerunsOfOp.size(); ++s) {
        for (std::size_t op = 0; op < dry.rerunsOfOp[s].size(); ++op) {
            const bool isThere = s < found.forwardsOfOp.size() && op < found.forwardsOfOp[s].size();
            const int reruns = isThere ? found.forwardsOfOp[s][op] - 1 : -1;
            report.measured += reruns;
            if (reruns == dry.rerunsOfOp[s][op] || report.firstDifference)
                continue;
            report.isEqual = false;
            report.firstDifference = tape.stages[s].name + ": " + tape.tapeOf(static_cast<int>(s)).ops[op].name;
        }
    }
    return report;
}

GradientReport compareGradients(const GradientsFound& plan, const GradientsFound& keepAll)
{
    GradientReport report;
    report.tensors = static_cast<std::int64_t>(keepAll.hashes.size());
    report.lossBitEqual = plan.lossBits == keepAll.lossBits;
    for (std::size_t i = 0; i < keepAll.hashes.size() && !report.firstDifference; ++i)
        if (i >= plan.hashes.size() || plan.hashes[i] != keepAll.hashes[i])
            report.firstDifference = keepAll.hashes[i].first;
    report.bitEqual = report.lossBitEqual && !report.firstDifference && plan.hashes.size() == keepAll.hashes.size();
    return report;
}

std::vector<std::string> warningsOf(const RunRequest& request, const RunReport& report, const TimingFound& timing)
{
    std::vector<std::string> warnings;
    const Plan& plan = request.plan;
    if (report.peak.tracked != report.peak.predicted)
        warnings.push_back("The tracked peak differs from the predicted one by "
            + std::to_string(report.peak.tracked.value - report.peak.predicted.value)
            + " bytes; this is a defect of the program.");
    if (timing.tracked != report.peak.tracked)
        warnings.emplace_back(
            "The timing pass used other memory than the memory pass; this is a defect of the program.");
    if (!report.reruns.isEqual)
        warnings.push_back("Ops ran again otherwise than predicted, first " + report.reruns.firstDifference.value_or("")
            + "; this is a defect of the program.");
    if (!report.peak.system)
        warnings.emplace_back("The system does not tell the peak of a process's resident memory.");
    if (report.peak.pool && report.peak.pool->peak().used != report.peak.tracked)
        warnings.push_back("The GPU's memory pool counts "
            + std::to_string((report.peak.pool->peak().used - report.peak.tracked).value)
            + " bytes more in use than were asked for: it rounds to another granule than " + formatBytes(report.granule)
            + ".");
    if (report.peak.pool && !report.peak.pool->isRepeated)
        warnings.emplace_back("A second step had another peak in the GPU's memory pool than the first.");
    const bool isOnGpu = runsGpuKernels(request.machine);
    if (isOnGpu ? plan.device.kind != DeviceKind::Cuda : !isThisCpu(plan.device))
        warnings.push_back("The plan was made for the device " + plan.device.name + "; it ran on "
            + (isOnGpu ? report.machine : "this CPU") + ", whose granule and workspace differ.");
    else if (request.machine == RunMachine::Cuda && !predictsTime(request))
        warnings.push_back("The plan's times are of the device " + plan.device.title + "; it ran on " + report.machine
            + ", for which no time was predicted.");
    if (!plan.fits())
        warnings.push_back("The plan itself needs more than its budget of " + formatBytes(*plan.budget) + ".");
    if (request.checksGradients && !report.gradients)
        warnings.emplace_back(
            "Gradients were not compared: keeping everything needs more memory than this machine can give.");
    return warnings;
}

} // namespace

RunReport assembleReport(const RunRequest& request, const PassFindings& findings)
{
    const Device device = deviceOf(request);
    const Plan plan = planForThisMachine(request.plan, device);
    const StepTape& tape = plan.step->tape;
    const Program program = lower(*plan.step, plan.schedule);
    const Timeline dry = replayDry(program, tape);
    const auto& [memory, timing, gradients, keepAll] = findings;

    RunReport report;
    report.shape = plan.shape();
    report.setup = plan.setup();
    report.keep = plan.keep;
    report.schedule = plan.ownOrder();
    report.strategy = toName(plan.strategy);
    report.budget = plan.budget;
    report.budgetEnforced = request.enforcesBudget && plan.budget.has_value();
    report.machineKind = request.machine;
    report.machine = timing.machine;
    report.processor = processorName();
    if (request.machine == RunMachine::Cpu)
        report.kernels = kernels::bestCpuKernels().name();
    report.threads = device.threads; // 0 of a GPU
    report.granule = tape.traits.granule;
    report.seed = request.seed;
    report.peak = {plan.prediction.peak, englishText(plan.prediction.peakAt), request.plan.prediction.peak,
        memory.tracked, tape.base.total(), memory.system, memory.systemBefore, PeakParts(dry.atPeak, tape.base),
        phasePeaks(program, tape), memory.phases, memory.pool};
    report.time = {median(timing.steps), median(timing.optimizer), timing.warmUp, timing.steps, std::nullopt};
    report.ops = timing.ops;
    report.stages = timing.stages;
    if (predictsTime(request)) {
        report.time.predicted = plan.prediction.stepTime(plan.setup());
        report.predictedStages = stageTimes(tape, program);
    }
    if (!timing.losses.empty())
        report.loss
            = {timing.losses.front(), timing.losses.back(), std::log(static_cast<double>(plan.shape().vocabulary))};
    report.reruns = compareReruns(dry, memory, tape);
    if (gradients && keepAll)
        report.gradients = compareGradients(*gradients, *keepAll);
    report.timeline = decimate(timing.timeline);
    report.warnings = warningsOf(request, report, timing);
    return report;
}

} // namespace remat::worker
