// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/plan/flat_planner.h"
#include "core/regions/region_plan.h"
#include "core/regions/region_spans.h"

namespace remat {

/// A strategy at one budget, and why it has no plan.
struct ComparedRegions {
    Strategy strategy;
    std::optional<RegionPlan> plan;
    std::optional<Error> problem;
};

/// What another budget would make of a plan.
struct RegionMove {
    Bytes peak;             ///< of the plan there: the budget from which on it is to be had
    double extraTime = 0.0; ///< its own; the plan's is RegionPlan::extraTime()
    std::size_t layers = 0; ///< that would run otherwise
};
struct RegionMoves {
    std::optional<RegionMove> more, less;
};

/// One model, setup and device in PyTorch, planned for every budget.
///
/// The flat planner chooses on the chain of region_chain.h, whose peaks are estimates.  Up to 64 of its points, spread
/// over the frontier, are simulated whole, and so are regions of several layers (region_spans.h), which keep less than
/// any plan of single ones; a budget takes the fastest of those within it, and then the fastest of up to 32 more
/// between that one and the next.  So no plan is over its budget, and more budget never costs.
///
///   auto study = RegionStudy::solve({shape, setup, device});
///   auto plan = study->cheapestWithin(24_GiB);
///
/// Whoever waits for a first answer has fewer points simulated, and the others afterwards:
///
///   auto first = RegionStudy::solve(request, {}, 8);
///   auto best = first->refined();                     // what solve(request) gives
class RegionStudy {
public:
    static constexpr std::size_t kSpread = 64;  ///< points that are simulated for every budget
    static constexpr std::size_t kBetween = 32; ///< and between two of them for one budget

    /// On the threads of the limits; the study does not depend on how many.  Errors: cancelled.
    static Result<RegionStudy> solve(
        RegionRequest request, const FlatLimits& limits = {}, std::size_t points = kSpread);
    /// The same study with kSpread points.  Error: cancelled.
    Result<RegionStudy> refined(const FlatLimits& limits = {}) const;
    bool isRefined() const { return m_points >= kSpread; }

    const RegionRequest& request() const { return m_request; }
    const RegionPlan& keepAll() const { return m_keepAll; }
    /// The cheapest plan whose simulated peak is within the budget.  Errors: none is (exit 4), with the least peak;
    /// cancelled.
    Result<RegionPlan> cheapestWithin(Bytes budget, const std::stop_token& cancel = {}) const;
    /// The least peak that was found.
    Bytes leastPeak() const { return m_simulated.front().plan.prediction.peak; }
    /// Simulated plans that no other one beats, from the leanest to the fastest.
    std::vector<RegionPlan> frontier() const;
    /// The prices of those, without their decisions.
    struct Point {
        Bytes peak;
        double extraTime = 0.0;
    };
    std::vector<Point> points() const;
    /// A strategy's plan; Optimal needs a budget.  Errors: the profile has no such strategy, or the model lacks what it
    /// wraps (exit 3); cancelled.
    Result<RegionPlan> plan(
        const Strategy& strategy, std::optional<Bytes> budget, const std::stop_token& cancel = {}) const;
    /// How a plan would change if its budget moved among the plans of frontier(): up to the first that saves at least
    /// half a percent of a step, or else to the next at all; down to the first below its peak.
    RegionMoves movesOf(const RegionPlan& plan) const;
    /// The layers that a plan runs otherwise than the plan of frontier() for a budget.
    std::vector<std::size_t> layersThatDiffer(const RegionPlan& plan, Bytes budget) const;
    /// Every strategy of this profile; once cancelled, the others have that as their problem.
    std::vector<ComparedRegions> compare(Bytes budget, const std::stop_token& cancel = {}) const;

private:
    struct Simulated {
        std::size_t point; ///< of the flat frontier
        RegionPlan plan;
    };
    void simulate(std::size_t points, const FlatLimits& limits);
    RegionPlan planOf(std::size_t point, const std::stop_token& cancel) const;
    RegionPlan finish(LayerPlan own, const Strategy& strategy, const std::stop_token& cancel) const;

    RegionRequest m_request;
    std::shared_ptr<const RegionChain> m_chain;
    FlatFrontier m_frontier;
    RegionPlan m_keepAll;
    std::size_t m_points = 0;           ///< that were asked for
    std::vector<Simulated> m_simulated; ///< rising peaks, falling times
};

/// The strategies that have a meaning in PyTorch, in the order of a comparison.
std::vector<Strategy> regionStrategies();

} // namespace remat
