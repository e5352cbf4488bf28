// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/budget.h"
#include "app/cli/step_text.h"
#include "app/cli/table_export.h"
#include "app/cli/torch_answer.h"
#include "app/cli/torch_verbs.h"
#include "core/base/format_units.h"
#include "core/export/table.h"

namespace remat::cli {

namespace {

using nlohmann::json;

} // namespace

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
    const std::string body = torchHeading(choice->request) + "budget " + formatBytes(*budget) + "\n\n";
    if (arguments.to)
        return exportAnswer(arguments, *arguments.to == "csv" ? toCsv(csv) : body + toMarkdown(text) + problems);
    if (arguments.isJson) {
        json object{{"format", "remat-comparison"}, {"version", 1}, {"budget_bytes", budget->value},
            {"strategies", strategies}, {"least_budget_bytes", study->leastPeak().value}};
        addChoice(object, *choice);
        return jsonAnswer(object);
    }
    return Answer{
        body + toText(text) + (problems.empty() ? "" : "\n" + problems) + "\n" + defaultsLine(choice->defaults),
        choice->notes, 0};
}

} // namespace remat::cli
