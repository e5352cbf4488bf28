// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/step_choice.h"
#include "app/cli/step_text.h"
#include "app/cli/verbs.h"
#include "core/base/format_units.h"
#include "core/cost/device_memory.h"
#include "core/export/frontier_table.h"
#include "core/model/names.h"

namespace remat::cli {

namespace {

using nlohmann::json;

json frontierJson(const Study& study)
{
    json pairs = json::array(), points = json::array();
    for (const StudyPoint& point : study.points()) {
        const TrainingSetup& setup = study.setupOf(point);
        pairs.push_back({point.cost.peak.value, point.cost.time.value});
        points.push_back({{"peak_bytes", point.cost.peak.value}, {"time_ns", point.cost.time.value},
            {"fits_device", fitsDevice(point.cost.peak, study.request().device)},
            {"overhead_ns", (point.cost.time - study.keepAllTime()).value}, {"reruns", point.cost.reruns},
            {"attention", toName(setup.attention)}, {"head_chunks", setup.headChunks}});
    }
    return {{"format", "remat-frontier"}, {"version", 1}, {"class", "flat"}, {"exact", study.isExact()},
        {"gap", study.gap()}, {"proved_optimal", study.isExact()}, {"frontier", pairs}, {"points", points},
        {"keep_all", {{"peak_bytes", study.keepAllPeak().value}, {"time_ns", study.keepAllTime().value}}}};
}

/// Up to where the points fit the device; nothing where all of them do.
std::string deviceLine(const Study& study)
{
    const Device& device = study.request().device;
    if (fitsDevice(study.points().back().cost.peak, device))
        return {};
    const std::string held = std::string("the ") + deviceNoun(device) + " (" + formatBytes(device.memory)
        + " less a context of " + formatBytes(device.context) + ")\n";
    return fitsDevice(study.leastPeak(), device) ? "peaks up to " + formatBytes(*deviceBudget(device)) + " fit " + held
                                                 : "no point fits " + held;
}

} // namespace

Result<Answer> runFrontier(const Arguments& arguments, const Environment& environment)
{
    const Result<StepChoice> choice = chooseStep(arguments.model, arguments.setup, environment);
    if (!choice)
        return choice.error();
    const Result<Study> study = Study::solve(choice->request);
    if (!study)
        return study.error();
    if (arguments.isJson) {
        json object = frontierJson(*study);
        addStep(object, *choice);
        return jsonAnswer(object);
    }
    if (arguments.isCsv)
        return Answer{toCsv(frontierTable(*study)), choice->notes, 0};
    return Answer{stepHeading(*choice) + deviceLine(*study) + std::to_string(study->points().size())
            + " points, class flat" + (study->isExact() ? ", exact" : ", within " + formatPercent(study->gap()))
            + "\n\n" + toText(frontierTextTable(*study)) + "\n" + defaultsLine(choice->defaults),
        choice->notes, 0};
}

} // namespace remat::cli
