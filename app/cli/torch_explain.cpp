// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/budget.h"
#include "app/cli/torch_verbs.h"
#include "core/base/files.h"
#include "core/base/format_units.h"
#include "core/export/table.h"
#include "core/regions/region_explanation.h"
#include "core/regions/region_plan_file.h"

namespace remat::cli {

namespace {

using nlohmann::json;

json explanationJson(const RegionPlan& plan, const RegionExplanation& explanation)
{
    json reasons = json::array();
    for (const RegionReason& reason : explanation.reasons)
        reasons.push_back({{"option", reason.option}, {"layers", reason.layers}, {"freed_bytes", reason.freed.value},
            {"spared_peak_bytes", reason.spared.value}, {"time_ns", reason.again.value}});
    json next(nullptr);
    if (explanation.next)
        next = {{"peak_bytes", explanation.next->prediction.peak.value},
            {"more_bytes", (explanation.next->prediction.peak - *plan.budget).value},
            {"saved_ns", (plan.prediction.time - explanation.next->prediction.time).value}};
    return {{"format", "remat-explanation"}, {"version", 1}, {"realization", "regions"},
        {"prediction", toJson(plan.prediction, plan.request.setup.microBatches)},
        {"slack_bytes", plan.budget ? json((*plan.budget - plan.prediction.peak).value) : json(nullptr)},
        {"reasons", reasons}, {"more_budget", next}, {"budget_steps", budgetStepJson(explanation.steps)}};
}

std::string explanationText(const RegionPlan& plan, const RegionExplanation& explanation)
{
    const RegionPrediction& p = plan.prediction;
    std::string text = "peak " + formatBytes(p.peak) + " in " + placeText(p.peakAt) + "\nof it base "
        + formatBytes(p.base) + "; saved for backward " + formatBytes(p.saved) + "\n";
    if (plan.budget)
        text += "budget " + formatBytes(*plan.budget)
            + (plan.fits() ? ", " + formatBytes(*plan.budget - p.peak) + " to spare\n"
                           : ", " + formatBytes(p.peak - *plan.budget) + " over\n");
    Table table{{"run again", "layers", "frees", "spares of the peak", "takes"}, {}};
    for (const RegionReason& reason : explanation.reasons)
        table.rows.push_back({reason.option, std::to_string(reason.layers), formatBytes(reason.freed),
            formatBytes(reason.spared), formatDuration(reason.again)});
    text += table.rows.empty() ? "" : "\nagainst the same plan with these layers kept:\n" + toText(table);
    if (explanation.next)
        text += "\nmore budget: +" + formatBytes(explanation.next->prediction.peak - *plan.budget) + " buys "
            + formatDuration(p.time - explanation.next->prediction.time) + " a micro-batch\n";
    return text + budgetStepText(explanation.steps, plan.prediction.keepAll);
}

} // namespace

Result<Answer> explainTorch(const std::string& path, bool isJson)
{
    const Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    const Result<RegionPlan> plan = parseRegionPlan(*text, path);
    if (!plan)
        return plan.error();
    const Result<RegionExplanation> explanation = explain(*plan);
    if (!explanation)
        return explanation.error();
    if (isJson)
        return jsonAnswer(explanationJson(*plan, *explanation));
    return Answer{explanationText(*plan, *explanation), {}, 0};
}

} // namespace remat::cli
