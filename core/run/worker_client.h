// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/run/gpu_answer.h"
#include "core/run/run_conversation.h"
#include "core/run/run_request.h"

namespace remat {

/// Where the worker is and how it is started: {"/usr/bin/remat-worker"}, or with a prefix {"ssh", "host",
/// "remat-worker"}.
using WorkerCommand = std::vector<std::string>;

/// A worker that somebody else's program starts (core/run/launch_profile.h).
struct WorkerLaunch {
    WorkerCommand command;
    /// Ends the run well where ending `command` would not; "{job}" stands for the job that the worker's hello named.
    WorkerCommand stopCommand;
    /// The worker is told every few seconds that somebody still waits for it, and ends after kLease of silence.
    bool holdsLease = false;
    /// Its standard error is heard as log lines too, where no terminal shows it.
    bool logsErrors = false;
};

/// The silence after which a worker that holds a lease ends.  SIGKILL of srun leaves its job running, with a standard
/// input that neither speaks nor ends.
inline constexpr std::chrono::seconds kLease{30};

/// A program beside the running one (build/bin, or the installation's bin folder).
std::string pathBesideThisProgram(const std::string& program);
/// remat-worker there.
std::string workerPathBesideThisProgram();

/// What GPUs a worker on that machine finds, from its --probe; waits some seconds at most, and less when stopped.
/// Errors: it does not start, or does not answer as a worker does.
Result<GpuAnswer> askWorkerForGpus(const WorkerCommand& command, const std::stop_token& stop = {});

/// Runs a request in a worker and waits for its end.  Events are handed on as they come, on the calling thread.  A stop
/// request sends SIGTERM, and SIGKILL two seconds later; of a launch with a stop command that command comes first, and
/// the worker has ten seconds to end well.
///
///   RunOutcome outcome = runInWorker({workerPathBesideThisProgram()}, request, printProgress, stop);
RunOutcome runInWorker(const WorkerCommand& command, const RunRequest& request,
    const std::function<void(const RunEvent&)>& onEvent, const std::stop_token& stop = {});

RunOutcome runInWorker(const WorkerLaunch& launch, const RunRequest& request,
    const std::function<void(const RunEvent&)>& onEvent, const std::stop_token& stop = {});

} // namespace remat
