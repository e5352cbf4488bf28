// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/certificate.h"

#include <nlohmann/json.hpp>

namespace remat::cli {

Answer certificateAnswer(const Error& error, Bytes budget, Bytes leastBudget, bool isJson)
{
    nlohmann::json object = errorObject(error);
    object["budget_bytes"] = budget.value;
    object["least_budget_bytes"] = leastBudget.value;
    return errorAnswer(std::move(object), static_cast<int>(error.exitCode()), isJson);
}

} // namespace remat::cli
