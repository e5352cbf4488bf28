// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "app/cli/step_text.h"
#include "app/cli/torch_answer.h"
#include "app/cli/torch_verbs.h"
#include "core/base/format_units.h"
#include "core/export/table.h"

namespace remat::cli {

namespace {

using nlohmann::json;

} // namespace

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
    Table csv{{"peak_bytes", "time_ns", "overhead_ns", "layers_recomputed"}, {}};
    Table text{{"peak", "forward and backward", "extra time", "layers recomputed"}, {}};
    for (const RegionPlan& plan : plans) {
        const RegionPrediction& p = plan.prediction;
        const auto recomputed = std::count_if(
            plan.options.begin(), plan.options.end(), [](const std::string& name) { return name != "keep"; });
        pairs.push_back({p.peak.value, p.time.value});
        points.push_back({{"peak_bytes", p.peak.value}, {"time_ns", p.time.value}, {"overhead_ns", p.overhead.value},
            {"fits_device", plan.fitsDevice()}, {"layers_recomputed", recomputed}});
        csv.rows.push_back({std::to_string(p.peak.value), std::to_string(p.time.value),
            std::to_string(p.overhead.value), std::to_string(recomputed)});
        text.rows.push_back(
            {formatBytes(p.peak), formatDuration(p.time), formatPercent(plan.extraTime()), std::to_string(recomputed)});
    }
    if (arguments.isJson) {
        json object{{"format", "remat-frontier"}, {"version", 1}, {"class", "regions"}, {"exact", false},
            {"gap", nullptr}, {"proved_optimal", false}, {"frontier", pairs}, {"points", points}};
        addChoice(object, *choice);
        return jsonAnswer(object);
    }
    if (arguments.isCsv)
        return Answer{toCsv(csv), choice->notes, 0};
    return Answer{torchHeading(choice->request) + std::to_string(plans.size())
            + " simulated plans that no other one beats\n\n" + toText(text) + "\n" + defaultsLine(choice->defaults),
        choice->notes, 0};
}

} // namespace remat::cli
