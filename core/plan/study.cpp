// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/study.h"

#include <algorithm>
#include <tuple>

#include "core/cost/device_traits.h"

namespace remat {

namespace {

constexpr MessageCode kNeedsBudget{"optimal-needs-budget", REMAT_TR("The strategy optimal needs a budget."),
    REMAT_TR("Add --budget, for example --budget 8GiB."), ExitCode::Usage};

/// The setups among which --variants auto chooses: both attention kinds and the head whole or in 4 to 64 chunks.
std::vector<TrainingSetup> variantsOf(const TrainingSetup& setup)
{
    std::vector<TrainingSetup> variants{setup};
    if (setup.variants == VariantChoice::Fixed || setup.profile != Profile::Runtime)
        return variants;
    for (const AttentionKind attention : {AttentionKind::Blocked, AttentionKind::Stored}) {
        for (const std::int64_t chunks : {1, 4, 16, 64}) {
            TrainingSetup variant = setup;
            variant.attention = attention;
            variant.loss = chunks == 1 ? LossKind::CrossEntropy : LossKind::ChunkedCrossEntropy;
            variant.headChunks = chunks;
            if (chunks <= setup.batch * setup.sequence
                && std::find(variants.begin(), variants.end(), variant) == variants.end())
                variants.push_back(variant);
        }
    }
    return variants;
}

} // namespace

Result<Study> Study::solve(StudyRequest request, const FlatLimits& limits)
{
    request.setup = withDefaults(request.shape, request.setup);
    if (auto valid = validate(request.shape, request.setup); !valid)
        return valid.error();
    Study study;
    study.m_request = std::move(request);
    for (const TrainingSetup& variant : variantsOf(study.m_request.setup))
        if (auto solved = study.solveVariant(variant, limits); !solved)
            return solved.error();
    study.mergeFrontiers();
    const Plan keepAllPlan = study.plan({Strategy::Kind::None}, std::nullopt).value();
    study.m_keepAllPeak = keepAllPlan.prediction.peak;
    study.m_keepAllTime = keepAllPlan.prediction.time;
    return study;
}

Result<void> Study::solveVariant(TrainingSetup setup, const FlatLimits& limits)
{
    StepTape tape = buildStepTape(m_request.shape, setup, machineTraits(m_request.device));
    Result<std::vector<KeepRule>> rules = pinRules(tape, m_request.pins);
    // A pin may name what only the setup's own variants have; other variants that lack it are no candidates.
    if (!rules)
        return m_variants.empty() ? Result<void>(rules.error()) : Result<void>();
    if (m_variants.empty())
        m_rules = *rules;
    auto step = std::make_shared<const StepChain>(buildStepChain(std::move(tape), m_request.device, *rules));
    Result<FlatFrontier> frontier = FlatPlanner(step->chain, limits).solve();
    if (!frontier)
        return frontier.error();
    m_isExact = m_isExact && frontier->exact();
    m_gap = std::max(m_gap, frontier->gap());
    m_variants.push_back(std::move(step));
    m_frontiers.push_back(*std::move(frontier));
    return {};
}

void Study::mergeFrontiers()
{
    std::vector<StudyPoint> all;
    for (std::size_t v = 0; v < m_frontiers.size(); ++v)
        for (std::size_t p = 0; p < m_frontiers[v].points().size(); ++p)
            all.push_back({m_frontiers[v].points()[p], static_cast<int>(v), p});
    const auto key = [](const StudyPoint& p) { return std::tuple(p.cost.peak, p.cost.time, p.cost.reruns, p.variant); };
    std::sort(all.begin(), all.end(), [&](const StudyPoint& a, const StudyPoint& b) { return key(a) < key(b); });
    for (const StudyPoint& point : all) {
        const bool isCheaper = m_points.empty()
            || std::tuple(point.cost.time, point.cost.reruns)
                < std::tuple(m_points.back().cost.time, m_points.back().cost.reruns);
        if (isCheaper)
            m_points.push_back(point);
    }
}

double Study::extraTimeOf(const StudyPoint& point) const
{
    const std::int64_t k = m_request.setup.microBatches;
    return ratio(k * (point.cost.time - m_keepAllTime), k * m_keepAllTime + optimizerTime(tape(), m_request.device));
}

std::optional<std::size_t> Study::nextCheaper(Bytes peak) const
{
    const auto above = std::partition_point(
        m_points.begin(), m_points.end(), [&](const StudyPoint& p) { return p.cost.peak <= peak; });
    return above == m_points.end() ? std::nullopt : std::optional(static_cast<std::size_t>(above - m_points.begin()));
}

Result<Plan> Study::cheapestWithin(Bytes budget) const
{
    const auto beyond = std::partition_point(
        m_points.begin(), m_points.end(), [&](const StudyPoint& p) { return p.cost.peak <= budget; });
    if (beyond == m_points.begin()) {
        // The variant that needs least says why.
        const FlatFrontier& leanest = m_frontiers[static_cast<std::size_t>(m_points.front().variant)];
        return leanest.cheapestWithin(budget).error();
    }
    Plan plan = planAt(static_cast<std::size_t>(beyond - m_points.begin()) - 1);
    plan.budget = budget;
    return plan;
}

Plan Study::planAt(std::size_t point) const
{
    const StudyPoint& chosen = m_points[point];
    const StepChain& step = *m_variants[static_cast<std::size_t>(chosen.variant)];
    const std::vector<int> choice = m_frontiers[static_cast<std::size_t>(chosen.variant)].choiceOf(chosen.index);
    std::vector<KeepSet> keep;
    for (std::size_t s = 0; s < choice.size(); ++s)
        keep.push_back(step.keepSet(static_cast<int>(s), choice[s]));
    Plan plan = derivePlan(step.tape, m_request.device, std::move(keep));
    plan.pins = m_request.pins;
    plan.budget = chosen.cost.peak;
    plan.strategy = {Strategy::Kind::Optimal};
    plan.proof = {"flat", m_isExact, m_gap, leastPeak()};
    return plan;
}

Result<Plan> Study::plan(const Strategy& strategy, std::optional<Bytes> budget) const
{
    if (strategy.kind == Strategy::Kind::Optimal) {
        if (!budget)
            return Error{&kNeedsBudget, "--strategy", {}};
        return cheapestWithin(*budget);
    }
    if (auto applies = strategyApplies(strategy, tape()); !applies)
        return applies.error();
    const Bytes toFree = budget ? std::max(Bytes{0}, m_keepAllPeak - *budget) : Bytes{0};
    Plan plan = derivePlan(tape(), m_request.device, keepSetsOf(strategy, tape(), m_rules, toFree));
    plan.pins = m_request.pins;
    plan.budget = budget;
    plan.strategy = strategy;
    plan.proof = {"fixed", true, 0.0, std::nullopt};
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
