// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/paper_verbs.h"

#include <array>

#include <nlohmann/json.hpp>

#include "app/cli/budget.h"
#include "app/cli/paper_choice.h"
#include "app/cli/parallel_choice.h"
#include "app/cli/step_text.h"
#include "core/base/format_units.h"
#include "core/base/greatest_fitting.h"
#include "core/base/rates.h"
#include "core/cost/device_memory.h"
#include "core/model/model_json.h"

namespace remat::cli {

namespace {

using nlohmann::json;

constexpr MessageCode kNoVerb{"verb-not-in-paper",
    REMAT_TR("The profile paper has three points alone: none, core-attention and full."),
    REMAT_TR("Use describe, plan, compare or max-batch."), ExitCode::Usage};
constexpr MessageCode kNoOutput{"flag-not-in-paper-verb",
    REMAT_TR("Closed forms are no plan that a program could run."), REMAT_TR("Leave it out, or use --profile pytorch."),
    ExitCode::Usage};
constexpr MessageCode kNoneFits{"paper-nothing-fits",
    REMAT_TR("The fullest rank needs {0} with {1}, {2} more than the budget."),
    REMAT_TR("Raise the budget, lower the batch, or divide the step over more GPUs."), ExitCode::DoesNotFit};

constexpr std::array<PaperRecompute, 3> kAll{PaperRecompute::None, PaperRecompute::Selective, PaperRecompute::Full};

constexpr const char* kForms
    = "closed forms of Korthikanti et al. 2022 (activations), Rajbhandari et al. 2020 (states), "
      "Narayanan et al. 2021 (1F1B); communication is not counted";

std::int64_t parametersOf(const PaperRequest& request)
{
    return paperParameters(PaperSizes::of(request.shape, 1, 1));
}

std::string heading(const PaperChoice& choice)
{
    const PaperRequest& request = choice.request;
    return textOf(StepTitle{request.shape.name, parametersOf(request), request.batch, request.microBatches,
               request.sequence, "paper", request.device.name})
        + parallelText(request.parallelism) + "\n";
}

std::string footing(const PaperChoice& choice)
{
    return std::string(kForms) + "\n" + defaultsLine(choice.defaults);
}

void addChoice(json& object, const PaperChoice& choice)
{
    const PaperRequest& request = choice.request;
    object["model"] = toJson(request.shape);
    object["model"]["parameters"] = parametersOf(request);
    object["setup"] = {{"profile", "paper"}, {"batch", request.batch}, {"sequence", request.sequence},
        {"micro_batches", request.microBatches}, {"precision", "half"},
        {"optimizer", request.hasOptimizer ? "adamw" : "none"}, {"parallelism", toJson(request.parallelism)}};
    object["device"] = request.device.name;
    object["closed_forms"] = kForms;
    object["defaults"] = choice.defaults;
    object["notes"] = choice.notes;
}

/// Samples a second of all data parallel copies together.
double samplesPerSecond(const PaperRequest& request, const PaperStep& step)
{
    return perSecond(request.batch * request.microBatches * request.parallelism.data, step.step);
}

Nanoseconds overheadOf(const PaperStep& step)
{
    return step.time - step.keepAll;
}

json predictionJson(const PaperRequest& request, const PaperStep& step)
{
    const RankBytes& rank = step.fullest();
    return {{"peak_bytes", rank.peak.value}, {"peak_at", rank.peakAt}, {"saved_bytes", rank.saved.value},
        {"base_bytes", (rank.weights + rank.gradients + rank.optimizer).value}, {"reserved_bytes", nullptr},
        {"device_bytes", (rank.peak + request.device.context).value}, {"time_ns", step.time.value},
        {"overhead_ns", overheadOf(step).value}, {"step_ns", step.step.value}};
}

json layerJson(const PaperStep& step)
{
    return {{"attention_bytes", step.layer.attention.value}, {"mlp_bytes", step.layer.mlp.value},
        {"norm_bytes", step.layer.norms.value}, {"input_bytes", step.layer.input.value},
        {"total_bytes", step.layer.total().value}, {"forward_ns", step.layerTimes.forward.value},
        {"backward_ns", step.layerTimes.backward.value}, {"recompute_ns", step.layerTimes.recompute.value}};
}

json stepJson(const PaperRequest& request, const PaperStep& step)
{
    json ranks = json::array();
    for (const RankBytes& rank : step.ranks)
        ranks.push_back(toJson(rank));
    return {{"strategy", nameOf(step.recompute)}, {"layer", layerJson(step)}, {"ranks", ranks},
        {"prediction", predictionJson(request, step)}, {"samples_per_second", samplesPerSecond(request, step)},
        {"flops",
            {{"forward", step.forward.value}, {"backward", step.backward.value}, {"recompute", step.rerun.value}}}};
}

Answer describePaper(const Arguments& arguments, const PaperChoice& choice)
{
    const PaperRequest& request = choice.request;
    json steps = json::array();
    Table layers{
        {"a layer on one rank", "attention", "MLP", "norms", "input", "kept", "forward", "backward", "again"}, {}};
    for (const PaperRecompute recompute : kAll) {
        const PaperStep step = paperStep(request, recompute);
        steps.push_back(stepJson(request, step));
        layers.rows.push_back({nameOf(recompute), formatBytes(step.layer.attention), formatBytes(step.layer.mlp),
            formatBytes(step.layer.norms), formatBytes(step.layer.input), formatBytes(step.layer.total()),
            formatDuration(step.layerTimes.forward), formatDuration(step.layerTimes.backward),
            formatDuration(step.layerTimes.recompute)});
    }
    if (arguments.isJson) {
        json object{{"format", "remat-description"}, {"version", 1}, {"keep_all", steps[0]["prediction"]},
            {"strategies", steps}};
        addChoice(object, choice);
        return jsonAnswer(object);
    }
    const PaperStep step = paperStep(request, PaperRecompute::None);
    return {heading(choice) + "\n" + toText(layers) + "\nnothing run again:\n" + toText(rankTable(step.ranks)) + "\n"
            + footing(choice),
        choice.notes, 0};
}

/// The step of a strategy; without one the fastest that fits, or else full recomputation's.
PaperStep chosenStep(const PaperRequest& request, const std::optional<PaperRecompute>& recompute, Bytes budget)
{
    if (recompute)
        return paperStep(request, *recompute);
    PaperStep step;
    for (const PaperRecompute each : kAll) {
        step = paperStep(request, each);
        if (step.fullest().peak <= budget)
            break;
    }
    return step;
}

Error tooLarge(const PaperStep& step, Bytes budget)
{
    return {&kNoneFits, "--budget",
        {step.fullest().peak, std::string(nameOf(step.recompute)), step.fullest().peak - budget}};
}

Result<Answer> planPaper(const Arguments& arguments, PaperChoice choice)
{
    if (!arguments.pins.empty() || arguments.out)
        return Error{&kNoOutput, arguments.out ? "--out" : "--pin", {}};
    const Result<std::optional<PaperRecompute>> recompute = readRecompute(arguments.strategy);
    if (!recompute)
        return recompute.error();
    const Result<Bytes> budget = budgetOrDevice(arguments, choice.request.device, choice.defaults);
    if (!budget)
        return budget.error();
    const PaperStep step = chosenStep(choice.request, *recompute, *budget);
    const bool fits = step.fullest().peak <= *budget;
    if (!fits && !*recompute)
        return certificateAnswer(tooLarge(step, *budget), *budget, step.fullest().peak, arguments);
    Answer answer{heading(choice) + nameOf(step.recompute) + (fits ? " fits: " : " does not fit: ") + "peak "
            + formatBytes(step.fullest().peak) + " of " + formatBytes(*budget) + ", "
            + formatPercent(ratio(overheadOf(step), step.keepAll)) + " time\n\n" + toText(rankTable(step.ranks)) + "\n"
            + footing(choice),
        choice.notes, 0};
    json object = stepJson(choice.request, step);
    object.update({{"format", "remat-paper-plan"}, {"version", 1}, {"budget_bytes", budget->value}, {"fits", fits}});
    addChoice(object, choice);
    if (!fits) {
        const Error error = tooLarge(step, *budget);
        object["error"] = errorObject(error);
        answer.notes.push_back("remat: " + englishSentence(error));
        answer.exit = static_cast<int>(error.exitCode());
    }
    if (arguments.isJson)
        answer.output = jsonAnswer(object).output;
    return answer;
}

Result<Answer> comparePaper(const Arguments& arguments, PaperChoice choice)
{
    if (arguments.to)
        return Error{&kNoOutput, "--to", {}};
    const Result<Bytes> budget = budgetOrDevice(arguments, choice.request.device, choice.defaults);
    if (!budget)
        return budget.error();
    Table table{{"strategy", "fits", "saved", "peak", "step", "extra time", "samples per second"}, {}};
    json strategies = json::array();
    for (const PaperRecompute recompute : kAll) {
        const PaperStep step = paperStep(choice.request, recompute);
        const bool fits = step.fullest().peak <= *budget;
        json row = stepJson(choice.request, step);
        row.update(row["prediction"]);
        row["fits"] = fits;
        row["fits_device"] = fitsDevice(step.fullest().peak, choice.request.device);
        strategies.push_back(std::move(row));
        table.rows.push_back({nameOf(recompute), fits ? "yes" : "no", formatBytes(step.fullest().saved),
            formatBytes(step.fullest().peak), formatDuration(step.step),
            formatPercent(ratio(overheadOf(step), step.keepAll)),
            formatThreeDigits(samplesPerSecond(choice.request, step))});
    }
    if (arguments.isJson) {
        json object{{"format", "remat-comparison"}, {"version", 1}, {"budget_bytes", budget->value},
            {"strategies", strategies},
            {"least_budget_bytes", paperStep(choice.request, PaperRecompute::Full).fullest().peak.value}};
        addChoice(object, choice);
        return jsonAnswer(object);
    }
    return Answer{heading(choice) + "budget " + formatBytes(*budget) + "\n\n" + toText(table) + "\n" + footing(choice),
        choice.notes, 0};
}

json batchJson(const PaperRequest& request, const PaperStep& step)
{
    json object = stepJson(request, step);
    object.update(object["prediction"]);
    object["batch"] = request.batch;
    return object;
}

Result<Answer> maxBatchPaper(const Arguments& arguments, PaperChoice choice)
{
    if (arguments.out)
        return Error{&kNoOutput, "--out", {}};
    const Result<std::optional<PaperRecompute>> recompute = readRecompute(arguments.strategy);
    if (!recompute)
        return recompute.error();
    const Result<Bytes> budget = budgetOrDevice(arguments, choice.request.device, choice.defaults);
    if (!budget)
        return budget.error();
    PaperRequest request = choice.request;
    const auto stepAt = [&](std::int64_t batch) {
        request.batch = batch;
        return chosenStep(request, *recompute, *budget);
    };
    const auto fits = [&](std::int64_t batch) {
        request.batch = batch;
        return validate(request) && stepAt(batch).fullest().peak <= *budget;
    };
    const std::int64_t largest = greatestFitting(1, kMaxBatch, fits);
    if (largest == 0)
        return certificateAnswer(tooLarge(stepAt(1), *budget), *budget, stepAt(1).fullest().peak, arguments);
    const PaperStep step = stepAt(largest);
    if (arguments.isJson) {
        json object{{"format", "remat-max-batch"}, {"version", 1}, {"strategy", arguments.strategy.value_or("optimal")},
            {"budget_bytes", budget->value}, {"largest", batchJson(request, step)}};
        addChoice(object, choice);
        return jsonAnswer(object);
    }
    choice.request.batch = largest;
    return Answer{heading(choice) + "largest micro-batch within " + formatBytes(*budget) + ": "
            + std::to_string(largest) + " with " + nameOf(step.recompute) + ", "
            + formatThreeDigits(samplesPerSecond(request, step)) + " samples/s\n\n" + toText(rankTable(step.ranks))
            + "\n" + footing(choice),
        choice.notes, 0};
}

} // namespace

bool asksForPaper(const Arguments& arguments)
{
    return arguments.setup.profile == "paper";
}

Error verbNotInPaper()
{
    return {&kNoVerb, "--profile", {}};
}

Result<Answer> runPaper(const Arguments& arguments, const Environment& environment)
{
    if (arguments.verb == Verb::Frontier || arguments.verb == Verb::Chain || arguments.verb == Verb::Profile)
        return verbNotInPaper();
    Result<PaperChoice> choice = choosePaper(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    addNotes(choice->notes, budgetNotes(arguments));
    switch (arguments.verb) {
    case Verb::Plan:
        return planPaper(arguments, *std::move(choice));
    case Verb::Compare:
        return comparePaper(arguments, *std::move(choice));
    case Verb::MaxBatch:
        return maxBatchPaper(arguments, *std::move(choice));
    default:
        return describePaper(arguments, *choice);
    }
}

} // namespace remat::cli
