// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/certificate.h"
#include "app/cli/step_choice.h"
#include "app/cli/verbs.h"
#include "core/base/format_units.h"
#include "core/export/frontier_table.h"

namespace remat::cli {

namespace {

using nlohmann::json;

json strategyJson(const ComparedStrategy& row)
{
    json object{{"strategy", toName(row.strategy)}, {"fits", row.plan && row.plan->fits()}};
    if (row.plan) {
        const Prediction& p = row.plan->prediction;
        object.update({{"peak_bytes", p.peak.value}, {"peak_at", englishText(p.peakAt)}, {"saved_bytes", p.saved.value},
            {"time_ns", p.time.value}, {"overhead_ns", p.overhead.value},
            {"step_ns", p.stepTime(row.plan->setup()).value}, {"reruns", p.reruns}});
    }
    object["problem"] = row.problem ? errorObject(*row.problem) : json(nullptr);
    return object;
}

} // namespace

Result<Answer> runCompare(const Arguments& arguments, const Environment& environment)
{
    const Result<StepChoice> choice = chooseStep(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    const Result<std::optional<Bytes>> budget = readBudget(arguments);
    if (!budget)
        return budget.error();
    const Result<Study> study = Study::solve(choice->request);
    if (!study)
        return study.error();
    const std::vector<ComparedStrategy> rows = study->compare(comparedStrategies(), **budget);
    if (arguments.isJson) {
        json strategies = json::array();
        for (const ComparedStrategy& row : rows)
            strategies.push_back(strategyJson(row));
        json object{{"format", "remat-comparison"}, {"version", 1}, {"budget_bytes", (*budget)->value},
            {"strategies", strategies}, {"least_budget_bytes", study->leastPeak().value}};
        addStep(object, *choice);
        return jsonAnswer(object);
    }
    return Answer{stepHeading(*choice) + "budget " + formatBytes(**budget) + "\n\n" + toText(comparisonTable(rows))
            + "\n" + defaultsLine(*choice),
        choice->notes, 0};
}

} // namespace remat::cli
