// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/cli/answer.h"
#include "core/base/units.h"

namespace remat::cli {

/// The answer when nothing fits (exit 4): the sentence, and in JSON also "budget_bytes" and "least_budget_bytes".
Answer certificateAnswer(const Error& error, Bytes budget, Bytes leastBudget, bool isJson);

} // namespace remat::cli
