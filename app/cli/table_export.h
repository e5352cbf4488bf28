// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/answer.h"
#include "app/cli/arguments.h"
#include "core/base/result.h"

namespace remat::cli {

/// Whether --to names one of these.  Errors: exit 2, with the names.
Result<void> checkTarget(const std::string& to, const std::vector<std::string>& known);
/// What any table can become.
inline const std::vector<std::string> kTableTargets{"csv", "markdown"};

/// An exported text as an answer: printed, or written to --out; with --json beside the keys of `more`.
/// Error: it cannot be written (exit 3).
Result<Answer> exportAnswer(const Arguments& arguments, const std::string& text, const nlohmann::json& more);
Result<Answer> exportAnswer(const Arguments& arguments, const std::string& text);

} // namespace remat::cli
