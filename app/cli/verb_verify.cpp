// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/step_choice.h"
#include "app/cli/torch_verbs.h"
#include "app/cli/verbs.h"
#include "core/base/files.h"
#include "core/base/format_units.h"
#include "core/export/plan_table.h"
#include "core/plan/plan_file.h"
#include "core/regions/region_plan_file.h"

namespace remat::cli {

Result<Answer> runVerify(const Arguments& arguments)
{
    const Result<std::string> text = readFile(arguments.files[0]);
    if (text && isRegionPlan(*text))
        return verifyTorch(arguments.files[0], arguments.isJson);
    // Reading a plan derives it anew and refuses what disagrees.
    const Result<Plan> plan = readPlan(arguments.files[0]);
    if (!plan)
        return plan.error();
    if (arguments.isJson) {
        const nlohmann::json file = toJson(*plan);
        return jsonAnswer({{"format", "remat-verification"}, {"version", 1}, {"agrees", true},
            {"file", arguments.files[0]}, {"model", file["model"]}, {"setup", file["setup"]}, {"fits", plan->fits()},
            {"fits_device", plan->fitsDevice()}, {"prediction", file["prediction"]}});
    }
    return Answer{stepHeading(plan->shape(), plan->setup()) + "agrees: " + verdict(*plan) + "\n", {}, 0};
}

} // namespace remat::cli
