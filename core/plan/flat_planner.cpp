// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/flat_planner.h"

#include <algorithm>
#include <utility>

#include "core/plan/flat_schedule.h"
#include "core/plan/flat_tables.h"

namespace remat {

namespace {

/// Points per table that usually certify 0.1 % in a fraction of the exact solve's time.
constexpr std::size_t kThinnedPoints = 512;
/// A plan within a few thousandths of the best one is there sooner: corners alone, and as many points per table as keep
/// the options' points within this work, but not fewer or more than so many.
constexpr double kCornersGap = 0.003;
constexpr std::size_t kCornersWork = 4'000'000;
constexpr std::size_t kLeastCornerPoints = 64;
/// Points per table where the exact solve would be too large.
constexpr std::size_t kLargePoints = 4096;

FlatThinning cornersOf(const Chain& chain)
{
    std::size_t options = 0;
    for (const Stage& stage : chain.stages)
        options += stage.options.size();
    return {std::clamp(kCornersWork / options, kLeastCornerPoints, kThinnedPoints), true};
}

struct Solved {
    std::shared_ptr<const FlatFrontier::Tables> tables; ///< null when cancelled
    bool isExact = false;
    double gap = 0;
};

template <class Cost> Solved solveWith(const Chain& chain, const FlatLimits& limits, FlatMemory* remembered)
{
    using Outcome = typename FlatTables<Cost>::Outcome;
    FlatSuffixes<Cost>* const suffixes = remembered ? &remembered->suffixes<Cost>() : nullptr;
    auto tables = std::make_shared<FlatTables<Cost>>(chain, suffixes);
    if (limits.gapTarget > 0) {
        Outcome outcome = Outcome::TooLarge;
        if (limits.quickPoints > 0)
            outcome = tables->fill(limits, FlatTables<Cost>::kAllPoints, {}, suffixes, limits.quickPoints);
        if (outcome == Outcome::Cancelled)
            return {};
        if (outcome == Outcome::Done)
            return {tables, true, 0};
        for (const FlatThinning& thinning : {cornersOf(chain), FlatThinning{kThinnedPoints}}) {
            if (thinning.onlyCorners && limits.gapTarget < kCornersGap)
                continue;
            outcome = tables->fill(limits, thinning, {}, suffixes);
            if (outcome == Outcome::Cancelled)
                return {};
            if (tables->isWhole())
                return {tables, true, 0};
            if (const double gap = tables->certifiedGap(); gap <= limits.gapTarget)
                return {tables, false, gap};
        }
    }
    Outcome outcome = tables->fill(limits, FlatTables<Cost>::kAllPoints, limits.progress, suffixes);
    const bool isExact = outcome == Outcome::Done;
    double gap = 0;
    if (outcome == Outcome::TooLarge) {
        outcome = tables->fill(limits, {kLargePoints}, limits.progress, suffixes);
        if (outcome == Outcome::Done)
            gap = tables->certifiedGap();
    }
    return outcome == Outcome::Done ? Solved{tables, isExact, gap} : Solved{};
}

} // namespace

FlatPlanner::FlatPlanner(const Chain& chain, FlatLimits limits) : m_chain(chain), m_limits(std::move(limits)) { }

Result<FlatFrontier> FlatPlanner::solve(FlatMemory* remembered) const
{
    const Solved solved = fitsNarrowCost(m_chain) ? solveWith<NarrowCost>(m_chain, m_limits, remembered)
                                                  : solveWith<WideCost>(m_chain, m_limits, remembered);
    if (!solved.tables)
        return solveCancelled(m_chain);

    FlatFrontier frontier;
    frontier.m_tables = solved.tables;
    frontier.m_exact = solved.isExact;
    frontier.m_planClass = "flat";
    frontier.m_gap = solved.gap;
    frontier.m_states = solved.tables->states();
    frontier.m_points.reserve(solved.tables->points());
    for (std::size_t i = 0; i < solved.tables->points(); ++i)
        frontier.m_points.push_back(solved.tables->pointAt(i));

    const Result<BindingOp> least = bindingOp(m_chain, flatSchedule(m_chain, frontier.choiceOf(0)));
    if (!least)
        return least.error();
    frontier.m_leastBinding = *least;
    return frontier;
}

std::vector<int> FlatFrontier::choiceOf(std::size_t point) const
{
    return m_tables->choiceOf(point);
}

} // namespace remat
