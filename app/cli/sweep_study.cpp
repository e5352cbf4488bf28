// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep_study.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include <nlohmann/json.hpp>

#include "app/cli/answer.h"
#include "app/cli/arguments.h"
#include "app/cli/budget.h"
#include "app/cli/paper_verbs.h"
#include "app/cli/rank_verbs.h"
#include "app/cli/step_choice.h"
#include "app/cli/torch_choice.h"
#include "app/cli/torch_verbs.h"
#include "core/base/format_units.h"
#include "core/base/json_text.h"
#include "core/base/rates.h"
#include "core/plan/nested_study.h"
#include "core/plan/plan.h"
#include "core/regions/region_study.h"

namespace remat::cli {

namespace {

using nlohmann::json;

constexpr MessageCode kNoGpuMemory{"sweep-budget-missing",
    REMAT_TR("The strategy needs a budget, and the device {0} has none of its own."),
    REMAT_TR("Add an axis \"budget\" to the grid.")};

constexpr std::int64_t kNestedWorkOfPoint = kNestedWork / 10;
constexpr std::int64_t kNestedBytesOfPoint = kNestedTableBytes / 8;

/// The command line of a study as `remat plan` reads it.
Result<Arguments> argumentsOf(const std::vector<std::string>& flags)
{
    std::vector<const char*> words{"remat", "plan"};
    for (const std::string& flag : flags)
        words.push_back(flag.c_str());
    return parseArguments(static_cast<int>(words.size()), words.data());
}

/// What both kinds of plan predict under the same names.
template <class AnyPlan> json figuresOf(const AnyPlan& plan, Nanoseconds step, std::int64_t samples)
{
    const auto& p = plan.prediction;
    return {{"fits", plan.fits()}, {"fits_device", plan.fitsDevice()}, {"peak_bytes", p.peak.value},
        {"saved_bytes", p.saved.value}, {"base_bytes", p.base.value}, {"reserved_bytes", p.reserved.value},
        {"device_bytes", p.device.value}, {"time_ns", p.time.value}, {"overhead_ns", p.overhead.value},
        {"step_ns", step.value}, {"extra_time", plan.extraTime()}, {"samples_per_second", perSecond(samples, step)}};
}

json rowOf(const Plan& plan)
{
    const TrainingSetup& setup = plan.setup();
    json row = figuresOf(plan, plan.prediction.stepTime(setup), setup.batch * setup.microBatches);
    row["class"] = plan.proof.planClass;
    return row;
}

json rowOf(const RegionPlan& plan)
{
    const torch::TorchSetup& setup = plan.request.setup;
    json row = figuresOf(plan, plan.prediction.stepTime(setup.microBatches), setup.batch * setup.microBatches);
    row["class"] = "regions";
    return row;
}

json problemRow(const Error& error)
{
    return {{"fits", false}, {"problem", errorObject(error)}};
}

/// A planner's refusal is an answer, with the budget that would do.
template <class AnyPlan> json rowOf(const Result<AnyPlan>& plan, Bytes leastPeak)
{
    if (plan)
        return rowOf(*plan);
    if (plan.error().exitCode() != ExitCode::DoesNotFit)
        return problemRow(plan.error());
    return {{"fits", false}, {"least_budget_bytes", leastPeak.value}};
}

/// A point's budget; nothing where neither the grid nor a GPU names one and the strategy can do without.
Result<std::optional<Bytes>> budgetOf(const std::string& text, const Strategy& strategy, const Device& device)
{
    if (!text.empty()) {
        const Result<Bytes> budget = parseBytes(text);
        return budget ? Result<std::optional<Bytes>>(*budget) : budget.error();
    }
    if (!strategy.needsBudget())
        return std::optional<Bytes>();
    const std::optional<Bytes> most = deviceBudget(device);
    if (device.kind != DeviceKind::Cuda || !most)
        return Error{&kNoGpuMemory, "budget", {device.name}};
    return most;
}

using Answerer = std::function<json(const Strategy&, std::optional<Bytes>)>;

/// The strategy of a point: that of its axis, or that of a group of flags; empty where neither names one.
std::string strategyOf(const std::string& name, const Arguments& arguments)
{
    return name.empty() ? arguments.strategy.value_or("") : name;
}

std::string budgetTextOf(const std::string& text, const Arguments& arguments)
{
    return text.empty() ? arguments.budget.value_or("") : text;
}

/// Answers every point of a study whose solve is `answer`.
json rowsOf(const SweepGrid& grid, const Arguments& arguments, const Device& device, const Answerer& answer)
{
    json rows = json::array();
    for (const std::string& axisName : grid.strategies()) {
        const std::string name = strategyOf(axisName, arguments);
        const Result<Strategy> strategy = parseStrategy(name.empty() ? "optimal" : name);
        for (const std::string& axisText : grid.budgets()) {
            const std::string text = budgetTextOf(axisText, arguments);
            if (!strategy) {
                rows.push_back(problemRow(strategy.error()));
                continue;
            }
            const Result<std::optional<Bytes>> budget = budgetOf(text, *strategy, device);
            rows.push_back(budget ? answer(*strategy, *budget) : problemRow(budget.error()));
        }
    }
    return rows;
}

json allRows(const SweepGrid& grid, const json& row)
{
    return json(static_cast<std::size_t>(grid.pointsOfStudy()), row);
}

json runtimeRows(const SweepGrid& grid, const Arguments& arguments, const Environment& environment)
{
    Result<StepChoice> choice = chooseStep(arguments.model, arguments.setup, environment);
    if (!choice)
        return allRows(grid, problemRow(choice.error()));
    for (const std::string& text : arguments.pins) {
        const Result<Pin> pin = parsePin(text);
        if (!pin)
            return allRows(grid, problemRow(pin.error()));
        choice->request.pins.push_back(*pin);
    }
    FlatLimits limits{.threads = 1};
    if (arguments.isExact)
        limits.maxPoints = std::numeric_limits<std::int64_t>::max();
    const Result<Study> study = Study::solve(choice->request, limits);
    if (!study)
        return allRows(grid, problemRow(study.error()));
    std::optional<Result<NestedStudy>> nested; // solved when the first of its points is there
    return rowsOf(grid, arguments, choice->request.device, [&](const Strategy& strategy, std::optional<Bytes> budget) {
        if (strategy.kind != Strategy::Kind::OptimalNested)
            return rowOf(study->plan(strategy, budget), study->leastPeak());
        if (!nested) {
            NestedLimits narrow;
            narrow.threads = 1;
            narrow.maxWork = kNestedWorkOfPoint;
            narrow.maxTableBytes = kNestedBytesOfPoint;
            nested = NestedStudy::solve(*study, narrow);
        }
        if (!*nested)
            return problemRow(nested->error());
        return rowOf((*nested)->cheapestWithin(*budget), (*nested)->leastPeak());
    });
}

json torchRows(const SweepGrid& grid, const Arguments& arguments, const Environment& environment)
{
    Result<TorchChoice> choice = chooseTorch(arguments.model, arguments.setup, environment);
    if (!choice)
        return allRows(grid, problemRow(choice.error()));
    if (const std::optional<Error> refused = readPlanFlags(arguments, choice->request))
        return allRows(grid, problemRow(*refused));
    const Result<RegionStudy> study = RegionStudy::solve(choice->request, {.threads = 1});
    if (!study)
        return allRows(grid, problemRow(study.error()));
    return rowsOf(grid, arguments, choice->request.device, [&](const Strategy& strategy, std::optional<Bytes> budget) {
        return rowOf(study->plan(strategy, budget), study->leastPeak());
    });
}

/// A mistake in a grid's value is a mistake in a file.
Error inGrid(Error error, const std::string& where)
{
    error.where = error.where.empty() ? where : where + ": " + error.where;
    error.exit = ExitCode::BadInput;
    return error;
}

} // namespace

Result<void> checkGrid(const SweepGrid& grid, const std::string& where, const Environment& environment)
{
    for (const std::string& name : grid.strategies())
        if (const auto strategy = parseStrategy(name.empty() ? "optimal" : name); !strategy)
            return inGrid(strategy.error(), where);
    for (const std::string& text : grid.budgets())
        if (const auto budget = parseBytes(text.empty() ? "1" : text); !budget)
            return inGrid(budget.error(), where + ": budget");
    std::vector<std::vector<std::string>> lines{grid.wordsOf(0)};
    for (std::size_t axis = 0; axis < grid.axes().size(); ++axis)
        for (std::size_t entry = 0; entry < grid.axes()[axis].entries.size(); ++entry)
            lines.push_back(grid.wordsOf(axis, entry));
    for (const std::vector<std::string>& words : lines) {
        const Result<Arguments> arguments = argumentsOf(words);
        if (!arguments)
            return inGrid(arguments.error(), where);
        // A point is a plan for one GPU.
        if (asksForPaper(*arguments))
            return inGrid(verbNotInPaper(), where);
        if (asksForRanks(*arguments))
            return inGrid(ranksNotPlanned(*arguments), where);
        if (const auto strategy = parseStrategy(arguments->strategy.value_or("optimal")); !strategy)
            return inGrid(strategy.error(), where);
        if (const auto budget = parseBytes(arguments->budget.value_or("1")); !budget)
            return inGrid(budget.error(), where + ": budget");
        if (const auto model = chooseModel(arguments->model, environment); !model)
            return inGrid(model.error(), where);
        if (const auto& device = arguments->setup.device)
            if (const auto found = findDevice(arguments->setup, *device, environment); !found)
                return inGrid(found.error(), where);
    }
    return {};
}

std::string answerStudy(const SweepGrid& grid, std::int64_t study, const Environment& environment)
{
    const Result<Arguments> arguments = argumentsOf(grid.wordsOf(study));
    if (!arguments)
        return jsonText(allRows(grid, problemRow(arguments.error())));
    return jsonText(asksForTorch(*arguments, environment) ? torchRows(grid, *arguments, environment)
                                                          : runtimeRows(grid, *arguments, environment));
}

} // namespace remat::cli
