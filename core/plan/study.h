// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/chain/pins.h"
#include "core/plan/flat_memory.h"
#include "core/plan/flat_planner.h"
#include "core/plan/merged_frontiers.h"
#include "core/plan/plan.h"

namespace remat {

/// What a study is about.
struct StudyRequest {
    ModelShape shape;
    TrainingSetup setup;
    Device device;
    std::vector<Pin> pins;
};

/// What a person who could raise the budget would get.
struct MoreBudget {
    StudyPoint point;
    Bytes more;         ///< beyond the plan's budget (beyond its peak, where it has none)
    double saved = 0.0; ///< of extra time
};

/// What more budget would buy the holder of a planner's plan: the first point of its frontier above its budget that
/// saves at least half a percent of a step, or else the next one at all.  Empty at the end of the frontier.
std::optional<MoreBudget> moreBudget(std::span<const StudyPoint> points, const Plan& plan);

/// One row of a comparison.
struct ComparedStrategy {
    Strategy strategy;
    std::optional<Plan> plan;     ///< absent when the strategy has no plan here
    std::optional<Error> problem; ///< then why: the planner's certificate
};

/// What studies leave for the next one, so that an edit is solved in a part of a fresh study's time.  Of one thread.
///
/// An edit of batch, sequence, width, precision or device keeps how every keep-set replays (core/chain/keep_replay.h);
/// one of the number of layers, of pins, of what only the embedding has, or of the optimizer keeps all suffix tables
/// behind the first stage from the head that changed (core/plan/flat_memory.h).
struct StudyMemory {
    KeepReplays replays;
    FlatMemory suffixes;
};

/// One shape and setup, solved for every budget at once.  Immutable and safe to share between threads.
///
///   auto study = Study::solve({shape, setup, device, {}});
///   auto plan = study->cheapestWithin(8_GiB);    // or the certificate: least feasible budget and what binds
///   auto full = study->plan({Strategy::Kind::Full}, 8_GiB);
class Study {
public:
    /// `remembered`: what past studies left and this one leaves for the next, or null; an exact study does not depend
    /// on it.
    /// Errors: those of validate() and pinRules(), cancelled.
    static Result<Study> solve(StudyRequest request, const FlatLimits& limits = {}, StudyMemory* remembered = nullptr);

    const StudyRequest& request() const { return m_request; }
    /// The frontier over all variants: rising peak, falling cost.
    const std::vector<StudyPoint>& points() const { return m_frontiers.points(); }
    bool isExact() const { return m_frontiers.isExact(); }
    double gap() const { return m_frontiers.gap(); }
    Bytes leastPeak() const { return m_frontiers.leastPeak(); }
    /// The zero of every extra time (core/plan/variants.h): keeping everything, pins aside, in the fastest of the
    /// variants that the setup leaves open; and the least peak that it can have.
    Nanoseconds keepAllTime() const { return m_keepAllTime; }
    Bytes keepAllPeak() const { return m_keepAllPeak; }
    /// Plan::extraTime() of a point's plan, without making it.
    double extraTimeOf(const StudyPoint& point) const;
    /// remat::moreBudget() of an optimal plan; empty for other strategies.
    std::optional<MoreBudget> moreBudget(const Plan& plan) const;
    /// The setup with the variants of a point.
    const TrainingSetup& setupOf(const StudyPoint& point) const
    {
        return m_variants[static_cast<std::size_t>(point.variant)]->tape.setup;
    }
    /// What each variant's frontier is about.
    const std::vector<std::shared_ptr<const StepChain>>& variants() const { return m_variants; }
    /// The tape of the setup's own variants.
    const StepTape& tape() const { return m_variants.front()->tape; }

    /// The cheapest plan whose peak is within the budget.  Error: the infeasibility certificate (exit 4).
    Result<Plan> cheapestWithin(Bytes budget) const;
    /// The same of one variant alone, by its place in variants(): 0 is the setup's own.
    Result<Plan> cheapestOfVariant(int variant, Bytes budget) const;
    /// The plan of one point of the frontier; its budget is the point's own peak.
    Plan planAt(std::size_t point) const { return planOf(points()[point]); }
    /// A strategy's plan, whether it fits or not; Optimal is cheapestWithin() and needs a budget.
    /// Precondition: not OptimalNested, which has a study of its own (core/plan/nested_study.h).
    Result<Plan> plan(const Strategy& strategy, std::optional<Bytes> budget) const;
    std::vector<ComparedStrategy> compare(const std::vector<Strategy>& strategies, Bytes budget) const;

private:
    Result<void> solveVariant(const TrainingSetup& setup, const FlatLimits& limits, StudyMemory* remembered);
    void keepAll();
    Plan planOf(const StudyPoint& point) const;
    Result<Plan> planWithin(const Result<StudyPoint>& point, Bytes budget) const;

    StudyRequest m_request;
    std::vector<std::shared_ptr<const StepChain>> m_variants;
    MergedFrontiers<FlatFrontier> m_frontiers;
    std::vector<KeepRule> m_rules;
    Bytes m_keepAllPeak;
    Nanoseconds m_keepAllTime;
    Nanoseconds m_optimizerTime;
};

} // namespace remat
