// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/nested_planner.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/plan/flat_tables.h"
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

struct Solved {
    std::shared_ptr<const NestedFrontier::Tables> tables;
    NestedClass nestedClass = NestedClass::NoDrop;
    bool isExact = false;
    double gap = 0;
};

/// Points of a whole flat solve that is worth its time and memory here: up to 0.2 GB beside the nested tables.
constexpr std::int64_t kMostFlatPoints = 8'000'000;
/// Of each suffix, where there would be more.
constexpr std::size_t kThinnedFlatPoints = 4096;
/// A thinned solve goes ahead where tables are large and, as layers repeat, few: from so many known points times tables
/// on, up to so many tables.
constexpr std::size_t kLargeTables = 4'000'000;
constexpr std::size_t kMostScoutTables = 1000;
constexpr std::size_t kScoutPoints = 512; ///< in each of its tables

template <class Tables> std::vector<FrontierPoint> pointsOf(const Tables& tables)
{
    std::vector<FrontierPoint> points;
    for (std::size_t i = 0; i < tables.points(); ++i)
        points.push_back(tables.pointAt(i));
    return points;
}

/// Of two lists by rising peak and falling cost the lower one at every budget.
std::vector<FrontierPoint> lowerOf(const std::vector<FrontierPoint>& a, const std::vector<FrontierPoint>& b)
{
    const auto costOf = [](const FrontierPoint& point) { return std::pair(point.time, point.reruns); };
    std::vector<FrontierPoint> all(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin(),
        [&](const auto& p, const auto& q) { return std::pair(p.peak, costOf(p)) < std::pair(q.peak, costOf(q)); });
    std::vector<FrontierPoint> lower;
    for (const FrontierPoint& point : all)
        if (lower.empty() || costOf(point) < costOf(lower.back()))
            lower.push_back(point);
    return lower;
}

/// Plans of the class for all budgets that it has, found in thinned tables: below the flat ones' budgets no other is
/// known, and a little above not a good one.  That takes about a fifth of the time that it saves.
template <class Cost>
std::vector<FrontierPoint> withThinned(
    NestedTables<Cost>& tables, std::vector<FrontierPoint> known, const NestedLimits& limits)
{
    const std::size_t count = tables.tables();
    if (count > kMostScoutTables || known.size() * count < kLargeTables)
        return known;
    NestedLimits silent = limits;
    silent.progress = {};
    if (tables.fillThinned(silent, kScoutPoints) != NestedTables<Cost>::Outcome::Done)
        return known;
    return lowerOf(known, pointsOf(tables));
}

/// Fills the tables of the smallest class: what beats no flat plan is left out, and of these also the tables serve
/// where they are whole.
template <class Cost>
typename NestedTables<Cost>::Outcome fillAfterFlat(
    NestedTables<Cost>& tables, const Chain& chain, const NestedLimits& limits, FlatSuffixes<Cost>* remembered)
{
    FlatTables<Cost> flat(chain, tables.costPerNanosecond(), remembered);
    FlatLimits flatLimits;
    flatLimits.cancel = limits.cancel;
    flatLimits.maxPoints = kMostFlatPoints;
    flatLimits.threads = limits.threads;
    using Flat = typename FlatTables<Cost>::Outcome;
    Flat outcome = flat.fill(flatLimits, FlatTables<Cost>::kAllPoints, {}, remembered);
    if (outcome == Flat::TooLarge)
        outcome = flat.fill(flatLimits, {kThinnedFlatPoints}, {}, remembered);
    if (outcome == Flat::Cancelled)
        return NestedTables<Cost>::Outcome::Cancelled;
    return tables.fill(limits, withThinned(tables, pointsOf(flat), limits), flat.isWhole() ? &flat : nullptr);
}

/// What of a solve's progress is the first class's, where another one follows.
constexpr double kFirstShare = 0.1;

/// Each class leaves out of its tables what a plan of a smaller one beats, so those are solved first that take little:
/// flat, then nested-no-drop, which also is the answer where the wider ones are too large.
template <class Cost> Result<Solved> solveWith(const Chain& chain, const NestedLimits& wanted, FlatMemory* remembered)
{
    using Tables = NestedTables<Cost>;
    using Outcome = typename Tables::Outcome;
    NestedLimits limits = wanted;
    double shareBefore = 0;
    double share = wanted.wanted == NestedClass::NoDrop ? 1 : kFirstShare;
    double reported = 0;
    if (wanted.progress)
        limits.progress = [&](double done) {
            reported = std::max(reported, shareBefore + share * done);
            wanted.progress(reported);
        };

    const auto tables = std::make_shared<Tables>(chain, NestedClass::NoDrop);
    Outcome outcome = tables->mayFit(limits)
        ? fillAfterFlat(*tables, chain, limits, remembered ? &remembered->suffixes<Cost>() : nullptr)
        : Outcome::TooLarge;
    if (outcome == Outcome::TooLarge) {
        const auto count = static_cast<std::int64_t>(tables->tables());
        const std::int64_t points = limits.maxTableBytes / kBytesPerPoint / count;
        share = 1;
        if (points >= kLeastPoints && tables->leastThinnedWork(static_cast<std::size_t>(points)) <= limits.maxWork)
            outcome = tables->fillThinned(limits, static_cast<std::size_t>(points));
        if (outcome == Outcome::TooLarge)
            return Error{&kTooLarge, chain.name, {count, Bytes{limits.maxTableBytes}}};
    }
    if (outcome == Outcome::Cancelled)
        return solveCancelled(chain);
    Solved solved{tables, NestedClass::NoDrop, tables->isWhole(), tables->certifiedGap()};
    if (!solved.isExact)
        return solved;

    limits.maxTableBytes -= tables->bytes();
    shareBefore = share;
    share = 1 - share;
    for (const NestedClass wider : {NestedClass::Drop, NestedClass::DropLean}) {
        if (wider > limits.wanted)
            continue;
        const auto widerTables = std::make_shared<Tables>(chain, wider);
        if (!widerTables->mayFit(limits))
            continue;
        outcome = widerTables->fill(limits, pointsOf(*tables));
        if (outcome == Outcome::Cancelled)
            return solveCancelled(chain);
        if (outcome == Outcome::Done)
            return Solved{widerTables, wider, true, 0};
    }
    if (limits.progress)
        limits.progress(1);
    return solved;
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

Result<NestedFrontier> NestedPlanner::solve(FlatMemory* remembered) const
{
    if (m_chain.stages.size() > kMostNestedStages)
        return Error{&kTooManyStages, m_chain.name,
            {static_cast<std::int64_t>(kMostNestedStages), static_cast<std::int64_t>(m_chain.stages.size())}};
    if (!fitsWideNestedCost(m_chain))
        return Error{&kTooLargeCosts, m_chain.name, {}};
    const Result<Solved> solved = fitsNarrowNestedCost(m_chain) ? solveWith<NarrowCost>(m_chain, m_limits, remembered)
                                                                : solveWith<WideCost>(m_chain, m_limits, remembered);
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
