// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/real_run.h"

#include <cstdio>
#include <functional>

#include <nlohmann/json.hpp>

#include "app/cli/stop_signals.h"
#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/plain_text.h"
#include "core/base/text.h"
#include "core/run/launch_profile.h"
#include "core/run/run_progress.h"
#include "core/run/worker_client.h"

namespace remat::cli {

namespace {

constexpr MessageCode kUnknownMachine{"unknown-machine", REMAT_TR("There is no machine \"{0}\"."),
    REMAT_TR("Use --machine cpu, cuda or emulated; \"remat probe\" says what this machine has."), ExitCode::Usage};
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

std::function<void(const RunEvent&)> progressPrinter(bool isJson)
{
    return [isJson, progress = RunProgress()](const RunEvent& event) mutable {
        if (isJson && std::holds_alternative<StepEvent>(event))
            return;
        if (const std::optional<std::string> line = progress.line(event, steadyClock()))
            std::fprintf(stderr, "%s\n", terminalText(*line).c_str());
    };
}

} // namespace

Result<RunRequest> requestOf(const Arguments& arguments)
{
    const std::string name = arguments.machine.value_or("cpu");
    const std::optional<RunMachine> machine = parseRunMachine(name);
    if (!machine)
        return Error{&kUnknownMachine, "--machine", {shortened(name)}};
    const Result<std::int64_t> steps = within("--steps", arguments.steps, 3, kMostSteps);
    const Result<std::int64_t> threads = within("--threads", arguments.threads, 0, kMostThreads);
    const Result<std::int64_t> seed = within("--seed", arguments.seed, 1, kMaxQuantity);
    for (const Result<std::int64_t>* number : {&steps, &threads, &seed})
        if (!*number)
            return number->error();
    RunRequest request;
    request.machine = *machine;
    request.steps = *steps;
    request.threads = *threads;
    request.seed = static_cast<std::uint64_t>(*seed);
    return request;
}

Result<WorkerLaunch> launchOf(const Arguments& arguments, const Environment& environment)
{
    if (!arguments.launch)
        return WorkerLaunch{{workerPathBesideThisProgram()}, {}, false};
    const Result<LaunchProfile> profile = findLaunchProfile(*arguments.launch, environment.configurationFolder);
    return profile ? Result<WorkerLaunch>(remat::launchOf(*profile)) : profile.error();
}

RunOutcome runWithProgress(const RunRequest& request, bool isJson, const WorkerLaunch& launch)
{
    if (!launch.holdsLease)
        return runInWorker(launch, request, progressPrinter(isJson));
    const StopSignals signals;
    return runInWorker(launch, request, progressPrinter(isJson), signals.token());
}

void writeMeasured(const Arguments& arguments, const std::string& text, Answer& answer)
{
    if (!arguments.out)
        return;
    if (auto written = writeFileAtomically(*arguments.out, text); !written) {
        answer.notes.push_back("remat: " + englishSentence(written.error()));
        answer.exit = static_cast<int>(written.error().exitCode());
    }
}

Answer failureAnswer(const RunFailure& failure, bool isJson)
{
    nlohmann::json error{{"code", failure.code}, {"where", failure.where}, {"message", failure.message},
        {"remedy", failure.remedy}, {"kind", failure.kind}};
    if (failure.requested)
        error["requested_bytes"] = failure.requested->value;
    if (failure.live)
        error["live_bytes"] = failure.live->value;
    if (!failure.phase.empty())
        error["phase"] = failure.phase;
    if (!failure.op.empty())
        error["op"] = failure.op;
    if (failure.largestBatch)
        error["largest_batch"] = *failure.largestBatch;
    if (failure.fittingBudget)
        error["fitting_budget_bytes"] = failure.fittingBudget->value;
    return errorAnswer(std::move(error), failure.exitCode, isJson);
}

} // namespace remat::cli
