// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/cli/answer.h"
#include "app/cli/arguments.h"
#include "app/cli/environment.h"
#include "core/base/result.h"
#include "core/run/run_conversation.h"
#include "core/run/run_request.h"
#include "core/run/worker_client.h"

namespace remat::cli {

/// What --machine, --steps, --threads and --seed ask for; the plan is the caller's to fill.
/// Errors: a machine or a number that is none (exit 2).
Result<RunRequest> requestOf(const Arguments& arguments);

/// The worker that --launch names (core/run/launch_profile.h), else the one beside this program.
Result<WorkerLaunch> launchOf(const Arguments& arguments, const Environment& environment);

/// Runs a request in a worker.  Progress for people goes to standard error; who asked for JSON gets the phases alone.
/// A run elsewhere is stopped by SIGINT, SIGTERM and SIGHUP; one here ends with this program.
RunOutcome runWithProgress(const RunRequest& request, bool isJson, const WorkerLaunch& launch);

/// Writes what a run found to --out, if there is one.  A failure is a note and the exit code and not the answer: the
/// run took long, and what it found exists nowhere else.
void writeMeasured(const Arguments& arguments, const std::string& text, Answer& answer);

/// How a run failed, with the figures that the failure brings, and its exit code.
Answer failureAnswer(const RunFailure& failure, bool isJson);

} // namespace remat::cli
