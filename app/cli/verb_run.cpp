// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <functional>

#include <nlohmann/json.hpp>

#include "app/cli/verbs.h"
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/format_units.h"
#include "core/base/text.h"
#include "core/export/table.h"
#include "core/plan/plan_file.h"
#include "core/run/cpu_calibration.h"
#include "core/run/run_progress.h"
#include "core/run/worker_client.h"

namespace remat::cli {

namespace {

using nlohmann::json;

constexpr MessageCode kNoCuda{"machine-not-in-release", REMAT_TR("This release has no CUDA machine."),
    REMAT_TR("Use --machine cpu; \"remat probe\" says what this machine has."), ExitCode::Usage};
constexpr MessageCode kUnknownMachine{
    "unknown-machine", REMAT_TR("There is no machine \"{0}\"."), REMAT_TR("Use --machine cpu."), ExitCode::Usage};
constexpr MessageCode kOutOfBounds{"run-flag-out-of-bounds", REMAT_TR("{0} is outside {1} to {2}."),
    REMAT_TR("Use a whole number from {1} to {2}."), ExitCode::Usage};

Result<std::int64_t> within(
    const char* flag, const std::optional<std::int64_t>& given, std::int64_t fallback, std::int64_t most)
{
    if (!given)
        return fallback;
    if (*given < 1 || *given > most)
        return Error{&kOutOfBounds, flag, {*given, std::int64_t{1}, most}};
    return *given;
}

Result<RunRequest> chooseRun(const Arguments& arguments)
{
    const std::string machine = arguments.machine.value_or("cpu");
    if (machine != "cpu")
        return Error{machine == "cuda" ? &kNoCuda : &kUnknownMachine, "--machine", {shortened(machine)}};
    const Result<std::int64_t> steps = within("--steps", arguments.steps, 3, kMostSteps);
    const Result<std::int64_t> threads = within("--threads", arguments.threads, 0, kMostThreads);
    const Result<std::int64_t> seed = within("--seed", arguments.seed, 1, kMaxQuantity);
    for (const Result<std::int64_t>* number : {&steps, &threads, &seed})
        if (!*number)
            return number->error();
    Result<Plan> plan = readPlan(arguments.files[0]);
    if (!plan)
        return plan.error();
    if (auto runnable = checkRunnable(*plan); !runnable)
        return runnable.error();
    RunRequest request;
    request.plan = *std::move(plan);
    request.steps = *steps;
    request.threads = *threads;
    request.seed = static_cast<std::uint64_t>(*seed);
    request.checksGradients = arguments.checksGradients;
    request.enforcesBudget = arguments.enforcesBudget;
    return request;
}

/// Progress for people, on standard error; scripts that asked for JSON get the phases alone.
std::function<void(const RunEvent&)> progressPrinter(bool isJson)
{
    return [isJson, progress = RunProgress()](const RunEvent& event) mutable {
        if (isJson && std::holds_alternative<StepEvent>(event))
            return;
        if (const std::optional<std::string> line = progress.line(event, steadyClock()))
            std::fprintf(stderr, "%s\n", line->c_str());
    };
}

Answer failureAnswer(const RunFailure& failure, bool isJson)
{
    json error{{"code", failure.code}, {"where", failure.where}, {"message", failure.message},
        {"remedy", failure.remedy}, {"kind", failure.kind}};
    if (failure.requested)
        error["requested_bytes"] = failure.requested->value;
    if (failure.live)
        error["live_bytes"] = failure.live->value;
    if (failure.largestBatch)
        error["largest_batch"] = *failure.largestBatch;
    if (failure.fittingBudget)
        error["fitting_budget_bytes"] = failure.fittingBudget->value;
    return errorAnswer(std::move(error), failure.exitCode, isJson);
}

std::string reportText(const RunReport& report)
{
    const PeakReport& peak = report.peak;
    Table table{{"peak", "bytes", ""},
        {{"planned", std::to_string(peak.planned.value), formatBytes(peak.planned)},
            {"predicted for this machine", std::to_string(peak.predicted.value), formatBytes(peak.predicted)},
            {"tracked by the executor", std::to_string(peak.tracked.value), formatBytes(peak.tracked)}}};
    if (peak.system)
        table.rows.push_back({"measured by the system", std::to_string(peak.system->value), formatBytes(*peak.system)});
    std::string text = report.machine + "\n\n" + toText(table) + "\npeak predicted in " + peak.predictedAt + "\nstep "
        + formatDuration(report.time.step);
    if (report.time.predicted)
        text += " (predicted " + formatDuration(*report.time.predicted) + ")";
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
    Result<RunRequest> request = chooseRun(arguments);
    if (!request)
        return request.error();
    request->device = thisCpuDevice(environment.cacheFolder, static_cast<int>(request->threads));
    const RunOutcome outcome
        = runInWorker({workerPathBesideThisProgram()}, *request, progressPrinter(arguments.isJson));
    if (outcome.failure)
        return failureAnswer(*outcome.failure, arguments.isJson);
    Answer answer = arguments.isJson ? jsonAnswer(toJson(*outcome.report)) : Answer{reportText(*outcome.report), {}, 0};
    if (arguments.out)
        if (auto written = writeFileAtomically(*arguments.out, reportFileText(*outcome.report)); !written) {
            // The run took long, and its report exists nowhere else: it is printed all the same.
            answer.notes.push_back("remat: " + englishSentence(written.error()));
            answer.exit = static_cast<int>(written.error().exitCode());
        }
    return answer;
}

} // namespace remat::cli
