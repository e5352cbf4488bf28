// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace remat::worker {

/// Writes one line of the protocol to standard output at once; a reader that is gone is no error.
void say(const std::string& line);

/// The first line of standard input, without its end (a text that ends without one counts).  What follows is ignored.
/// Errors: nothing there, or a line larger than kMaxFileBytes (exit code 2); with a lease, silence as long as that.
Result<std::string> readRequestLine(std::optional<std::chrono::seconds> lease);

} // namespace remat::worker
