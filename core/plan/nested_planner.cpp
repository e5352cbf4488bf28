// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/nested_planner.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/plan/nested_tables.h"

namespace remat {

namespace {

constexpr MessageCode kTooManyStages{"nested-too-many-stages",
    REMAT_TR("The nested planner takes chains of up to {0} stages; this one has {1}."),
    REMAT_TR("Use the flat planner: every stage runs forward once.")};
constexpr MessageCode kTooLarge{"nested-too-large",
    REMAT_TR("The {0} tables of a nested solve of this chain do not fit into {1}, or take too long."),
    REMAT_TR("Use the flat planner, or a chain with fewer different stages.")};

constexpr MessageCode kTooLargeCosts{"nested-costs-too-large",
    REMAT_TR("Times and reruns of this chain are too large for the nested planner: their product could pass 2^124."),
    REMAT_TR("Use the flat planner, or give times in a larger unit.")};

/// Fewer points in a table are no use.
constexpr std::int64_t kLeastPoints = 64;
/// A point with its samples takes less than this.
constexpr std::int64_t kBytesPerPoint = 64;

/// What a solve takes is between twice and many times its least work; the larger it is the more times, so that one
/// above this seldom ends in time and is not begun.
constexpr std::int64_t kUsualExcess = 4;

struct Solved {
    std::shared_ptr<const NestedFrontier::Tables> tables;
    NestedClass nestedClass = NestedClass::NoDrop;
    bool isExact = false;
    double gap = 0;
};

/// The classes from the wanted one down.
std::vector<NestedClass> classesFrom(NestedClass wanted)
{
    std::vector<NestedClass> classes{NestedClass::Drop, NestedClass::DropLean, NestedClass::NoDrop};
    classes.erase(classes.begin(), std::find(classes.begin(), classes.end(), wanted));
    return classes;
}

template <class Cost> Result<Solved> solveWith(const Chain& chain, const NestedLimits& limits)
{
    using Tables = NestedTables<Cost>;
    using Outcome = typename Tables::Outcome;
    std::shared_ptr<Tables> tables;
    NestedClass solvedClass = limits.wanted;
    Outcome outcome = Outcome::TooLarge;
    for (const NestedClass nestedClass : classesFrom(limits.wanted)) {
        solvedClass = nestedClass;
        tables = std::make_shared<Tables>(chain, nestedClass);
        if (kUsualExcess * tables->leastWork(Tables::kAllPoints) <= limits.maxWork)
            outcome = tables->fill(limits, Tables::kAllPoints);
        if (outcome != Outcome::TooLarge)
            break;
    }
    if (outcome == Outcome::TooLarge) {
        const auto count = static_cast<std::int64_t>(tables->tables());
        const std::int64_t points = limits.maxTableBytes / kBytesPerPoint / count;
        if (points >= kLeastPoints && tables->leastWork(static_cast<std::size_t>(points)) <= limits.maxWork)
            outcome = tables->fill(limits, static_cast<std::size_t>(points));
        if (outcome == Outcome::TooLarge)
            return Error{&kTooLarge, chain.name, {count, Bytes{limits.maxTableBytes}}};
    }
    if (outcome == Outcome::Cancelled)
        return solveCancelled(chain);
    return Solved{tables, solvedClass, tables->isWhole(), tables->certifiedGap()};
}

} // namespace

std::string_view nameOf(NestedClass nestedClass)
{
    switch (nestedClass) {
    case NestedClass::NoDrop:
        return "nested-no-drop";
    case NestedClass::DropLean:
        return "nested-drop-lean";
    case NestedClass::Drop:
        break;
    }
    return "nested";
}

NestedPlanner::NestedPlanner(const Chain& chain, NestedLimits limits) : m_chain(chain), m_limits(std::move(limits)) { }

Result<NestedFrontier> NestedPlanner::solve() const
{
    if (m_chain.stages.size() > kMostNestedStages)
        return Error{&kTooManyStages, m_chain.name,
            {static_cast<std::int64_t>(kMostNestedStages), static_cast<std::int64_t>(m_chain.stages.size())}};
    if (!fitsWideNestedCost(m_chain))
        return Error{&kTooLargeCosts, m_chain.name, {}};
    const Result<Solved> solved = fitsNarrowNestedCost(m_chain) ? solveWith<NarrowCost>(m_chain, m_limits)
                                                                : solveWith<WideCost>(m_chain, m_limits);
    if (!solved)
        return solved.error();

    NestedFrontier frontier;
    frontier.m_class = solved->nestedClass;
    frontier.m_tables = solved->tables;
    frontier.m_exact = solved->isExact;
    frontier.m_planClass = nameOf(solved->nestedClass);
    frontier.m_gap = solved->gap;
    frontier.m_states = solved->tables->states();
    frontier.m_points.reserve(solved->tables->points());
    for (std::size_t i = 0; i < solved->tables->points(); ++i)
        frontier.m_points.push_back(solved->tables->pointAt(i));

    const Result<BindingOp> least = bindingOp(m_chain, frontier.scheduleOf(0));
    if (!least)
        return least.error();
    frontier.m_leastBinding = *least;
    return frontier;
}

Schedule NestedFrontier::scheduleOf(std::size_t point) const
{
    return m_tables->scheduleOf(point);
}

} // namespace remat
