// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
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

/// A program beside the running one (build/bin, or the installation's bin folder).
std::string pathBesideThisProgram(const std::string& program);
/// remat-worker there.
std::string workerPathBesideThisProgram();

/// What GPUs a worker on that machine finds, from its --probe; waits some seconds at most, and less when stopped.
/// Errors: it does not start, or does not answer as a worker does.
Result<GpuAnswer> askWorkerForGpus(const WorkerCommand& command, const std::stop_token& stop = {});

/// Runs a request in a worker and waits for its end.  Events are handed on as they come, on the calling thread.  A stop
/// request sends SIGTERM, and SIGKILL two seconds later.
///
///   RunOutcome outcome = runInWorker({workerPathBesideThisProgram()}, request, printProgress, stop);
RunOutcome runInWorker(const WorkerCommand& command, const RunRequest& request,
    const std::function<void(const RunEvent&)>& onEvent, const std::stop_token& stop = {});

} // namespace remat
