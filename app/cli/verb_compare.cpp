// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/budget.h"
#include "app/cli/step_choice.h"
#include "app/cli/step_text.h"
#include "app/cli/table_export.h"
#include "app/cli/variant_answer.h"
#include "app/cli/verbs.h"
#include "core/base/format_units.h"
#include "core/export/frontier_table.h"
#include "core/plan/nested_study.h"

namespace remat::cli {

namespace {

using nlohmann::json;

json strategyJson(const ComparedStrategy& row)
{
    json object{{"strategy", toName(row.strategy)}, {"fits", row.plan && row.plan->fits()},
        {"fits_device", row.plan ? json(row.plan->fitsDevice()) : json(nullptr)}};
    if (row.plan) {
        const Prediction& p = row.plan->prediction;
        object.update({{"peak_bytes", p.peak.value}, {"peak_at", englishText(p.peakAt)}, {"saved_bytes", p.saved.value},
            {"time_ns", p.time.value}, {"overhead_ns", p.overhead.value},
            {"step_ns", p.stepTime(row.plan->setup()).value}, {"reruns", p.reruns}});
        object.update(variantJson(row.plan->setup()));
        object["class"] = row.plan->proof.planClass;
    }
    object["problem"] = row.problem ? errorObject(*row.problem) : json(nullptr);
    return object;
}

/// A few seconds of nested solving: a comparison is looked at, not waited for.
constexpr std::int64_t kComparedWork = kNestedWork / 10;

/// Every strategy; of optimal-nested the plan of the largest class that a few seconds allow, or why there is none.
std::vector<ComparedStrategy> compareAll(const Study& study, Bytes budget)
{
    std::vector<ComparedStrategy> rows = study.compare(comparedStrategies(), budget);
    for (const Strategy& strategy : slowStrategies()) {
        if (strategy.kind != Strategy::Kind::OptimalNested) {
            rows.push_back(study.compare({strategy}, budget).front());
            continue;
        }
        NestedLimits limits;
        limits.maxWork = kComparedWork;
        const Result<NestedStudy> nested = NestedStudy::solve(study, limits);
        Result<Plan> plan = nested ? nested->cheapestWithin(budget) : Result<Plan>(nested.error());
        rows.push_back(
            {strategy, plan ? std::optional(*plan) : std::nullopt, plan ? std::nullopt : std::optional(plan.error())});
    }
    return rows;
}

/// What the table says in a few words, in whole sentences.
std::string problemText(const std::vector<ComparedStrategy>& rows)
{
    std::string text;
    for (const ComparedStrategy& row : rows)
        if (row.problem)
            text += toName(row.strategy) + ": " + englishText(*row.problem) + " " + englishRemedy(*row.problem) + "\n";
    return text.empty() ? text : "\n" + text;
}

std::string comparisonMarkdown(const StepChoice& choice, const std::vector<ComparedStrategy>& rows, Bytes budget)
{
    return "# Strategies of " + choice.request.shape.name + "\n\n" + stepHeading(choice)
        + budgetText(choice.request.device, budget) + "\n\n" + toMarkdown(comparisonTextTable(rows))
        + problemText(rows);
}

} // namespace

Result<Answer> runCompare(const Arguments& arguments, const Environment& environment)
{
    if (arguments.to)
        if (auto known = checkTarget(*arguments.to, kTableTargets); !known)
            return known.error();
    Result<StepChoice> choice = chooseStep(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    const Result<Bytes> budget = budgetOrDevice(arguments, choice->request.device, choice->defaults);
    if (!budget)
        return budget.error();
    const Result<Study> study = Study::solve(choice->request);
    if (!study)
        return study.error();
    addNotes(choice->notes, deviceNotes(choice->request.device, study->leastPeak()));
    addNotes(choice->notes, budgetNotes(arguments));
    const std::vector<ComparedStrategy> rows = compareAll(*study, *budget);
    if (arguments.to) {
        Result<Answer> answer = exportAnswer(arguments,
            *arguments.to == "csv" ? toCsv(comparisonTable(rows)) : comparisonMarkdown(*choice, rows, *budget));
        if (answer)
            answer->notes = choice->notes;
        return answer;
    }
    if (arguments.isJson) {
        json strategies = json::array();
        for (const ComparedStrategy& row : rows)
            strategies.push_back(strategyJson(row));
        json object{{"format", "remat-comparison"}, {"version", 1}, {"budget_bytes", budget->value},
            {"strategies", strategies}, {"least_budget_bytes", study->leastPeak().value}};
        addStep(object, *choice);
        return jsonAnswer(object);
    }
    return Answer{stepHeading(*choice) + budgetText(choice->request.device, *budget) + "\n\n"
            + toText(comparisonTextTable(rows)) + problemText(rows) + "\n" + defaultsLine(choice->defaults),
        choice->notes, 0};
}

} // namespace remat::cli
