// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/frontier_table.h"

#include <charconv>

#include "core/base/format_units.h"
#include "core/cost/device_memory.h"
#include "core/model/names.h"

namespace remat {

namespace {

/// In a few words why a plan cannot run within its budget on its device; nothing where it can.
std::string whatIsMissing(const Plan& plan)
{
    const Prediction& p = plan.prediction;
    if (!plan.fits())
        return "needs " + formatBytes(p.peak - *plan.budget) + " more";
    if (!plan.fitsDevice())
        return "the " + std::string(deviceNoun(plan.device)) + " lacks "
            + formatBytes(p.reserved - *deviceBudget(plan.device));
    return {};
}

/// In a few words why a strategy has no plan.
std::string whyNoPlan(const ComparedStrategy& row)
{
    const Error& problem = *row.problem;
    if (problem.exitCode() != ExitCode::DoesNotFit)
        return row.strategy.needsBudget() ? "not computed: too large" : "nothing to recompute here";
    // The third argument of a planner's certificate is what lacks (core/plan/frontier.h).
    return row.strategy.isPlanner() ? "needs " + formatBytes(std::get<Bytes>(problem.arguments[2])) + " more"
                                    : "finds no schedule";
}

} // namespace

Table frontierTable(const Study& study)
{
    Table table{{"peak_bytes", "time_ns", "overhead_ns", "reruns", "attention", "head_chunks"}, {}};
    for (const StudyPoint& point : study.points()) {
        const TrainingSetup& setup = study.setupOf(point);
        table.rows.push_back({std::to_string(point.cost.peak.value), std::to_string(point.cost.time.value),
            std::to_string((point.cost.time - study.keepAllTime()).value), std::to_string(point.cost.reruns),
            std::string(toName(setup.attention)), std::to_string(setup.headChunks)});
    }
    return table;
}

Table frontierTextTable(const Study& study)
{
    Table table{{"peak", "forward and backward", "extra time", "reruns", "attention", "head chunks"}, {}};
    for (const StudyPoint& point : study.points()) {
        const TrainingSetup& setup = study.setupOf(point);
        table.rows.push_back({formatBytes(point.cost.peak), formatDuration(point.cost.time),
            formatPercent(study.extraTimeOf(point)), std::to_string(point.cost.reruns),
            std::string(toName(setup.attention)), std::to_string(setup.headChunks)});
    }
    return table;
}

Table comparisonTable(const std::vector<ComparedStrategy>& strategies)
{
    Table table{{"strategy", "fits", "fits_device", "peak_bytes", "step_ns", "extra_time", "reruns", "problem"}, {}};
    const auto text = [](bool value) { return std::string(value ? "true" : "false"); };
    for (const ComparedStrategy& row : strategies) {
        if (row.plan) {
            const Prediction& p = row.plan->prediction;
            char extra[32];
            const auto end = std::to_chars(extra, extra + sizeof extra, row.plan->extraTime()).ptr;
            table.rows.push_back({toName(row.strategy), text(row.plan->fits()), text(row.plan->fitsDevice()),
                std::to_string(p.peak.value), std::to_string(p.stepTime(row.plan->setup()).value),
                std::string(extra, end), std::to_string(p.reruns), ""});
        } else {
            table.rows.push_back(
                {toName(row.strategy), "false", "", "", "", "", "", std::string(row.problem->code->name)});
        }
    }
    return table;
}

Table comparisonTextTable(const std::vector<ComparedStrategy>& strategies)
{
    Table table{{"strategy", "fits", "peak", "step", "extra time", "reruns", "why not"}, {}};
    for (const ComparedStrategy& row : strategies) {
        if (row.plan) {
            const Prediction& p = row.plan->prediction;
            table.rows.push_back({toName(row.strategy), row.plan->fits() && row.plan->fitsDevice() ? "yes" : "no",
                formatBytes(p.peak), formatDuration(p.stepTime(row.plan->setup())),
                formatPercent(row.plan->extraTime()), std::to_string(p.reruns), whatIsMissing(*row.plan)});
        } else {
            table.rows.push_back({toName(row.strategy), "no", "", "", "", "", whyNoPlan(row)});
        }
    }
    return table;
}

} // namespace remat
