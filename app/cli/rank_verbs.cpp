// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/rank_verbs.h"

#include <nlohmann/json.hpp>

#include "app/cli/budget.h"
#include "app/cli/parallel_choice.h"
#include "app/cli/step_text.h"
#include "app/cli/torch_answer.h"
#include "app/cli/torch_choice.h"
#include "core/base/format_units.h"
#include "core/base/greatest_fitting.h"
#include "core/base/rates.h"
#include "core/regions/rank_view.h"
#include "core/regions/region_plan_file.h"
#include "core/regions/region_strategies.h"

namespace remat::cli {

namespace {

using nlohmann::json;

constexpr MessageCode kNoRankPlan{"ranks-not-planned",
    REMAT_TR("Regions are planned for one GPU; of many, fixed strategies are compared."),
    REMAT_TR("Use describe, compare or max-batch, or leave out --tp, --sp, --pp, --dp and --zero."), ExitCode::Usage};
constexpr MessageCode kNoRankStrategy{"rank-strategy-unknown", REMAT_TR("The view of one rank has no strategy {0}."),
    REMAT_TR("Use none, attention-only, ffn-only, every-K or full, or leave --strategy out to compare them."),
    ExitCode::Usage};
constexpr MessageCode kNoBatch{"rank-no-batch-fits",
    REMAT_TR("Not even a micro-batch of 1 fits into {0}: the fullest rank needs {1}."),
    REMAT_TR("Raise the budget, shorten the sequence, or divide the step over more GPUs."), ExitCode::DoesNotFit};

std::vector<Strategy> rankStrategies()
{
    std::vector<Strategy> strategies;
    for (const Strategy& strategy : regionStrategies())
        if (!strategy.isPlanner())
            strategies.push_back(strategy);
    return strategies;
}

/// The request as a strategy runs it.
Result<RegionRequest> requestOf(RegionRequest request, const Strategy& strategy)
{
    if (strategy.isPlanner())
        return Error{&kNoRankStrategy, "--strategy", {toName(strategy)}};
    Result<StrategyRegions> regions = regionsOf(strategy, request.shape);
    if (!regions)
        return regions.error();
    request.setup.stopsEarly = request.setup.stopsEarly && regions->stopsEarly;
    request.setup.layers = std::move(regions->layers);
    return request;
}

double samplesPerSecond(const TorchChoice& choice, std::int64_t batch, const RankView& view)
{
    return perSecond(batch * choice.request.setup.microBatches * choice.parallelism.data, view.step);
}

/// The four memory numbers of the fullest rank, and its times.
json predictionJson(const RankView& view, const Device& device)
{
    const RankBytes& rank = view.fullest();
    const ReservedBytes reserved = reservedFor(rank.peak, device);
    return {{"peak_bytes", rank.peak.value}, {"peak_at", rank.peakAt}, {"saved_bytes", rank.saved.value},
        {"reserved_bytes", reserved.least.value}, {"reserved_most_bytes", reserved.most.value},
        {"device_bytes", reserved.onDevice.value}, {"time_ns", view.time.value},
        {"optimizer_ns", view.optimizerTime.value}, {"step_ns", view.step.value}};
}

json viewJson(const RankView& view, const Device& device)
{
    json ranks = json::array();
    for (const RankBytes& rank : view.ranks)
        ranks.push_back(toJson(rank));
    json object = predictionJson(view, device);
    object["ranks"] = ranks;
    return object;
}

void addRanks(json& object, const TorchChoice& choice, const RankView& view)
{
    addChoice(object, choice);
    object["setup"]["parallelism"] = toJson(choice.parallelism);
    object["closed_forms"] = view.closedForms;
}

std::string heading(const TorchChoice& choice)
{
    return torchHeading(choice.request) + parallelText(choice.parallelism) + "\n";
}

std::string footing(const TorchChoice& choice, const RankView& view)
{
    std::string text = "simulated: what one rank computes";
    if (choice.parallelism.tensor > 1)
        text += ", heads, FFN and vocabulary over --tp";
    if (choice.parallelism.pipeline > 1)
        text += ", layers over --pp";
    text += "\n";
    for (const std::string& form : view.closedForms)
        text += form + "\n";
    return text + defaultsLine(choice.defaults);
}

Result<Answer> describeRanks(const Arguments& arguments, const TorchChoice& choice)
{
    const Device& device = choice.request.device;
    const RankView view = rankView(choice.request, choice.parallelism);
    const RankBytes& fullest = view.fullest();
    if (arguments.isJson) {
        json object{{"format", "remat-description"}, {"version", 1}, {"keep_all", viewJson(view, device)}};
        addRanks(object, choice, view);
        return jsonAnswer(object);
    }
    const ReservedBytes reserved = reservedFor(fullest.peak, device);
    Table table{{"figure of the fullest rank", "value", ""}, {}};
    table.rows = {{"saved for backward", formatBytes(fullest.saved), std::to_string(fullest.inFlight) + " in flight"},
        {"peak allocated", formatBytes(fullest.peak), fullest.peakAt},
        {"reserved", formatBytes(reserved.least), "with fragmentation up to " + formatBytes(reserved.most)},
        {"on the device", formatBytes(reserved.onDevice), "with the driver's context"},
        {"time of a step", formatDuration(view.step), "by roofline, without communication"}};
    return Answer{
        heading(choice) + "\n" + toText(table) + "\n" + toText(rankTable(view.ranks)) + "\n" + footing(choice, view),
        choice.notes, 0};
}

Result<Answer> compareRanks(const Arguments& arguments, TorchChoice choice)
{
    const Result<Bytes> budget = torchBudget(arguments, choice);
    if (!budget)
        return budget.error();
    const Nanoseconds keepAll = rankView(choice.request, choice.parallelism).step;
    Table table{{"strategy", "fits", "saved", "peak", "on the device", "step", "extra time", "samples per second"}, {}};
    json strategies = json::array();
    std::string problems;
    for (const Strategy& strategy : rankStrategies()) {
        const Result<RegionRequest> request = requestOf(choice.request, strategy);
        if (!request) {
            strategies.push_back(
                {{"strategy", toName(strategy)}, {"fits", false}, {"problem", errorObject(request.error())}});
            problems += toName(strategy) + ": " + englishText(request.error()) + "\n";
            continue;
        }
        const RankView view = rankView(*request, choice.parallelism);
        const RankBytes& fullest = view.fullest();
        const bool fits = fullest.peak <= *budget;
        const Bytes onDevice = reservedFor(fullest.peak, choice.request.device).onDevice;
        json row = viewJson(view, choice.request.device);
        row.update({{"strategy", toName(strategy)}, {"fits", fits}, {"problem", nullptr},
            {"samples_per_second", samplesPerSecond(choice, choice.request.setup.batch, view)}});
        strategies.push_back(std::move(row));
        table.rows.push_back(
            {toName(strategy), fits ? "yes" : "no", formatBytes(fullest.saved), formatBytes(fullest.peak),
                formatBytes(onDevice), formatDuration(view.step), formatPercent(ratio(view.step - keepAll, keepAll)),
                formatThreeDigits(samplesPerSecond(choice, choice.request.setup.batch, view))});
    }
    const RankView view = rankView(choice.request, choice.parallelism);
    if (arguments.isJson) {
        json object{{"format", "remat-comparison"}, {"version", 1}, {"budget_bytes", budget->value},
            {"strategies", strategies}};
        addRanks(object, choice, view);
        return jsonAnswer(object);
    }
    return Answer{heading(choice) + "budget of a rank " + formatBytes(*budget) + "\n\n" + toText(table) + "\n"
            + problems + footing(choice, view),
        choice.notes, 0};
}

/// A strategy's largest micro-batch.
struct LargestRankBatch {
    std::int64_t batch = 0;
    RankView view;
};

Result<LargestRankBatch> largestOf(const TorchChoice& choice, const Strategy& strategy, Bytes budget)
{
    const Result<RegionRequest> asked = requestOf(choice.request, strategy);
    if (!asked)
        return asked.error();
    RegionRequest request = *asked;
    LargestRankBatch largest;
    const auto fits = [&](std::int64_t batch) {
        request.setup.batch = batch;
        if (!validate(request))
            return false;
        RankView view = rankView(request, choice.parallelism);
        if (view.fullest().peak > budget) {
            if (batch == 1)
                largest.view = std::move(view);
            return false;
        }
        largest = {batch, std::move(view)};
        return true;
    };
    greatestFitting(1, kMaxBatch, fits);
    return largest;
}

Result<Answer> maxBatchRanks(const Arguments& arguments, TorchChoice choice)
{
    const Result<Bytes> budget = torchBudget(arguments, choice);
    if (!budget)
        return budget.error();
    std::vector<Strategy> strategies = rankStrategies();
    if (arguments.strategy) {
        const Result<Strategy> strategy = parseStrategy(*arguments.strategy);
        if (!strategy)
            return strategy.error();
        strategies = {*strategy};
    }
    Table table{{"strategy", "largest micro-batch", "peak", "step", "samples per second"}, {}};
    json rows = json::array();
    std::optional<json> largest, best;
    std::optional<RankView> shown;
    Bytes least{kMaxQuantity};
    for (const Strategy& strategy : strategies) {
        const Result<LargestRankBatch> found = largestOf(choice, strategy, *budget);
        if (!found && strategies.size() == 1)
            return found.error();
        if (!found)
            continue;
        const RankBytes& fullest = found->view.fullest();
        if (found->batch == 0) {
            least = std::min(least, fullest.peak);
            table.rows.push_back({toName(strategy), "0", formatBytes(fullest.peak), "", ""});
            rows.push_back({{"strategy", toName(strategy)}, {"batch", 0}, {"peak_bytes", fullest.peak.value}});
            continue;
        }
        const double rate = samplesPerSecond(choice, found->batch, found->view);
        json row = viewJson(found->view, choice.request.device);
        row.update({{"strategy", toName(strategy)}, {"batch", found->batch}, {"samples_per_second", rate}});
        table.rows.push_back({toName(strategy), std::to_string(found->batch), formatBytes(fullest.peak),
            formatDuration(found->view.step), formatThreeDigits(rate)});
        if (!largest || found->batch > (*largest)["batch"].get<std::int64_t>())
            largest = row;
        if (!best || rate > (*best)["samples_per_second"].get<double>())
            best = row;
        shown = found->view;
        rows.push_back(std::move(row));
    }
    if (!shown)
        return certificateAnswer(Error{&kNoBatch, "--budget", {*budget, least}}, *budget, least, arguments);
    if (arguments.isJson) {
        json object{{"format", "remat-max-batch"}, {"version", 1}, {"budget_bytes", budget->value},
            {"strategies", rows}, {"largest", *largest}, {"best", *best}};
        addRanks(object, choice, *shown);
        return jsonAnswer(object);
    }
    choice.request.setup.batch = (*best)["batch"].get<std::int64_t>();
    return Answer{heading(choice) + "budget of a rank " + formatBytes(*budget) + "\n\n" + toText(table) + "\n"
            + footing(choice, *shown),
        choice.notes, 0};
}

} // namespace

bool asksForRanks(const Arguments& arguments)
{
    return refuseParallel(arguments.setup) && arguments.verb != Verb::Chain && arguments.verb != Verb::Profile;
}

Error ranksNotPlanned(const Arguments& arguments)
{
    return {&kNoRankPlan, refuseParallel(arguments.setup)->where, {}};
}

Result<Answer> runRanks(const Arguments& arguments, const Environment& environment)
{
    if (arguments.verb == Verb::Plan || arguments.verb == Verb::Frontier)
        return ranksNotPlanned(arguments);
    Result<TorchChoice> choice = chooseTorch(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    addNotes(choice->notes, budgetNotes(arguments));
    if (arguments.verb == Verb::Compare)
        return compareRanks(arguments, *std::move(choice));
    if (arguments.verb == Verb::MaxBatch)
        return maxBatchRanks(arguments, *std::move(choice));
    return describeRanks(arguments, *choice);
}

} // namespace remat::cli
