// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "app/cli/answer.h"
#include "app/cli/arguments.h"
#include "core/base/result.h"

namespace remat::cli {

/// Whether --to names a table that this release writes: csv or markdown.  Errors: exit 2.
Result<void> checkTarget(const std::string& to);

/// An exported table as an answer: printed, or written to --out.  Error: it cannot be written (exit 3).
Result<Answer> exportAnswer(const Arguments& arguments, const std::string& text);

} // namespace remat::cli
