// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/budget.h"
#include "app/cli/certificate.h"
#include "app/cli/verbs.h"
#include "core/base/format_units.h"
#include "core/base/text.h"
#include "core/chain/chain_file.h"
#include "core/chain/schedule_file.h"
#include "core/export/table.h"
#include "core/plan/flat_planner.h"
#include "core/plan/flat_schedule.h"

namespace remat::cli {

namespace {

using nlohmann::json;

constexpr MessageCode kLaterMode{"mode-not-in-release",
    REMAT_TR("This release has no planner of the class \"{0}\" yet."),
    REMAT_TR("Use --mode flat: every stage runs forward once."), ExitCode::Usage};
constexpr MessageCode kUnknownMode{
    "unknown-mode", REMAT_TR("There is no class \"{0}\"."), REMAT_TR("Use --mode flat."), ExitCode::Usage};

Result<void> checkMode(const std::string& mode)
{
    if (mode == "flat")
        return {};
    for (const char* later : {"nested", "nested-no-drop", "nested-drop-lean"})
        if (mode == later)
            return Error{&kLaterMode, "--mode", {mode}};
    return Error{&kUnknownMode, "--mode", {shortened(mode)}};
}

json solutionJson(const FlatFrontier& frontier)
{
    json pairs = json::array();
    for (const FrontierPoint& point : frontier.points())
        pairs.push_back({point.peak.value, point.time.value});
    return {{"format", "remat-solution"}, {"version", 1}, {"class", "flat"}, {"exact", frontier.exact()},
        {"gap", frontier.gap()}, {"proved_optimal", frontier.exact()}, {"frontier", pairs}};
}

std::string solutionText(const Chain& chain, const FlatFrontier& frontier)
{
    Table table{{"peak_bytes", "time_ns", "reruns"}, {}};
    for (const FrontierPoint& point : frontier.points())
        table.rows.push_back(
            {std::to_string(point.peak.value), std::to_string(point.time.value), std::to_string(point.reruns)});
    return chain.name + ": " + std::to_string(frontier.points().size()) + " points, class flat"
        + (frontier.exact() ? ", exact" : ", within " + formatPercent(frontier.gap())) + "\n\n" + toText(table);
}

} // namespace

Result<Answer> runSolve(const Arguments& arguments)
{
    if (auto mode = checkMode(*arguments.mode); !mode)
        return mode.error();
    const Result<std::optional<Bytes>> budget = readBudget(arguments);
    if (!budget)
        return budget.error();
    const Result<Chain> chain = readChain(arguments.files[0]);
    if (!chain)
        return chain.error();
    const Result<FlatFrontier> frontier = FlatPlanner(*chain).solve();
    if (!frontier)
        return frontier.error();
    std::optional<std::size_t> chosen;
    if (*budget) {
        const Result<std::size_t> point = frontier->cheapestWithin(**budget);
        if (!point) {
            Answer answer = certificateAnswer(point.error(), **budget, frontier->leastPeak(), arguments.isJson);
            addNotes(answer.notes, budgetNotes(arguments));
            return answer;
        }
        chosen = *point;
    }
    const auto scheduleJson
        = [&](std::size_t point) { return toJson(flatSchedule(*chain, frontier->choiceOf(point)), *chain); };
    if (!arguments.isJson) {
        Answer answer{solutionText(*chain, *frontier), {}, 0};
        if (chosen) {
            const FrontierPoint& point = frontier->points()[*chosen];
            answer.output += "\nwithin " + formatBytes(**budget) + ": peak " + formatBytes(point.peak) + ", time "
                + formatDuration(point.time) + ", " + std::to_string(point.reruns) + " reruns\n";
        }
        return answer;
    }
    json object = solutionJson(*frontier);
    object["chain"] = chain->name;
    if (chosen) {
        const FrontierPoint& point = frontier->points()[*chosen];
        object.update({{"budget_bytes", (*budget)->value}, {"peak", point.peak.value}, {"time", point.time.value},
            {"reruns", point.reruns}, {"schedule", scheduleJson(*chosen)}});
    }
    if (arguments.listsSchedules) {
        json schedules = json::array();
        for (std::size_t p = 0; p < frontier->points().size(); ++p)
            schedules.push_back(scheduleJson(p));
        object["schedules"] = std::move(schedules);
    }
    return jsonAnswer(object);
}

} // namespace remat::cli
