// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/budget.h"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "core/base/format_units.h"
#include "core/cost/device_memory.h"
#include "core/export/table.h"

namespace remat::cli {

namespace {

constexpr MessageCode kNeedsBudget{"budget-missing", REMAT_TR("This needs a budget: what the step may take."),
    REMAT_TR("Add --budget, for example --budget 8GiB, or a GPU with --device, whose memory is then the budget."),
    ExitCode::Usage};
constexpr MessageCode kBareNumber{"budget-is-bytes", REMAT_TR("A bare number is bytes: {0} is {1}."),
    REMAT_TR("With a unit it is {2}GiB or {2}MiB.")};
constexpr MessageCode kBeyondDevice{"plan-beyond-device",
    REMAT_TR("The plan needs {0} on {1}, context included, and the {2} has {3}."),
    REMAT_TR("A plan for it has a budget of {4} at most.")};
constexpr MessageCode kNothingOnDevice{"nothing-fits-device",
    REMAT_TR("Even the leanest of these plans needs {1}, and the {2} {0} can give {3}."),
    REMAT_TR(
        "Lower the batch or the sequence, choose half precision, an optimizer with less state or a larger device.")};

/// Bare numbers below this are taken for a forgotten unit.
constexpr Bytes kLeastMeant{std::int64_t{1} << 20};

std::string warning(const Error& error)
{
    return "warning: " + englishSentence(error);
}

} // namespace

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

Result<Bytes> budgetOrDevice(
    const Arguments& arguments, const Device& device, std::vector<std::string>& defaults, Bytes workspace)
{
    const Result<std::optional<Bytes>> given = readBudget(arguments);
    if (!given)
        return given.error();
    if (*given)
        return **given;
    const std::optional<Bytes> most = deviceBudget(device);
    // What a CPU's machine has is shared with everything else that runs there.
    if (device.kind != DeviceKind::Cuda || !most)
        return Error{&kNeedsBudget, "--budget", {}};
    const Bytes budget = std::max(Bytes{}, *most - workspace);
    const std::string besides = workspace == Bytes{} ? "" : ", and the workspace of cuBLAS, " + formatBytes(workspace);
    defaults.push_back("--budget " + formatBytes(budget) + " (memory of " + device.name + ", "
        + formatBytes(device.memory) + ", less its context, " + formatBytes(device.context) + besides + ")");
    return budget;
}

void addNotes(std::vector<std::string>& notes, std::vector<std::string> more)
{
    std::move(more.begin(), more.end(), std::back_inserter(notes));
}

std::vector<std::string> budgetNotes(const Arguments& arguments)
{
    const Result<std::optional<Bytes>> budget = readBudget(arguments);
    if (!budget || !*budget || **budget >= kLeastMeant || **budget == Bytes{})
        return {};
    const std::string& text = *arguments.budget;
    if (text.find_first_not_of("0123456789. ") != std::string::npos)
        return {};
    return {warning({&kBareNumber, "--budget", {text, **budget, text}})};
}

std::vector<std::string> deviceNotes(const Plan& plan, Bytes leastPeak)
{
    const Device& device = plan.device;
    if (plan.fitsDevice())
        return {};
    if (!fitsDevice(leastPeak, device))
        return deviceNotes(device, leastPeak);
    return {warning({&kBeyondDevice, "",
        {plan.prediction.device, device.name, std::string(deviceNoun(device)), device.memory,
            roundedDownAsPrinted(*deviceBudget(device))}})};
}

std::vector<std::string> deviceNotes(const Device& device, Bytes leastPeak)
{
    if (fitsDevice(leastPeak, device))
        return {};
    return {warning(
        {&kNothingOnDevice, "", {device.name, leastPeak, std::string(deviceNoun(device)), *deviceBudget(device)}})};
}

std::string budgetText(const Device& device, Bytes budget)
{
    const std::string text = "budget " + formatBytes(budget);
    return fitsDevice(budget, device) ? text
                                      : text + ", more than the " + std::string(deviceNoun(device))
            + " can give: " + formatBytes(*deviceBudget(device));
}

std::string moreBudgetText(const Plan& plan, const MoreBudget& next)
{
    return "more budget: +" + formatBytes(next.more) + " buys "
        + formatDuration(plan.prediction.time - next.point.cost.time) + " a micro-batch";
}

std::string budgetStepText(const std::vector<BudgetStep>& steps, Nanoseconds keepAll)
{
    if (steps.size() < 2)
        return {};
    Table table{{"with a budget of", "a micro-batch takes", "beyond keeping everything"}, {}};
    for (const BudgetStep& step : steps)
        table.rows.push_back({formatBytes(roundedUpAsPrinted(step.budget)), formatDuration(step.time),
            formatPercent(ratio(step.time - keepAll, keepAll))});
    return toText(table);
}

nlohmann::json budgetStepJson(const std::vector<BudgetStep>& steps)
{
    nlohmann::json list = nlohmann::json::array();
    for (const BudgetStep& step : steps)
        list.push_back({{"budget_bytes", step.budget.value}, {"time_ns", step.time.value}});
    return list;
}

std::string bindingText(const BindingOp& binding)
{
    using Kind = BindingOp::Kind;
    if (binding.kind == Kind::Base)
        return "what is resident from the start";
    if (binding.kind == Kind::StepEnd)
        return "the optimizer step";
    return "the " + std::string(nameOf(binding.kind)) + " of stage " + std::to_string(binding.stage + 1) + " ("
        + binding.stageName + ")";
}

Answer certificateAnswer(const Error& error, Bytes budget, Bytes leastBudget, const Arguments& arguments)
{
    nlohmann::json object = errorObject(error);
    object["budget_bytes"] = budget.value;
    object["least_budget_bytes"] = leastBudget.value;
    Answer answer = errorAnswer(std::move(object), static_cast<int>(error.exitCode()), arguments.isJson);
    addNotes(answer.notes, budgetNotes(arguments));
    return answer;
}

} // namespace remat::cli
