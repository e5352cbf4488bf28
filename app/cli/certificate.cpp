// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/certificate.h"

#include <nlohmann/json.hpp>

#include "core/base/format_units.h"

namespace remat::cli {

Result<std::optional<Bytes>> readBudget(const Arguments& arguments)
{
    if (!arguments.budget)
        return std::optional<Bytes>();
    const Result<Bytes> budget = parseBytes(*arguments.budget);
    if (budget)
        return std::optional(*budget);
    Error error = budget.error();
    error.where = "--budget";
    return error;
}

Answer certificateAnswer(const Error& error, Bytes budget, Bytes leastBudget, bool isJson)
{
    nlohmann::json object = errorObject(error);
    object["budget_bytes"] = budget.value;
    object["least_budget_bytes"] = leastBudget.value;
    return errorAnswer(std::move(object), static_cast<int>(error.exitCode()), isJson);
}

} // namespace remat::cli
