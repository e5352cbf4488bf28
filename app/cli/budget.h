// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/answer.h"
#include "app/cli/arguments.h"
#include "core/base/result.h"
#include "core/plan/budget_steps.h"
#include "core/plan/study.h"

namespace remat::cli {

/// The value of --budget, if it was given.  Errors: exit 2, naming the flag.
Result<std::optional<Bytes>> readBudget(const Arguments& arguments);

/// The budget of a verb that cannot do without: --budget, or else what the chosen GPU can give a step (core/cost/
/// device_memory.h) less `workspace`, which is then listed among the defaults.  The workspace is what libraries hold
/// beside the step, where its peak does not count it (cuBLAS's of a step in PyTorch).  Error: neither (exit 2).
Result<Bytes> budgetOrDevice(
    const Arguments& arguments, const Device& device, std::vector<std::string>& defaults, Bytes workspace = {});

/// Appends, for the notes of an answer.
void addNotes(std::vector<std::string>& notes, std::vector<std::string> more);

/// What a person is told about a budget that can hardly be meant: a small bare number is bytes.
std::vector<std::string> budgetNotes(const Arguments& arguments);

/// What a person is told about a plan that its device cannot hold, and about a device that no plan fits.
std::vector<std::string> deviceNotes(const Plan& plan, Bytes leastPeak);
std::vector<std::string> deviceNotes(const Device& device, Bytes leastPeak);

/// "budget 8.00 GiB", and by how much that is more than the device can give.
std::string budgetText(const Device& device, Bytes budget);

/// "more budget: +6.95 MiB buys 164 us a micro-batch".
std::string moreBudgetText(const Plan& plan, const MoreBudget& next);

/// What budgets up to keeping everything would leave of the extra time; nothing where there is one step or none.
std::string budgetStepText(const std::vector<BudgetStep>& steps, Nanoseconds keepAll);
nlohmann::json budgetStepJson(const std::vector<BudgetStep>& steps);

/// "the backward of stage 3 (layer 1)".
std::string bindingText(const BindingOp& binding);

/// The answer when nothing fits (exit 4): the sentence and the notes on the budget; in JSON also "budget_bytes" and
/// "least_budget_bytes".
Answer certificateAnswer(const Error& error, Bytes budget, Bytes leastBudget, const Arguments& arguments);

} // namespace remat::cli
