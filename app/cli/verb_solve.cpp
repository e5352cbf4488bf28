// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include <nlohmann/json.hpp>

#include "app/cli/budget.h"
#include "app/cli/verbs.h"
#include "core/base/format_units.h"
#include "core/base/text.h"
#include "core/chain/chain_file.h"
#include "core/chain/schedule_file.h"
#include "core/export/table.h"
#include "core/plan/exhaustive.h"
#include "core/plan/flat_planner.h"
#include "core/plan/flat_schedule.h"
#include "core/plan/nested_planner.h"
#include "core/plan/plan_proof_json.h"

namespace remat::cli {

namespace {

using nlohmann::json;

constexpr MessageCode kUnknownMode{"unknown-mode", REMAT_TR("There is no class \"{0}\"."),
    REMAT_TR("Use --mode flat, nested-no-drop, nested-drop-lean or nested."), ExitCode::Usage};
constexpr MessageCode kNeedsMode{"mode-missing", REMAT_TR("This needs a class of schedules."),
    REMAT_TR("Use --mode flat, nested-no-drop, nested-drop-lean or nested; --exhaustive alone takes nested."),
    ExitCode::Usage};

/// What a planner of any class answers.
struct Solution {
    std::string className;
    bool isExact = true;
    double gap = 0;
    std::vector<FrontierPoint> points;
    BindingOp leastBinding;
    std::int64_t states = 0;
    std::function<Result<std::size_t>(Bytes)> cheapestWithin;
    std::function<Schedule(std::size_t)> scheduleOf;
};

Result<Solution> solveFlat(const Chain& chain)
{
    const Result<FlatFrontier> frontier = FlatPlanner(chain).solve();
    if (!frontier)
        return frontier.error();
    return Solution{"flat", frontier->exact(), frontier->gap(), frontier->points(), frontier->leastBinding(),
        frontier->states(), [frontier = *frontier](Bytes budget) { return frontier.cheapestWithin(budget); },
        [frontier = *frontier, &chain](std::size_t point) { return flatSchedule(chain, frontier.choiceOf(point)); }};
}

Result<Solution> solveNested(const Chain& chain, NestedClass wanted)
{
    NestedLimits limits;
    limits.wanted = wanted;
    const Result<NestedFrontier> frontier = NestedPlanner(chain, limits).solve();
    if (!frontier)
        return frontier.error();
    return Solution{std::string(nameOf(frontier->solvedClass())), frontier->exact(), frontier->gap(),
        frontier->points(), frontier->leastBinding(), frontier->states(),
        [frontier = *frontier](Bytes budget) { return frontier.cheapestWithin(budget); },
        [frontier = *frontier](std::size_t point) { return frontier.scheduleOf(point); }};
}

using Solver = std::function<Result<Solution>(const Chain&)>;

/// Beside a search of all schedules it is the widest class that stands for them.
Result<Solver> solverOf(const Arguments& arguments)
{
    if (!arguments.mode && !arguments.searchesExhaustively)
        return Error{&kNeedsMode, "--mode", {}};
    const std::string mode = arguments.mode ? *arguments.mode : std::string(nameOf(NestedClass::Drop));
    if (mode == "flat")
        return Solver(solveFlat);
    for (const NestedClass nested : {NestedClass::NoDrop, NestedClass::DropLean, NestedClass::Drop})
        if (mode == nameOf(nested))
            return Solver([nested](const Chain& chain) { return solveNested(chain, nested); });
    return Error{&kUnknownMode, "--mode", {shortened(mode)}};
}

json pairsOf(const std::vector<FrontierPoint>& points)
{
    json pairs = json::array();
    for (const FrontierPoint& point : points)
        pairs.push_back({point.peak.value, point.time.value});
    return pairs;
}

json solutionJson(const Solution& solution)
{
    return {{"format", "remat-solution"}, {"version", 1}, {"class", solution.className}, {"exact", solution.isExact},
        {"gap", solution.gap}, {"proved_optimal", solution.isExact}, {"frontier", pairsOf(solution.points)},
        {"least_budget_bytes", solution.points.front().peak.value},
        {"least_binding", bindingJson(solution.leastBinding)}, {"states", solution.states}};
}

std::string solutionText(const Chain& chain, const Solution& solution)
{
    Table table{{"peak_bytes", "time_ns", "reruns"}, {}};
    for (const FrontierPoint& point : solution.points)
        table.rows.push_back(
            {std::to_string(point.peak.value), std::to_string(point.time.value), std::to_string(point.reruns)});
    return chain.name + ": " + std::to_string(solution.points.size()) + " points, class " + solution.className
        + (solution.isExact ? ", exact" : ", within " + formatPercent(solution.gap)) + ", "
        + std::to_string(solution.states) + " states\nleast budget "
        + std::to_string(solution.points.front().peak.value) + " bytes: " + bindingText(solution.leastBinding)
        + " binds\n\n" + toText(table);
}

/// What an exhaustive search says of a solution, in a sentence.
std::string agreementText(const FrontierAgreement& agreement, std::size_t points)
{
    const std::string text = "\nexhaustive search: " + std::to_string(points) + " points, of which ";
    if (agreement.isEqual())
        return text + "all are reached: proved equal, no schedule is better at any budget\n";
    if (agreement.impossible > 0)
        return text + std::to_string(agreement.missed) + " are not reached; " + std::to_string(agreement.impossible)
            + " points of the solution are better than any schedule, which is a defect of RematScope: report it\n";
    return text + std::to_string(agreement.missed) + " are not reached\n";
}

} // namespace

Result<Answer> runSolve(const Arguments& arguments)
{
    const Result<Solver> solver = solverOf(arguments);
    if (!solver)
        return solver.error();
    const Result<std::optional<Bytes>> budget = readBudget(arguments);
    if (!budget)
        return budget.error();
    const Result<Chain> chain = readChain(arguments.files[0]);
    if (!chain)
        return chain.error();
    std::optional<ExhaustiveFrontier> truth;
    if (arguments.searchesExhaustively) {
        const Result<ExhaustiveFrontier> found = searchExhaustively(*chain);
        if (!found)
            return found.error();
        truth = *found;
    }
    const Result<Solution> solution = (*solver)(*chain);
    if (!solution)
        return solution.error();
    std::optional<std::size_t> chosen;
    if (*budget) {
        const Result<std::size_t> point = solution->cheapestWithin(**budget);
        if (!point)
            return certificateAnswer(point.error(), **budget, solution->points.front().peak, arguments);
        chosen = *point;
    }
    const FrontierAgreement agreement = truth ? agreementOf(truth->points, solution->points) : FrontierAgreement{};
    if (!arguments.isJson) {
        Answer answer{solutionText(*chain, *solution), {}, 0};
        if (chosen) {
            const FrontierPoint& point = solution->points[*chosen];
            answer.output += "\nwithin " + formatBytes(**budget) + ": peak " + formatBytes(point.peak) + ", time "
                + formatDuration(point.time) + ", " + std::to_string(point.reruns) + " reruns\n";
        }
        if (truth)
            answer.output += agreementText(agreement, truth->points.size());
        return answer;
    }
    json object = solutionJson(*solution);
    object["chain"] = chain->name;
    if (chosen) {
        const FrontierPoint& point = solution->points[*chosen];
        object.update({{"budget_bytes", (*budget)->value}, {"peak", point.peak.value}, {"time", point.time.value},
            {"reruns", point.reruns}, {"schedule", toJson(solution->scheduleOf(*chosen), *chain)}});
    }
    if (truth)
        object["exhaustive"] = {{"frontier", pairsOf(truth->points)}, {"missed", agreement.missed},
            {"impossible", agreement.impossible}, {"equal", agreement.isEqual()}};
    if (arguments.listsSchedules) {
        json schedules = json::array();
        for (std::size_t p = 0; p < solution->points.size(); ++p)
            schedules.push_back(toJson(solution->scheduleOf(p), *chain));
        object["schedules"] = std::move(schedules);
    }
    return jsonAnswer(object);
}

} // namespace remat::cli
