// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/budget.h"
#include "app/cli/step_choice.h"
#include "app/cli/step_text.h"
#include "app/cli/variant_answer.h"
#include "app/cli/verbs.h"
#include "core/base/files.h"
#include "core/base/format_units.h"
#include "core/export/table.h"
#include "core/plan/best_batch.h"
#include "core/plan/plan_file.h"

namespace remat::cli {

namespace {

using nlohmann::json;

constexpr MessageCode kNoBatchFits{"no-batch-fits",
    REMAT_TR("Not even a batch of 1 fits: the strategy {0} needs {1}, {2} more than the budget."),
    REMAT_TR("Raise the budget, shorten the sequence, or use --strategy optimal."), ExitCode::DoesNotFit};

json batchJson(const PlannedBatch& planned)
{
    const Prediction& p = planned.plan.prediction;
    const TrainingSetup& setup = planned.plan.setup();
    json object{{"batch", planned.batch}, {"samples_per_second", planned.samplesPerSecond()},
        {"peak_bytes", p.peak.value}, {"time_ns", p.time.value}, {"overhead_ns", p.overhead.value},
        {"step_ns", p.stepTime(setup).value}, {"fits", planned.plan.fits()},
        {"fits_device", planned.plan.fitsDevice()}};
    object.update(variantJson(setup));
    return object;
}

std::vector<std::string> batchRow(const char* name, const PlannedBatch& planned)
{
    const Prediction& p = planned.plan.prediction;
    return {name, std::to_string(planned.batch), formatBytes(p.peak), formatDuration(p.stepTime(planned.plan.setup())),
        formatPercent(planned.plan.extraTime()), formatThreeDigits(planned.samplesPerSecond())};
}

Result<Answer> nothingFits(
    const BatchSearch& search, const FlatLimits& limits, const StepChoice& choice, const Arguments& arguments)
{
    const Result<PlannedBatch> smallest = planBatch(search, 1, limits);
    if (!smallest && (!search.strategy.isPlanner() || smallest.error().exitCode() != ExitCode::DoesNotFit))
        return smallest.error();
    if (!smallest)
        return certificateAnswer(
            smallest.error(), search.budget, leastPeakAt(search, 1, limits).value_or(Bytes{}), arguments);
    const Bytes peak = smallest->plan.prediction.peak;
    Answer answer = errorAnswer(
        Error{&kNoBatchFits, "--budget", {toName(search.strategy), peak, peak - search.budget}}, arguments.isJson);
    addNotes(answer.notes, choice.notes);
    return answer;
}

} // namespace

Result<Answer> runMaxBatch(const Arguments& arguments, const Environment& environment)
{
    Result<StepChoice> choice = chooseStep(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    const Result<Strategy> strategy = parseStrategy(arguments.strategy.value_or("optimal"));
    if (!strategy)
        return strategy.error();
    const Result<Bytes> budget = budgetOrDevice(arguments, choice->request.device, choice->defaults);
    if (!budget)
        return budget.error();
    addNotes(choice->notes, budgetNotes(arguments));

    const BatchSearch search{choice->request, *strategy, *budget, std::nullopt};
    const FlatLimits limits;
    const std::int64_t largest = *largestBatch(search, limits);
    const std::optional<PlannedBatch> best = bestBatch(search, largest, limits);
    if (!best)
        return nothingFits(search, limits, *choice, arguments);
    const Result<PlannedBatch> last = planBatch(search, largest, limits);
    if (!last)
        return last.error();
    addNotes(choice->notes, deviceNotes(best->plan, Bytes{}));
    if (arguments.out)
        if (auto written = writeFileAtomically(*arguments.out, planFileText(best->plan)); !written)
            return written.error();

    if (arguments.isJson) {
        json object{{"format", "remat-batch"}, {"version", 1}, {"budget_bytes", budget->value},
            {"strategy", toName(*strategy)}, {"largest", batchJson(*last)}, {"best", batchJson(*best)}};
        object["best"]["plan"] = toJson(best->plan);
        addStep(object, *choice);
        return jsonAnswer(object);
    }
    Table table{{"batch", "sequences", "peak", "step", "extra time", "samples per second"},
        {batchRow("largest", *last), batchRow("fastest", *best)}};
    if (choice->request.setup.variants == VariantChoice::Auto) {
        table.columns.emplace_back("variants");
        table.rows[0].push_back(variantText(last->plan.setup()));
        table.rows[1].push_back(variantText(best->plan.setup()));
    }
    return Answer{stepHeading(best->plan.shape(), best->plan.setup()) + budgetText(choice->request.device, *budget)
            + ", strategy " + toName(*strategy) + "\n\n" + toText(table) + "\n" + defaultsLine(choice->defaults),
        choice->notes, 0};
}

} // namespace remat::cli
