// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/table_export.h"
#include "app/cli/verbs.h"
#include "core/export/plan_table.h"
#include "core/plan/plan_file.h"

namespace remat::cli {

namespace {

constexpr const char* kTakesPlans
    = "\"remat export\" takes the file of \"remat plan --out FILE\"; for a comparison use \"remat compare --to csv\", "
      "for a frontier \"remat frontier --csv\".";

} // namespace

Result<Answer> runExport(const Arguments& arguments)
{
    if (auto known = checkTarget(*arguments.to); !known)
        return known.error();
    const Result<Plan> plan = readPlan(arguments.files[0]);
    if (!plan) {
        nlohmann::json error = errorObject(plan.error());
        if (plan.error().code->name == "wrong-format")
            error["remedy"] = kTakesPlans;
        return errorAnswer(std::move(error), static_cast<int>(plan.error().exitCode()), arguments.isJson);
    }
    return exportAnswer(arguments, *arguments.to == "csv" ? planCsv(*plan) : planMarkdown(*plan));
}

} // namespace remat::cli
