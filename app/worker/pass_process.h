// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stop_token>
#include <string>

#include "core/base/units.h"
#include "core/run/run_request.h"

namespace remat::worker {

/// The parts of a run that are measured in a fresh process each.
enum class PassKind { Memory, Timing, Gradients, KeepAll };

/// "memory", "timing", "gradients", "keep-all".
const char* toName(PassKind kind);
bool parsePassKind(const std::string& name, PassKind& kind);

/// Runs one pass in this process and says its progress and what it measured on standard output.  `mostHeld`: how much
/// memory the timing pass may keep for reuse.  Returns the exit code.
int runPass(PassKind kind, const RunRequest& request, Bytes mostHeld, std::stop_token stop);

} // namespace remat::worker
