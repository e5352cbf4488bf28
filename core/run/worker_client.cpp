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
    Result<ChildProcess> started = ChildProcess::start(command);
    if (!started)
        return {std::nullopt, failureOf(started.error())};
    ChildProcess& worker = *started;
    worker.writeLine(requestLine(request));
    RunConversation talk;
    bool wasStopped = false;
    for (;;) {
        const ChildProcess::Read read = worker.readLine(std::chrono::milliseconds{100});
        if (read.atEnd)
            break;
        if (read.line)
            onEvent(talk.hear(*read.line));
        if (stop.stop_requested() && !wasStopped) {
            wasStopped = true;
            worker.askToStop();
        }
    }
    return talk.finish(worker.finish(), wasStopped);
}

} // namespace remat
