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

Result<NestedStudy> NestedStudy::solve(const Study& study, const NestedLimits& wanted, StudyMemory* remembered)
{
    NestedStudy nested;
    nested.m_device = study.request().device;
    nested.m_pins = study.request().pins;
    nested.m_variants = study.variants();
    nested.m_class = wanted.wanted;
    for (const std::shared_ptr<const StepChain>& step : nested.m_variants) {
        const NestedLimits limits = shareOf(wanted, nested.m_frontiers.count(), nested.m_variants.size());
        Result<NestedFrontier> frontier
            = NestedPlanner(step->chain, limits).solve(remembered ? &remembered->suffixes : nullptr);
        if (!frontier)
            return frontier.error();
        nested.m_class = std::min(nested.m_class, frontier->solvedClass());
        nested.m_frontiers.add(*std::move(frontier));
    }
    nested.m_frontiers.merge();
    return nested;
}

Result<Plan> NestedStudy::cheapestWithin(Bytes budget) const
{
    return planWithin(m_frontiers.cheapestWithin(budget), budget);
}

Result<Plan> NestedStudy::cheapestOfVariant(int variant, Bytes budget) const
{
    return planWithin(m_frontiers.cheapestOf(variant, budget), budget);
}

Result<Plan> NestedStudy::planWithin(const Result<StudyPoint>& point, Bytes budget) const
{
    if (!point)
        return point.error();
    Plan plan = planOf(*point);
    plan.budget = budget;
    return plan;
}

Plan NestedStudy::planOf(const StudyPoint& chosen) const
{
    const StepChain& step = *m_variants[at(chosen.variant)];
    Decisions decisions = decisionsOf(step, m_frontiers.of(chosen.variant).scheduleOf(chosen.index));
    // The planner's schedules replay; a failure here would be a defect of ours.
    Plan plan = derivePlan(step.tape, m_device, std::move(decisions.keep), std::move(decisions.schedule)).value();
    plan.pins = m_pins;
    plan.budget = chosen.cost.peak;
    plan.strategy = {Strategy::Kind::OptimalNested};
    plan.proof = {
        std::string(nameOf(m_class)), isExact(), gap(), leastPeak(), m_frontiers.leastBinding(), m_frontiers.states()};
    return plan;
}

} // namespace remat
