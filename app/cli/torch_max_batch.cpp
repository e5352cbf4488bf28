// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "app/cli/budget.h"
#include "app/cli/step_text.h"
#include "app/cli/torch_answer.h"
#include "app/cli/torch_verbs.h"
#include "core/base/files.h"
#include "core/base/format_units.h"
#include "core/base/greatest_fitting.h"
#include "core/base/rates.h"
#include "core/export/region_plan_table.h"
#include "core/regions/region_plan_file.h"
#include "core/regions/region_strategies.h"

namespace remat::cli {

namespace {

using nlohmann::json;

constexpr MessageCode kNoBatchFits{"torch-no-batch-fits",
    REMAT_TR("Not even one sequence fits into {0}: it needs {1}."),
    REMAT_TR("Raise the budget, shorten the sequence, or choose another --precision or --optimizer, or more GPUs (--dp "
             "with --zero)."),
    ExitCode::DoesNotFit};

double samplesPerSecond(const RegionPlan& plan)
{
    const torch::TorchSetup& setup = plan.request.setup;
    return perSecond(setup.batch * setup.microBatches, plan.prediction.stepTime(setup.microBatches));
}

std::vector<std::string> batchRow(const char* name, const RegionPlan& plan)
{
    const torch::TorchSetup& setup = plan.request.setup;
    return {name, std::to_string(setup.batch), formatBytes(plan.prediction.peak),
        formatDuration(plan.prediction.stepTime(setup.microBatches)), formatPercent(plan.extraTime()),
        formatThreeDigits(samplesPerSecond(plan))};
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
    std::optional<RegionPlan> largest, best;
    const std::int64_t batch = greatestFitting(1, kMaxBatch, [&](std::int64_t each) {
        std::optional<RegionPlan> plan = planOf(each);
        if (!plan)
            return false;
        if (!best || samplesPerSecond(*plan) > samplesPerSecond(*best))
            best = *plan;
        largest = std::move(plan);
        return true;
    });
    if (batch == 0) {
        if (problem && problem->exitCode() != ExitCode::DoesNotFit)
            return *problem;
        RegionRequest request = choice->request;
        request.setup.batch = 1;
        const Result<RegionStudy> study = RegionStudy::solve(std::move(request));
        const Bytes least = study ? study->leastPeak() : Bytes{};
        return certificateAnswer(Error{&kNoBatchFits, "--budget", {*budget, least}}, *budget, least, arguments);
    }
    if (arguments.out)
        if (auto written = writeFileAtomically(*arguments.out, regionPlanFileText(*best)); !written)
            return written.error();
    if (arguments.isJson) {
        json object{{"format", "remat-max-batch"}, {"version", 1}, {"strategy", toName(*strategy)},
            {"budget_bytes", budget->value},
            {"largest",
                {{"batch", batch}, {"peak_bytes", largest->prediction.peak.value},
                    {"prediction", toJson(largest->prediction, largest->request.setup.microBatches)}}},
            {"best",
                {{"batch", best->request.setup.batch}, {"samples_per_second", samplesPerSecond(*best)},
                    {"peak_bytes", best->prediction.peak.value}, {"plan", toJson(*best)}}}};
        addChoice(object, *choice);
        return jsonAnswer(object);
    }
    const Table batches{{"batch", "sequences", "peak", "step", "extra time", "samples per second"},
        {batchRow("largest", *largest), batchRow("fastest", *best)}};
    return Answer{torchHeading(best->request) + budgetText(best->request.device, *budget) + ", strategy "
            + toName(*strategy) + "\n\n" + toText(batches) + "\n"
            + toText(predictionTable(best->prediction, best->request.setup.microBatches)) + "\n"
            + defaultsLine(choice->defaults),
        choice->notes, 0};
}

} // namespace remat::cli
