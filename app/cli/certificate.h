// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "app/cli/answer.h"
#include "app/cli/arguments.h"
#include "core/base/result.h"

namespace remat::cli {

/// The value of --budget, if it was given.  Errors: exit 2, naming the flag.
Result<std::optional<Bytes>> readBudget(const Arguments& arguments);

/// The answer when nothing fits (exit 4): the sentence, and in JSON also "budget_bytes" and "least_budget_bytes".
Answer certificateAnswer(const Error& error, Bytes budget, Bytes leastBudget, bool isJson);

} // namespace remat::cli
