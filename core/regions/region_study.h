// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/plan/flat_planner.h"
#include "core/regions/region_plan.h"

namespace remat {

/// A strategy at one budget, and why it has no plan.
struct ComparedRegions {
    Strategy strategy;
    std::optional<RegionPlan> plan;
    std::optional<Error> problem;
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
class RegionStudy {
public:
    /// On the threads of the limits; the study does not depend on how many.  Errors: cancelled.
    static Result<RegionStudy> solve(RegionRequest request, const FlatLimits& limits = {});

    const RegionRequest& request() const { return m_request; }
    const RegionPlan& keepAll() const { return m_keepAll; }
    /// The cheapest plan whose simulated peak is within the budget.  Error: none is (exit 4), with the least peak.
    Result<RegionPlan> cheapestWithin(Bytes budget) const;
    /// The least peak that was found.
    Bytes leastPeak() const { return m_simulated.front().plan.prediction.peak; }
    /// Simulated plans that no other one beats, from the leanest to the fastest.
    std::vector<RegionPlan> frontier() const;
    /// A strategy's plan; Optimal needs a budget.  Error: the profile has no such strategy, or the model lacks what it
    /// wraps (exit 3).
    Result<RegionPlan> plan(const Strategy& strategy, std::optional<Bytes> budget) const;
    /// Every strategy of this profile.
    std::vector<ComparedRegions> compare(Bytes budget) const;

private:
    struct Simulated {
        std::size_t point; ///< of the flat frontier
        RegionPlan plan;
    };
    RegionPlan planOf(std::size_t point) const;
    RegionPlan finish(std::vector<torch::LayerRegions> layers, std::vector<std::string> options,
        const Strategy& strategy, std::optional<Bytes> budget, bool stopsEarly = true) const;

    RegionRequest m_request;
    std::shared_ptr<const RegionChain> m_chain;
    FlatFrontier m_frontier;
    RegionPlan m_keepAll;
    std::vector<Simulated> m_simulated; ///< rising peaks, falling times
};

/// The strategies that have a meaning in PyTorch, in the order of a comparison.
std::vector<Strategy> regionStrategies();

} // namespace remat
