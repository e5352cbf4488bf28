// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/torch_verbs.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "app/cli/budget.h"
#include "app/cli/table_export.h"
#include "app/cli/torch_choice.h"
#include "app/cli/weight_answer.h"
#include "core/base/files.h"
#include "core/base/format_units.h"
#include "core/export/region_plan_table.h"
#include "core/model/model_json.h"
#include "core/model/module_paths.h"
#include "core/model/weights.h"
#include "core/regions/exact_options.h"
#include "core/regions/region_plan_file.h"
#include "core/regions/region_strategies.h"

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
constexpr MessageCode kNoBatchFits{"torch-no-batch-fits",
    REMAT_TR("Not even one sequence fits into {0}: it needs {1}."),
    REMAT_TR("Raise the budget, or shorten the sequence."), ExitCode::DoesNotFit};

std::string heading(const RegionRequest& request, std::int64_t parameters)
{
    const ScaledQuantity count = scaleFlops({parameters});
    const std::string unit = count.unit;
    const std::string prefix = unit.substr(0, unit.size() - std::string_view("FLOP").size());
    return request.shape.name + " (" + formatThreeDigits(count.value) + " " + prefix + (prefix.empty() ? "" : " ")
        + "parameters), batch " + std::to_string(request.setup.batch) + " x " + std::to_string(request.setup.sequence)
        + " tokens, profile pytorch, " + toName(request.setup.precision) + ", device " + request.device.name + "\n";
}

std::string defaultsText(const TorchChoice& choice)
{
    std::string line;
    for (const std::string& entry : choice.defaults)
        line += (line.empty() ? "defaults: " : ", ") + entry;
    return line.empty() ? line : line + "\n";
}

void addChoice(json& object, const TorchChoice& choice, std::int64_t parameters)
{
    object["model"] = toJson(choice.request.shape);
    object["model"]["parameters"] = parameters;
    object["setup"] = toJson(choice.request.setup, choice.request.shape);
    object["device"] = choice.request.device.name;
    object["defaults"] = choice.defaults;
    object["notes"] = choice.notes;
}

std::vector<std::string> deviceNotesOf(const RegionPlan& plan)
{
    if (plan.fitsDevice())
        return {};
    return {"The device has " + formatBytes(plan.request.device.memory) + "; the step needs "
        + formatBytes(plan.prediction.device) + " with the driver's context."};
}

/// Saved bytes of one inner layer by module and op.
json layerTensors(const RegionRequest& request, Table& table)
{
    const torch::TorchStep step = torch::simulateTorchStep(request.shape, request.setup);
    const std::int64_t layer = std::min<std::int64_t>(request.shape.layers - 1, 1);
    const std::string prefix = modulePathsOf(request.shape).layers + std::to_string(layer);
    json list = json::array();
    for (const torch::SavedTensor& tensor : step.savedTensors) {
        if (tensor.module != prefix && !tensor.module.starts_with(prefix + "."))
            continue;
        std::string shape;
        json sizes = json::array();
        for (std::size_t i = 0; i < static_cast<std::size_t>(tensor.sizes.count()); ++i) {
            shape += (shape.empty() ? "" : " x ") + std::to_string(tensor.sizes[static_cast<int>(i)]);
            sizes.push_back(tensor.sizes[static_cast<int>(i)]);
        }
        const std::string module = tensor.module.size() > prefix.size() ? tensor.module.substr(prefix.size() + 1) : "";
        list.push_back({{"module", module}, {"op", tensor.op}, {"shape", sizes}, {"dtype", nameOf(tensor.dtype)},
            {"bytes", tensor.bytes.value}, {"weight_cast", tensor.isWeightCast}});
        table.rows.push_back({module.empty() ? "(layer)" : module, tensor.op, shape, std::string(nameOf(tensor.dtype)),
            formatBytes(tensor.bytes)});
    }
    return list;
}

