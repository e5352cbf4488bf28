// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <nlohmann/json.hpp>

#include "app/cli/budget.h"
#include "app/cli/step_choice.h"
#include "app/cli/step_text.h"
#include "app/cli/variant_answer.h"
#include "app/cli/verbs.h"
#include "core/base/files.h"
#include "core/base/format_units.h"
#include "core/export/plan_table.h"
#include "core/plan/nested_study.h"
#include "core/plan/plan_file.h"

namespace remat::cli {

namespace {

using nlohmann::json;

constexpr MessageCode kOverBudget{"plan-over-budget", REMAT_TR("The strategy {0} needs {1}, {2} more than the budget."),
    REMAT_TR("Raise the budget, or use --strategy optimal, which needs {3} at least."), ExitCode::DoesNotFit};

std::string planText(const Plan& plan, const std::optional<MoreBudget>& next, const std::vector<VariantOffer>& offers)
{
    std::string text = verdict(plan) + "\n" + variantSentence(offers) + "\n" + toText(figureTable(plan)) + "\n"
        + toText(decisionTable(plan)) + "\n";
    const PlanProof& proof = plan.proof;
    if (plan.strategy.isPlanner()) {
        text += plan.strategy.kind == Strategy::Kind::Optimal
            ? "cheapest of all plans that run each layer's forward once"
            : "cheapest of all plans of the class " + proof.planClass + ": layers may run forward again";
        text += proof.isExact ? " (exact)\n" : ", within " + formatPercent(proof.gap) + "\n";
        text += "least budget that any of them meets: " + formatBytes(*proof.leastPeak) + ", where "
            + bindingText(*proof.leastBinding) + " binds\n";
    }
    if (next)
        text += moreBudgetText(plan, *next) + ", " + formatPercent(-next->saved) + " of a step\n";
    return text;
}

json planObject(const Plan& plan, const StepChoice& choice, const std::optional<MoreBudget>& next,
    const std::vector<VariantOffer>& offers)
{
    json object = toJson(plan);
    object["defaults"] = choice.defaults;
    object["notes"] = choice.notes;
    object["next_cheaper"] = next
        ? json{{"peak_bytes", next->point.cost.peak.value}, {"time_ns", next->point.cost.time.value}}
        : json(nullptr);
    object["variants"] = variantsJson(offers);
    return object;
}

} // namespace

Result<Answer> runPlan(const Arguments& arguments, const Environment& environment)
{
    Result<StepChoice> choice = chooseStep(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    const Result<Strategy> strategy = parseStrategy(arguments.strategy.value_or("optimal"));
    if (!strategy)
        return strategy.error();
    Result<std::optional<Bytes>> budget = readBudget(arguments);
    if (budget && strategy->needsBudget()) {
        const Result<Bytes> needed = budgetOrDevice(arguments, choice->request.device, choice->defaults);
        budget = needed ? Result<std::optional<Bytes>>(*needed) : needed.error();
    }
    if (!budget)
        return budget.error();
    for (const std::string& text : arguments.pins) {
        const Result<Pin> pin = parsePin(text);
        if (!pin)
            return pin.error();
        choice->request.pins.push_back(*pin);
    }
    FlatLimits limits;
    if (arguments.isExact)
        limits.maxPoints = std::numeric_limits<std::int64_t>::max();
    const Result<Study> study = Study::solve(choice->request, limits);
    if (!study)
        return study.error();
    std::optional<NestedStudy> nested;
    if (strategy->kind == Strategy::Kind::OptimalNested) {
        NestedLimits nestedLimits;
        if (arguments.isExact)
            nestedLimits.maxWork = std::numeric_limits<std::int64_t>::max();
        Result<NestedStudy> solved = NestedStudy::solve(*study, nestedLimits);
        if (!solved)
            return solved.error();
        nested = *std::move(solved);
    }
    const Bytes least = nested ? nested->leastPeak() : study->leastPeak();
    const Result<Plan> plan = nested ? nested->cheapestWithin(**budget) : study->plan(*strategy, *budget);
    // Only a planner's refusal certifies a least budget.
    if (!plan && strategy->isPlanner() && plan.error().exitCode() == ExitCode::DoesNotFit) {
        Answer answer = certificateAnswer(plan.error(), **budget, least, arguments);
        addNotes(answer.notes, deviceNotes(choice->request.device, least));
        return answer;
    }
    if (!plan)
        return plan.error();
    addNotes(choice->notes, deviceNotes(*plan, least));
    addNotes(choice->notes, budgetNotes(arguments));
    if (arguments.out)
        if (auto written = writeFileAtomically(*arguments.out, planFileText(*plan)); !written)
            return written.error();

    const std::optional<MoreBudget> next = nested ? moreBudget(nested->points(), *plan) : study->moreBudget(*plan);
    const std::vector<VariantOffer> offers
        = nested ? variantOffers(*study, *nested, *plan) : variantOffers(*study, *plan);
    Answer answer{
        stepHeading(*choice) + planText(*plan, next, offers) + defaultsLine(choice->defaults), choice->notes, 0};
    json object = planObject(*plan, *choice, next, offers);
    if (!plan->fits()) {
        const Error error{&kOverBudget, "--strategy",
            {toName(*strategy), plan->prediction.peak, plan->prediction.peak - **budget, study->leastPeak()}};
        object["error"] = errorObject(error);
        answer.notes.push_back("remat: " + englishSentence(error));
        answer.exit = static_cast<int>(error.exitCode());
    }
    if (arguments.isJson)
        answer.output = jsonAnswer(object).output;
    return answer;
}

} // namespace remat::cli
