// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/study.h"

#include <algorithm>

#include "core/cost/device_traits.h"
#include "core/plan/variants.h"

namespace remat {

namespace {

/// A larger budget is worth naming when it saves this share of a step.
constexpr double kWorthwhile = 0.005;

} // namespace

std::optional<MoreBudget> moreBudget(std::span<const StudyPoint> points, const Plan& plan)
{
    const Bytes budget = std::max(plan.prediction.peak, plan.budget.value_or(plan.prediction.peak));
    // A point may be cheaper by its reruns alone; that buys nothing.
    const auto above = std::partition_point(points.begin(), points.end(),
        [&](const auto& p) { return p.cost.peak <= budget || p.cost.time >= plan.prediction.time; });
    if (above == points.end())
        return std::nullopt;
    // Time falls along the frontier, so the first point that saves enough is found by bisection.
    const auto saved = [&](const StudyPoint& point) {
        const Prediction& p = plan.prediction;
        return plan.extraTime() - shareAbove(p.keepAll, point.cost.time, p.optimizer, plan.setup().microBatches);
    };
    const auto enough
        = std::partition_point(above, points.end(), [&](const auto& p) { return saved(p) < kWorthwhile; });
    const StudyPoint& point = enough == points.end() ? *above : *enough;
    return MoreBudget{point, point.cost.peak - budget, saved(point)};
}

Result<Study> Study::solve(StudyRequest request, const FlatLimits& limits, StudyMemory* remembered)
{
    request.setup = withDefaults(request.shape, request.setup);
    if (auto valid = validate(request.shape, request.setup); !valid)
        return valid.error();
    if (auto stored = checkPrecision(request.setup, request.device); !stored)
        return stored.error();
    if (remembered)
        remembered->suffixes.age();
    Study study;
    study.m_request = std::move(request);
    for (const TrainingSetup& variant : variantsOf(study.m_request.setup))
        if (auto solved = study.solveVariant(variant, limits, remembered); !solved)
            return solved.error();
    study.m_frontiers.merge();
    study.keepAll();
    return study;
}

Result<void> Study::solveVariant(const TrainingSetup& setup, const FlatLimits& limits, StudyMemory* remembered)
{
    StepTape tape = buildStepTape(m_request.shape, setup, machineTraits(m_request.device));
    Result<std::vector<KeepRule>> rules = pinRules(tape, m_request.pins);
    // A pin may name what only the setup's own variants have; other variants that lack it are no candidates.
    if (!rules)
        return m_variants.empty() ? Result<void>(rules.error()) : Result<void>();
    if (m_variants.empty())
        m_rules = *rules;
    auto step = std::make_shared<const StepChain>(
        buildStepChain(std::move(tape), m_request.device, *rules, remembered ? &remembered->replays : nullptr));
    Result<FlatFrontier> frontier
        = FlatPlanner(step->chain, limits).solve(remembered ? &remembered->suffixes : nullptr);
    if (!frontier)
        return frontier.error();
    m_variants.push_back(std::move(step));
    m_frontiers.add(*std::move(frontier));
    return {};
}

/// Finds what keeping everything takes: time of the fastest variant, and the least peak that reaches it.
void Study::keepAll()
{
    const auto& [shape, setup, device, pins] = m_request;
    m_keepAllTime = remat::keepAllTime(tape(), device);
    m_optimizerTime = optimizerTime(tape(), device);
    std::optional<Prediction> least;
    for (const TrainingSetup& variant : variantsOf(setup)) {
        const StepTape step = buildStepTape(shape, variant, machineTraits(device));
        const Prediction all = derivePlan(step, device, keepSetsOf({Strategy::Kind::None}, step, {}, {})).prediction;
        if (!least || std::pair(all.time, all.peak) < std::pair(least->time, least->peak))
            least = all;
    }
    m_keepAllPeak = least->peak;
}

double Study::extraTimeOf(const StudyPoint& point) const
{
    return shareAbove(m_keepAllTime, point.cost.time, m_optimizerTime, m_request.setup.microBatches);
}

std::optional<MoreBudget> Study::moreBudget(const Plan& plan) const
{
    return plan.strategy.kind == Strategy::Kind::Optimal ? remat::moreBudget(points(), plan) : std::nullopt;
}

Result<Plan> Study::cheapestWithin(Bytes budget) const
{
    return planWithin(m_frontiers.cheapestWithin(budget), budget);
}

Result<Plan> Study::cheapestOfVariant(int variant, Bytes budget) const
{
    return planWithin(m_frontiers.cheapestOf(variant, budget), budget);
}

Result<Plan> Study::planWithin(const Result<StudyPoint>& point, Bytes budget) const
{
    if (!point)
        return point.error();
    Plan plan = planOf(*point);
    plan.budget = budget;
    return plan;
}

Plan Study::planOf(const StudyPoint& chosen) const
{
    const StepChain& step = *m_variants[static_cast<std::size_t>(chosen.variant)];
    const std::vector<int> choice = m_frontiers.of(chosen.variant).choiceOf(chosen.index);
    std::vector<KeepSet> keep;
    for (std::size_t s = 0; s < choice.size(); ++s)
        keep.push_back(step.keepSet(static_cast<int>(s), choice[s]));
    Plan plan = derivePlan(step.tape, m_request.device, std::move(keep));
    plan.pins = m_request.pins;
    plan.budget = chosen.cost.peak;
    plan.strategy = {Strategy::Kind::Optimal};
    plan.proof = {"flat", isExact(), gap(), leastPeak(), m_frontiers.leastBinding(), m_frontiers.states()};
    return plan;
}

Result<Plan> Study::plan(const Strategy& strategy, std::optional<Bytes> budget) const
{
    if (strategy.kind == Strategy::Kind::Optimal) {
        if (!budget)
            return needsBudget(strategy);
        return cheapestWithin(*budget);
    }
    if (auto applies = strategyApplies(strategy, tape()); !applies)
        return applies.error();
    Result<Plan> plan = fixedPlan(tape(), m_request.device, strategy, m_rules, budget);
    if (plan)
        plan->pins = m_request.pins;
    return plan;
}

std::vector<ComparedStrategy> Study::compare(const std::vector<Strategy>& strategies, Bytes budget) const
{
    std::vector<ComparedStrategy> rows;
    for (const Strategy& strategy : strategies) {
        Result<Plan> plan = this->plan(strategy, budget);
        if (plan)
            rows.push_back({strategy, *std::move(plan), std::nullopt});
        else
            rows.push_back({strategy, std::nullopt, plan.error()});
    }
    return rows;
}

} // namespace remat
