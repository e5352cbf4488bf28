// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <nlohmann/json.hpp>

#include "app/cli/real_run.h"
#include "app/cli/this_cpu.h"
#include "app/cli/verbs.h"
#include "core/base/files.h"
#include "core/base/format_units.h"
#include "core/export/table.h"
#include "core/plan/plan_file.h"
#include "core/regions/region_plan_file.h"
#include "core/run/local_plan.h"
#include "core/run/phase_times.h"

namespace remat::cli {

namespace {

constexpr MessageCode kRunsInPytorch{"run-in-pytorch",
    REMAT_TR(
        "A plan of the profile pytorch runs in PyTorch; this program's executor runs plans of the profile runtime."),
    REMAT_TR("Put it into your training with \"remat export --to pytorch\", or plan with --profile runtime.")};

/// Predicted beside measured; what a report does not tell is left out.
Table phaseTable(const PhaseTimes& measured, const std::optional<PhaseTimes>& predicted)
{
    Table table{{"phase", "predicted", "measured"}, {}};
    const auto add = [&](const char* name, Nanoseconds PhaseTimes::*part) {
        table.rows.push_back(
            {name, predicted ? formatDuration((*predicted).*part) : "", formatDuration(measured.*part)});
    };
    add("forward", &PhaseTimes::forward);
    add("loss", &PhaseTimes::loss);
    add("made again", &PhaseTimes::rerun);
    add("backward", &PhaseTimes::backward);
    add("optimizer", &PhaseTimes::optimizer);
    return table;
}

/// Predicted and tracked peak of each phase, and what a GPU's pool counted.
Table memoryTable(const PeakReport& peak)
{
    Table table{{"phase", "predicted", "tracked"}, {}};
    if (peak.pool)
        table.columns.insert(table.columns.end(), {"pool in use", "pool reserved"});
    for (const StepPhase phase : kAllPhases) {
        const auto i = static_cast<std::size_t>(phase);
        std::vector<std::string> row{
            std::string(toName(phase)), formatBytes((*peak.predictedPhases)[i]), formatBytes((*peak.trackedPhases)[i])};
        if (peak.pool)
            row.insert(row.end(), {formatBytes(peak.pool->phases[i].used), formatBytes(peak.pool->phases[i].reserved)});
        table.rows.push_back(std::move(row));
    }
    return table;
}

const char* titleOf(WaterfallStep::Kind kind)
{
    using Kind = WaterfallStep::Kind;
    switch (kind) {
    case Kind::Kept:
        return "activations kept for backward";
    case Kind::Working:
        return "gradients of activations, what was made again";
    case Kind::Gradients:
        return "gradients of weights";
    case Kind::Weights:
        return "weights";
    case Kind::Optimizer:
        return "optimizer";
    case Kind::Inputs:
        return "token ids";
    case Kind::Workspace:
        return "workspace";
    case Kind::Unpredicted:
        return "beyond the prediction";
    case Kind::Tracked:
        return "= tracked by the executor";
    case Kind::Rounding:
        return "rounding of the pool";
    case Kind::PoolUsed:
        return "= pool in use";
    case Kind::PoolSpare:
        return "reserved and not in use";
    case Kind::PoolReserved:
        return "= pool reserved";
    case Kind::Context:
        return "context and libraries";
    case Kind::Unexplained:
        return "unexplained";
    case Kind::Driver:
        return "= this process, by the driver";
    case Kind::FreeShrank:
        return "= by which the device's free memory shrank";
    case Kind::Resident:
        return "= growth of resident memory";
    }
    return "";
}

/// From what the model needs to what the machine counted; totals begin with "=".
Table waterfallTable(const PeakReport& peak)
{
    Table table{{"at the peak", "bytes", ""}, {}};
    for (const WaterfallStep& step : waterfall(peak))
        table.rows.push_back({titleOf(step.kind), std::to_string(step.bytes.value), formatBytes(step.bytes)});
    return table;
}

std::string reportText(const RunReport& report)
{
    const PeakReport& peak = report.peak;
    Table table{{"peak", "bytes", ""},
        {{"planned", std::to_string(peak.planned.value), formatBytes(peak.planned)},
            {"predicted for this machine", std::to_string(peak.predicted.value), formatBytes(peak.predicted)},
            {"tracked by the executor", std::to_string(peak.tracked.value), formatBytes(peak.tracked)}}};
    if (peak.system)
        table.rows.push_back({peak.pool ? "in use by the GPU's pool" : "measured by the system",
            std::to_string(peak.system->value), formatBytes(*peak.system)});
    std::string text = report.machine + "\n\n" + toText(table) + "\npeak predicted in " + peak.predictedAt + "\n";
    if (peak.predictedPhases && peak.trackedPhases)
        text += "\n" + toText(memoryTable(peak)) + "\n" + toText(waterfallTable(peak));
    if (peak.pool)
        text += peak.pool->isRepeated ? "measured twice, and equal\n" : "measured twice, and not equal\n";
    text += "\nstep " + formatDuration(report.time.step);
    if (report.time.predicted)
        text += " (predicted " + formatDuration(*report.time.predicted) + ")";
    text += "\n";
    if (const std::optional<PhaseTimes> measured = measuredPhases(report))
        text += "\n" + toText(phaseTable(*measured, predictedPhases(report)));
    char loss[96];
    std::snprintf(loss, sizeof loss, "\nloss %.4f, at the start %.4f; ln(vocabulary) %.4f\n", report.loss.last,
        report.loss.first, report.loss.lnVocabulary);
    text += loss;
    text += "reruns " + std::to_string(report.reruns.measured)
        + (report.reruns.isEqual ? ", as predicted op by op\n"
                                 : ", predicted " + std::to_string(report.reruns.predicted) + "\n");
    if (report.gradients)
        text += report.gradients->bitEqual
            ? "gradients and loss are bit-equal to keep-everything\n"
            : "gradients differ from keep-everything: " + report.gradients->firstDifference.value_or("the loss") + "\n";
    for (const std::string& warning : report.warnings)
        text += "warning: " + warning + "\n";
    return text;
}

} // namespace

Result<Answer> runRun(const Arguments& arguments, const Environment& environment)
{
    Result<RunRequest> request = requestOf(arguments);
    if (!request)
        return request.error();
    const Result<WorkerLaunch> launch = launchOf(arguments, environment);
    if (!launch)
        return launch.error();
    const Result<std::string> text = readFile(arguments.files[0]);
    if (text && isRegionPlan(*text))
        return Error{&kRunsInPytorch, arguments.files[0], {}};
    Result<Plan> plan = readPlan(arguments.files[0]);
    if (!plan)
        return plan.error();
    if (auto runnable = checkRunnable(*plan, request->machine); !runnable)
        return runnable.error();
    request->plan = *std::move(plan);
    request->checksGradients = arguments.checksGradients;
    request->enforcesBudget = arguments.enforcesBudget;
    // What a GPU's times are predicted with, the worker knows, which finds the GPU; elsewhere it knows its machine.
    if (request->machine == RunMachine::Cpu && !arguments.launch)
        request->device = timedFor(request->plan, deviceOfThisCpu(environment, static_cast<int>(request->threads)));
    const RunOutcome outcome = runWithProgress(*request, arguments.isJson, *launch);
    if (outcome.failure)
        return failureAnswer(*outcome.failure, arguments.isJson);
    Answer answer = arguments.isJson ? jsonAnswer(toJson(*outcome.report)) : Answer{reportText(*outcome.report), {}, 0};
    writeMeasured(arguments, reportFileText(*outcome.report), answer);
    return answer;
}

} // namespace remat::cli
