// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/nested_study.h"

#include <algorithm>
#include <cassert>

#include "core/base/index.h"

namespace remat {

namespace {

/// What each stage keeps for its backward, and the schedule in terms of buildFixedChain() of that.
struct Decisions {
    std::vector<KeepSet> keep;
    Schedule schedule;
};

Decisions decisionsOf(const StepChain& step, Schedule schedule)
{
    Decisions decisions{std::vector<KeepSet>(step.tape.stages.size()), std::move(schedule)};
    for (ScheduleOp& op : decisions.schedule) {
        // A step's forward that keeps nothing is the leanest of all, so the planner never frees what it just kept.
        assert(op.kind != ScheduleOp::Kind::FreeSaved);
        if (op.kind != ScheduleOp::Kind::Forward || op.option == ScheduleOp::kNoOption)
            continue;
        decisions.keep[at(op.stage)] = step.keepSet(op.stage, op.option);
        op.option = 0;
    }
    return decisions;
}

/// What one of several variants may take.  The tables of all of them stay, for their schedules.
NestedLimits shareOf(const NestedLimits& limits, std::size_t variant, std::size_t variants)
{
    const std::int64_t parts = variants == 1 ? 1 : variant == 0 ? 2 : 2 * static_cast<std::int64_t>(variants - 1);
    NestedLimits share = limits;
    share.maxWork /= parts;
    share.maxTableBytes /= parts;
    return share;
}

} // namespace

Result<NestedStudy> NestedStudy::solve(const Study& study, const NestedLimits& wanted)
{
    NestedStudy nested;
    nested.m_device = study.request().device;
    nested.m_pins = study.request().pins;
    nested.m_variants = study.variants();
    nested.m_class = wanted.wanted;
    std::vector<std::vector<FrontierPoint>> frontiers;
    for (const std::shared_ptr<const StepChain>& step : nested.m_variants) {
        const NestedLimits limits = shareOf(wanted, nested.m_frontiers.size(), nested.m_variants.size());
        Result<NestedFrontier> frontier = NestedPlanner(step->chain, limits).solve();
        if (!frontier)
            return frontier.error();
        nested.m_isExact = nested.m_isExact && frontier->exact();
        nested.m_gap = std::max(nested.m_gap, frontier->gap());
        nested.m_states += frontier->states();
        nested.m_class = std::min(nested.m_class, frontier->solvedClass());
        frontiers.push_back(frontier->points());
        nested.m_frontiers.push_back(*std::move(frontier));
    }
    nested.m_points = mergeFrontiers(frontiers);
    return nested;
}

Result<Plan> NestedStudy::cheapestWithin(Bytes budget) const
{
    const StudyPoint* point = cheapestPoint(m_points, budget);
    // Where nothing fits, the variant that needs least says why.
    if (!point)
        return cheapestOfVariant(m_points.front().variant, budget);
    Plan plan = planOf(*point);
    plan.budget = budget;
    return plan;
}

Result<Plan> NestedStudy::cheapestOfVariant(int variant, Bytes budget) const
{
    const NestedFrontier& frontier = m_frontiers[at(variant)];
    const Result<std::size_t> point = frontier.cheapestWithin(budget);
    if (!point)
        return point.error();
    Plan plan = planOf({frontier.points()[*point], variant, *point});
    plan.budget = budget;
    return plan;
}

Plan NestedStudy::planOf(const StudyPoint& chosen) const
{
    const StepChain& step = *m_variants[at(chosen.variant)];
    Decisions decisions = decisionsOf(step, m_frontiers[at(chosen.variant)].scheduleOf(chosen.index));
    // The planner's schedules replay; a failure here would be a defect of ours.
    Plan plan = derivePlan(step.tape, m_device, std::move(decisions.keep), std::move(decisions.schedule)).value();
    plan.pins = m_pins;
    plan.budget = chosen.cost.peak;
    plan.strategy = {Strategy::Kind::OptimalNested};
    plan.proof = {std::string(nameOf(m_class)), m_isExact, m_gap, leastPeak(),
        m_frontiers[at(m_points.front().variant)].leastBinding(), m_states};
    return plan;
}

} // namespace remat
