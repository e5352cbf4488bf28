// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/worker_client.h"

#include <filesystem>

#include "core/run/child_process.h"

namespace remat {

std::string workerPathBesideThisProgram()
{
    std::error_code problem;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", problem);
    return problem ? "remat-worker" : (self.parent_path() / "remat-worker").string();
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
