// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/worker_client.h"

#include <chrono>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/run/child_process.h"
#include "core/run/machine_probe.h"

namespace remat {

namespace {

constexpr MessageCode kNoProbe{"worker-probe-unanswered", REMAT_TR("The worker did not say what devices it finds."),
    REMAT_TR("Run remat-worker --probe by hand and see where it waits."), ExitCode::DeviceError};

constexpr MessageCode kNotLaunched{"worker-not-launched",
    REMAT_TR("\"{0}\" ended with exit code {1} before a worker answered. The last it said: {2}."),
    REMAT_TR("Try the launch profile's words by hand, with remat-worker --self-test at their end."),
    ExitCode::DeviceError};

constexpr MessageCode kUnreachable{"host-unreachable",
    REMAT_TR("The host was not reached: \"{0}\" ended with exit code {1}. The last it said: {2}."),
    REMAT_TR("Check the host's name and that ssh gets in without a question: try the launch profile's words by hand."),
    ExitCode::DeviceError};

using std::chrono::steady_clock;

/// What ssh ends with when it fails itself (ssh(1), exit status); else it ends as the program there did.
constexpr int kSshFailed = 255;

/// Well within a lease, so that a line or two may be late.
constexpr std::chrono::seconds kRenewEvery{5};
/// A cluster may let a job wait for hours; a person is told so now and then.
constexpr std::chrono::seconds kFirstPatience{5}, kPatience{60};
constexpr std::chrono::seconds kEndsWell{10};

/// Runs the command that ends a job, its words unchanged but for the job's name; what it says is logged.
void runStopCommand(
    const WorkerCommand& command, const std::string& job, const std::function<void(const RunEvent&)>& onEvent)
{
    WorkerCommand words = command;
    for (std::string& word : words)
        if (const std::size_t place = word.find("{job}"); place != std::string::npos)
            word.replace(place, std::string_view("{job}").size(), job);
    Result<ChildProcess> started = ChildProcess::start(words);
    if (!started) {
        onEvent(LogEvent{englishSentence(started.error())});
        return;
    }
    const auto tooLate = steady_clock::now() + kEndsWell;
    for (;;) {
        const ChildProcess::Read read = started->readLine(std::chrono::milliseconds{100});
        if (read.line)
            onEvent(LogEvent{*read.line});
        if (read.atEnd)
            break;
        if (steady_clock::now() >= tooLate)
            started->askToStop();
    }
    const WorkerExit exit = started->finish();
    if (exit.code != 0 || exit.signal != 0)
        onEvent(LogEvent{words.front() + " failed"});
}

/// Starting CUDA takes a second or two on machines with several GPUs.
constexpr std::chrono::seconds kLongestProbe{20};

} // namespace

std::string pathBesideThisProgram(const std::string& program)
{
    std::error_code problem;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", problem);
    return problem ? program : (self.parent_path() / program).string();
}

std::string workerPathBesideThisProgram()
{
    return pathBesideThisProgram("remat-worker");
}

Result<GpuAnswer> askWorkerForGpus(const WorkerCommand& command, const std::stop_token& stop)
{
    WorkerCommand probe = command;
    probe.emplace_back("--probe");
    Result<ChildProcess> started = ChildProcess::start(probe);
    if (!started)
        return started.error();
    std::string text;
    const auto tooLate = std::chrono::steady_clock::now() + kLongestProbe;
    for (;;) {
        const ChildProcess::Read read = started->readLine(std::chrono::milliseconds{100});
        // A login banner may come first.
        if (read.line && (!text.empty() || read.line->starts_with('{')))
            text += *read.line + "\n";
        if (read.atEnd)
            break;
        if (stop.stop_requested() || std::chrono::steady_clock::now() > tooLate)
            return Error{&kNoProbe, "remat-worker --probe", {}};
    }
    const Result<nlohmann::json> json = parseJson(text, "remat-worker --probe");
    if (!json)
        return json.error();
    const JsonCursor root(*json, "remat-worker --probe");
    root.requireFormat(kProbeFormat, kProbeVersion);
    GpuAnswer answer = readGpuAnswer(root["cuda"]);
    if (root.failed())
        return root.error();
    return answer;
}

RunOutcome runInWorker(const WorkerCommand& command, const RunRequest& request,
    const std::function<void(const RunEvent&)>& onEvent, const std::stop_token& stop)
{
    return runInWorker(WorkerLaunch{command, {}, false}, request, onEvent, stop);
}

RunOutcome runInWorker(const WorkerLaunch& launch, const RunRequest& request,
    const std::function<void(const RunEvent&)>& onEvent, const std::stop_token& stop)
{
    Result<ChildProcess> started = ChildProcess::start(launch.command, launch.logsErrors);
    if (!started)
        return {std::nullopt, failureOf(started.error())};
    ChildProcess& worker = *started;
    worker.writeLine(requestLine(request));
    RunConversation talk;
    bool wasStopped = false;
    auto renewAt = steady_clock::now() + kRenewEvery, patientUntil = steady_clock::now() + kFirstPatience;
    std::optional<steady_clock::time_point> endAt;
    for (;;) {
        const ChildProcess::Read read = worker.readLine(std::chrono::milliseconds{100});
        if (read.atEnd)
            break;
        if (read.line)
            onEvent(read.isError ? talk.hearError(*read.line) : talk.hear(*read.line));
        const auto now = steady_clock::now();
        if (launch.holdsLease && now >= renewAt) {
            worker.writeLine("");
            renewAt = now + kRenewEvery;
        }
        if (launch.holdsLease && !talk.hello() && now >= patientUntil) {
            onEvent(LogEvent{"waiting for " + launch.command.front() + ": no worker has answered yet"});
            patientUntil = now + kPatience;
        }
        if (stop.stop_requested() && !wasStopped) {
            wasStopped = true;
            const bool hasJob = talk.hello() && !talk.hello()->job.empty();
            if (!launch.stopCommand.empty() && hasJob) {
                runStopCommand(launch.stopCommand, talk.hello()->job, onEvent);
                endAt = steady_clock::now() + kEndsWell;
            } else {
                worker.askToStop();
            }
        }
        if (endAt && now >= *endAt)
            worker.askToStop();
    }
    const WorkerExit exit = worker.finish();
    RunOutcome outcome = talk.finish(exit, wasStopped);
    if (launch.holdsLease && !wasStopped && !talk.hello() && outcome.failure && outcome.failure->kind != "protocol") {
        const std::string program = std::filesystem::path(launch.command.front()).filename().string();
        outcome.failure
            = failureOf(Error{program == "ssh" && exit.code == kSshFailed ? &kUnreachable : &kNotLaunched, "",
                {launch.command.front(), std::int64_t{exit.signal != 0 ? 128 + exit.signal : exit.code},
                    talk.lastWords().empty() ? "-" : talk.lastWords()}});
    }
    return outcome;
}

} // namespace remat