/// A terminal's line that says what is being tried: each batch of a model of many layers takes a while.  Gone at the
/// end.
class TriedLine {
public:
    void show(std::int64_t batch)
    {
        if (m_isTerminal)
            std::fprintf(stderr, "\rtrying batch %lld\x1b[K", static_cast<long long>(batch));
    }
    ~TriedLine()
    {
        if (m_isTerminal)
            std::fputs("\r\x1b[K", stderr);
    }

private:
    bool m_isTerminal = ::isatty(STDERR_FILENO) == 1;
};

/// A strategy's plan; a rule needs no study.
Result<RegionPlan> planFor(const RegionRequest& request, const Strategy& strategy, Bytes budget)
{
    if (strategy.kind != Strategy::Kind::Optimal)
        return planOfRule(request, strategy, budget);
    const Result<RegionStudy> study = RegionStudy::solve(request);
    return study ? study->plan(strategy, budget) : Result<RegionPlan>(study.error());
}

} // namespace

Result<Answer> describeTorch(const Arguments& arguments, const Environment& environment)
{
    const Result<ImportedModel> model = chooseModel(arguments.model, environment);
    if (!model)
        return model.error();
    // Of a step that no profile describes, the weights are all that can be said.
    if (!arguments.setup.profile && !torch::knowsTorchStep(model->shape))
        return describeWeights(*model, arguments.isJson);
    const Result<TorchChoice> choice = chooseTorch(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    const RegionRequest& request = choice->request;
    const RegionPrediction p = predict(request, {});
    const Bytes perLayer = torch::savedBytesPerLayer(request.shape, request.setup);
    Table tensors{{"module in a layer", "op", "shape", "type", "bytes"}, {}};
    const json list = layerTensors(request, tensors);
    if (arguments.isJson) {
        json object{{"format", "remat-description"}, {"version", 1},
            {"keep_all", toJson(p, request.setup.microBatches)},
            {"saved",
                {{"total_bytes", p.saved.value}, {"per_layer_bytes", perLayer.value},
                    {"weight_cast_bytes", p.weightCasts.value}}},
            {"layer_tensors", list}};
        addChoice(object, *choice, p.parameterCount);
        return jsonAnswer(object);
    }
    return Answer{heading(request, p.parameterCount) + "saved by each layer: " + formatBytes(perLayer) + "\n\n"
            + toText(predictionTable(p, request.setup.microBatches)) + "\n" + toText(tensors) + "\n"
            + defaultsText(*choice),
        choice->notes, 0};
}

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
    Answer answer{heading(choice->request, plan->prediction.parameterCount) + verdict(*plan) + "\n\n"
            + toText(predictionTable(plan->prediction, microBatches)) + "\n" + toText(layerTable(*plan)) + "\n"
            + (arguments.isExact
                    ? "cheapest point of keep-sets of single tensors whose simulated peak fits\n"
                    : "cheapest point of the regions that torch.utils.checkpoint can do whose simulated peak fits\n")
            + defaultsText(*choice),
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

Result<Answer> frontierTorch(const Arguments& arguments, const Environment& environment)
{
    const Result<TorchChoice> choice = chooseTorch(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    const Result<RegionStudy> study = RegionStudy::solve(choice->request);
    if (!study)
        return study.error();
    const std::vector<RegionPlan> plans = study->frontier();
    json pairs = json::array(), points = json::array();
    Table table{{"peak_bytes", "time_ns", "overhead_ns", "layers_recomputed"}, {}};
    for (const RegionPlan& plan : plans) {
        const RegionPrediction& p = plan.prediction;
        const auto recomputed = std::count_if(
            plan.options.begin(), plan.options.end(), [](const std::string& name) { return name != "keep"; });
        pairs.push_back({p.peak.value, p.time.value});
        points.push_back({{"peak_bytes", p.peak.value}, {"time_ns", p.time.value}, {"overhead_ns", p.overhead.value},
            {"fits_device", plan.fitsDevice()}, {"layers_recomputed", recomputed}});
        table.rows.push_back({std::to_string(p.peak.value), std::to_string(p.time.value),
            std::to_string(p.overhead.value), std::to_string(recomputed)});
    }
    if (arguments.isJson) {
        json object{{"format", "remat-frontier"}, {"version", 1}, {"class", "regions"}, {"exact", false},
            {"gap", nullptr}, {"proved_optimal", false}, {"frontier", pairs}, {"points", points}};
        addChoice(object, *choice, study->keepAll().prediction.parameterCount);
        return jsonAnswer(object);
    }
    if (arguments.isCsv)
        return Answer{toCsv(table), choice->notes, 0};
    return Answer{heading(choice->request, study->keepAll().prediction.parameterCount) + "\n" + toText(table) + "\n"
            + defaultsText(*choice),
        choice->notes, 0};
}

Result<Answer> compareTorch(const Arguments& arguments, const Environment& environment)
{
    if (arguments.to)
        if (auto known = checkTarget(*arguments.to, kTableTargets); !known)
            return known.error();
    Result<TorchChoice> choice = chooseTorch(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    const Result<Bytes> budget = torchBudget(arguments, *choice);
    if (!budget)
        return budget.error();
    const Result<RegionStudy> study = RegionStudy::solve(choice->request);
    if (!study)
        return study.error();
    json strategies = json::array();
    Table text{{"strategy", "fits", "saved", "peak", "reserved at most", "on the device", "step", "extra time"}, {}};
    Table csv{{"strategy", "fits", "peak_bytes", "saved_bytes", "reserved_bytes", "reserved_most_bytes", "device_bytes",
                  "time_ns", "overhead_ns"},
        {}};
    std::string problems;
    for (const ComparedRegions& row : study->compare(*budget)) {
        const std::string name = toName(row.strategy);
        json object{{"strategy", name}, {"fits", row.plan && row.plan->fits()},
            {"fits_device", row.plan ? json(row.plan->fitsDevice()) : json(nullptr)},
            {"problem", row.problem ? errorObject(*row.problem) : json(nullptr)}};
        if (row.plan) {
            const RegionPrediction& p = row.plan->prediction;
            object.update(
                {{"peak_bytes", p.peak.value}, {"peak_at", placeText(p.peakAt)}, {"saved_bytes", p.saved.value},
                    {"reserved_bytes", p.reserved.value}, {"reserved_most_bytes", p.reservedMost.value},
                    {"device_bytes", p.device.value}, {"time_ns", p.time.value}, {"overhead_ns", p.overhead.value},
                    {"step_ns", p.stepTime(choice->request.setup.microBatches).value}});
            text.rows.push_back({name, row.plan->fits() ? "yes" : "no", formatBytes(p.saved), formatBytes(p.peak),
                formatBytes(p.reservedMost), formatBytes(p.device),
                formatDuration(p.stepTime(choice->request.setup.microBatches)), formatPercent(row.plan->extraTime())});
            csv.rows.push_back({name, row.plan->fits() ? "true" : "false", std::to_string(p.peak.value),
                std::to_string(p.saved.value), std::to_string(p.reserved.value), std::to_string(p.reservedMost.value),
                std::to_string(p.device.value), std::to_string(p.time.value), std::to_string(p.overhead.value)});
        } else {
            text.rows.push_back({name, "no", "", "", "", "", "", ""});
            csv.rows.push_back({name, "false", "", "", "", "", "", "", ""});
            problems += name + ": " + englishText(*row.problem) + " " + englishRemedy(*row.problem) + "\n";
        }
        strategies.push_back(std::move(object));
    }
    const std::string body = heading(choice->request, study->keepAll().prediction.parameterCount) + "budget "
        + formatBytes(*budget) + "\n\n";
    if (arguments.to)
        return exportAnswer(arguments, *arguments.to == "csv" ? toCsv(csv) : body + toMarkdown(text) + problems);
    if (arguments.isJson) {
        json object{{"format", "remat-comparison"}, {"version", 1}, {"budget_bytes", budget->value},
            {"strategies", strategies}, {"least_budget_bytes", study->leastPeak().value}};
        addChoice(object, *choice, study->keepAll().prediction.parameterCount);
        return jsonAnswer(object);
    }
    return Answer{body + toText(text) + (problems.empty() ? "" : "\n" + problems) + "\n" + defaultsText(*choice),
        choice->notes, 0};
}

Result<Answer> maxBatchTorch(const Arguments& arguments, const Environment& environment)
{
    Result<TorchChoice> choice = chooseTorch(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    const Result<Strategy> strategy = parseStrategy(arguments.strategy.value_or("optimal"));
    if (!strategy)
        return strategy.error();
    const Result<Bytes> budget = torchBudget(arguments, *choice);
    if (!budget)
        return budget.error();
    std::optional<Error> problem;
    TriedLine tried;
    const auto planOf = [&](std::int64_t batch) -> std::optional<RegionPlan> {
        RegionRequest request = choice->request;
        request.setup.batch = batch;
        if (auto valid = validate(request); !valid) {
            problem = valid.error();
            return std::nullopt;
        }
        tried.show(batch);
        const Result<RegionPlan> plan = planFor(request, *strategy, *budget);
        if (!plan) {
            problem = plan.error();
            return std::nullopt;
        }
        return plan->fits() ? std::optional(*plan) : std::nullopt;
    };
    std::optional<RegionPlan> largest = planOf(1);
    if (!largest) {
        if (problem && problem->exitCode() != ExitCode::DoesNotFit)
            return *problem;
        const Result<RegionStudy> study = RegionStudy::solve([&] {
            RegionRequest request = choice->request;
            request.setup.batch = 1;
            return request;
        }());
        return Error{&kNoBatchFits, "--budget", {*budget, study ? study->leastPeak() : Bytes{}}};
    }
    // Doubling, then halving the gap: peaks grow with the batch.
    std::int64_t fits = 1, fails = 2;
    RegionPlan best = *largest;
    const auto rate = [](const RegionPlan& plan) {
        return static_cast<double>(plan.request.setup.batch * plan.request.setup.microBatches) * 1e9
            / static_cast<double>(
                std::max<std::int64_t>(1, plan.prediction.stepTime(plan.request.setup.microBatches).value));
    };
    const auto tryBatch = [&](std::int64_t batch) {
        std::optional<RegionPlan> plan = planOf(batch);
        if (!plan)
            return false;
        if (rate(*plan) > rate(best))
            best = *plan;
        largest = std::move(plan);
        return true;
    };
    while (fails <= kMaxBatch && tryBatch(fails)) {
        fits = fails;
        fails *= 2;
    }
    while (fails - fits > 1) {
        const std::int64_t middle = fits + (fails - fits) / 2;
        (tryBatch(middle) ? fits : fails) = middle;
    }
    if (arguments.out)
        if (auto written = writeFileAtomically(*arguments.out, regionPlanFileText(best)); !written)
            return written.error();
    if (arguments.isJson) {
        json object{{"format", "remat-max-batch"}, {"version", 1}, {"strategy", toName(*strategy)},
            {"budget_bytes", budget->value},
            {"largest",
                {{"batch", fits}, {"peak_bytes", largest->prediction.peak.value},
                    {"prediction", toJson(largest->prediction, largest->request.setup.microBatches)}}},
            {"best",
                {{"batch", best.request.setup.batch}, {"samples_per_second", rate(best)},
                    {"peak_bytes", best.prediction.peak.value}, {"plan", toJson(best)}}}};
        addChoice(object, *choice, best.prediction.parameterCount);
        return jsonAnswer(object);
    }
    return Answer{heading(choice->request, best.prediction.parameterCount) + "largest batch within "
            + formatBytes(*budget) + " by " + toName(*strategy) + ": " + std::to_string(fits) + " (peak "
            + formatBytes(largest->prediction.peak) + ")\nmost samples a second: batch "
            + std::to_string(best.request.setup.batch) + ", " + formatThreeDigits(rate(best)) + " samples/s\n\n"
            + toText(predictionTable(best.prediction, best.request.setup.microBatches)) + "\n" + defaultsText(*choice),
        choice->notes, 0};
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
