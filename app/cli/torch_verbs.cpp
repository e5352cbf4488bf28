// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/torch_verbs.h"

#include <nlohmann/json.hpp>

#include "app/cli/budget.h"
#include "app/cli/step_text.h"
#include "app/cli/torch_answer.h"
#include "core/base/files.h"
#include "core/base/format_units.h"
#include "core/export/region_plan_table.h"
#include "core/regions/exact_options.h"
#include "core/regions/region_plan_file.h"

namespace remat::cli {

namespace {

using nlohmann::json;

constexpr MessageCode kOverBudget{"regions-over-budget",
    REMAT_TR("The strategy {0} needs {1}, {2} more than the budget."),
    REMAT_TR("Raise the budget, or use --strategy optimal, which needs {3} at least."), ExitCode::DoesNotFit};
constexpr MessageCode kNoPins{"pins-not-in-pytorch",
    REMAT_TR("The profile pytorch has no pins: its decisions are regions."),
    REMAT_TR("Leave out --pin, or use --profile runtime."), ExitCode::Usage};
constexpr MessageCode kExactRule{"exact-without-planner",
    REMAT_TR("--exact plans keep-sets of single tensors; the strategy {0} wraps whole modules."),
    REMAT_TR("Leave out --exact, or use --strategy optimal or none."), ExitCode::Usage};
constexpr MessageCode kNoExact{"exact-without-layers",
    REMAT_TR("For the type {0} no keep-sets of single tensors are planned."),
    REMAT_TR("Leave out --exact: regions are planned for this type."), ExitCode::BadInput};

std::vector<std::string> deviceNotesOf(const RegionPlan& plan)
{
    if (plan.fitsDevice())
        return {};
    return {"The device has " + formatBytes(plan.request.device.memory) + "; the step needs "
        + formatBytes(plan.prediction.device) + " with the driver's context."};
}

} // namespace

std::optional<Error> readPlanFlags(const Arguments& arguments, RegionRequest& request)
{
    if (!arguments.pins.empty())
        return Error{&kNoPins, "--pin", {}};
    request.isExact = arguments.isExact;
    if (request.isExact && !hasExactOptions(request.shape))
        return Error{&kNoExact, "--exact", {request.shape.modelType}};
    return std::nullopt;
}

Result<Answer> planTorch(const Arguments& arguments, const Environment& environment)
{
    Result<TorchChoice> choice = chooseTorch(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    if (const std::optional<Error> refused = readPlanFlags(arguments, choice->request))
        return *refused;
    const Result<Strategy> strategy = parseStrategy(arguments.strategy.value_or("optimal"));
    if (!strategy)
        return strategy.error();
    Result<std::optional<Bytes>> budget = readBudget(arguments);
    if (budget && strategy->needsBudget()) {
        const Result<Bytes> needed = torchBudget(arguments, *choice);
        budget = needed ? Result<std::optional<Bytes>>(*needed) : needed.error();
    }
    if (!budget)
        return budget.error();
    if (arguments.isExact && strategy->kind != Strategy::Kind::Optimal && strategy->kind != Strategy::Kind::None)
        return Error{&kExactRule, "--exact", {toName(*strategy)}};
    const Result<RegionStudy> study = RegionStudy::solve(choice->request);
    if (!study)
        return study.error();
    const Result<RegionPlan> plan = study->plan(*strategy, *budget);
    if (!plan && plan.error().exitCode() == ExitCode::DoesNotFit)
        return certificateAnswer(plan.error(), **budget, study->leastPeak(), arguments);
    if (!plan)
        return plan.error();
    addNotes(choice->notes, deviceNotesOf(*plan));
    addNotes(choice->notes, budgetNotes(arguments));
    if (arguments.out)
        if (auto written = writeFileAtomically(*arguments.out, regionPlanFileText(*plan)); !written)
            return written.error();
    const std::int64_t microBatches = choice->request.setup.microBatches;
    Answer answer{torchHeading(choice->request) + verdict(*plan) + "\n\n"
            + toText(predictionTable(plan->prediction, microBatches)) + "\n" + toText(layerTable(*plan)) + "\n"
            + (arguments.isExact
                    ? "cheapest point of keep-sets of single tensors whose simulated peak fits\n"
                    : "cheapest point of the regions that torch.utils.checkpoint can do whose simulated peak fits\n")
            + defaultsLine(choice->defaults),
        choice->notes, 0};
    json object = toJson(*plan);
    object["defaults"] = choice->defaults;
    object["notes"] = choice->notes;
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

Result<Answer> verifyTorch(const std::string& path, bool isJson)
{
    const Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    const Result<RegionPlan> plan = parseRegionPlan(*text, path);
    if (!plan)
        return plan.error();
    if (isJson)
        return jsonAnswer({{"format", "remat-verification"}, {"version", 1}, {"agrees", true},
            {"prediction", toJson(plan->prediction, plan->request.setup.microBatches)}, {"fits", plan->fits()}});
    return Answer{"agrees: " + verdict(*plan) + "\n\n"
            + toText(predictionTable(plan->prediction, plan->request.setup.microBatches)),
        {}, 0};
}

} // namespace remat::cli
