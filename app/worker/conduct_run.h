// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stop_token>
#include <string>

#include "core/run/run_request.h"

namespace remat::worker {

/// Runs a request pass by pass, each in a fresh process of this program that dies with it, and says events and the
/// report on standard output.  A run that would not fit is refused before anything starts.  Returns the exit code.
int conductRun(const RunRequest& request, std::stop_token stop);

} // namespace remat::worker
