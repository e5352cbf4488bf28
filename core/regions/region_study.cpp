// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_study.h"

#include <algorithm>

#include "core/regions/in_parallel.h"
#include "core/regions/region_strategies.h"
#include "core/torch/layer_wraps.h"

namespace remat {

namespace {

constexpr MessageCode kNoRegionFits{"no-regions-fit",
    REMAT_TR("No plan that PyTorch can carry out fits into {0}: the leanest needs {1}, {2} more; {3} of that is there "
             "whatever is recomputed."),
    REMAT_TR("Raise the budget to {1}, lower the batch or the sequence length, or choose half precision, an optimizer "
             "with less state or more GPUs."),
    ExitCode::DoesNotFit};

/// `most` of the numbers from `first` to `last`, evenly spread, both ends among them.
std::vector<std::size_t> spread(std::size_t first, std::size_t last, std::size_t most)
{
    std::vector<std::size_t> chosen;
    const std::size_t count = last - first + 1, taken = std::min(count, most);
    for (std::size_t i = 0; i < taken; ++i)
        chosen.push_back(taken == 1 ? first : first + i * (count - 1) / (taken - 1));
    return chosen;
}

/// What `make` gives, or that its simulations were stopped.
template <class Make> auto unlessCancelled(const RegionRequest& request, const Make& make) -> decltype(make())
{
    try {
        return make();
    } catch (const torch::StepCancelled&) {
        return simulationsCancelled(request);
    }
}

} // namespace

std::vector<Strategy> regionStrategies()
{
    using Kind = Strategy::Kind;
    return {{Kind::None}, {Kind::Full}, {Kind::FullNoEarlyStop}, {Kind::EveryK, 2}, {Kind::FfnOnly},
        {Kind::AttentionOnly}, {Kind::CoreAttention}, {Kind::Optimal}};
}

Result<RegionStudy> RegionStudy::solve(RegionRequest request, const FlatLimits& limits, std::size_t points)
{
    RegionStudy study;
    request.setup.layers.clear();
    study.m_request = std::move(request);
    return unlessCancelled(study.m_request, [&]() -> Result<RegionStudy> {
        study.m_chain
            = std::make_shared<const RegionChain>(buildRegionChain(study.m_request, limits.threads, limits.cancel));
        Result<FlatFrontier> solved = FlatPlanner(study.m_chain->chain, limits).solve();
        if (!solved)
            return solved.error();
        study.m_frontier = *std::move(solved);
        const auto layers = torch::layerCount(study.m_request.shape);
        study.m_keepAll
            = study.finish({std::vector<torch::LayerRegions>(layers), std::vector<std::string>(layers, "keep")},
                {Strategy::Kind::None}, limits.cancel);
        study.simulate(points, limits);
        return std::move(study);
    });
}

Result<RegionStudy> RegionStudy::refined(const FlatLimits& limits) const
{
    return unlessCancelled(m_request, [&]() -> Result<RegionStudy> {
        RegionStudy study = *this;
        study.simulate(kSpread, limits);
        return study;
    });
}

/// Fills m_simulated with plans of so many points; what is there of them already is not simulated again.
void RegionStudy::simulate(std::size_t points, const FlatLimits& limits)
{
    const std::vector<Simulated> known = std::move(m_simulated);
    const auto planned = [&](std::size_t point) {
        // The first point's place is taken by regions of several layers too.
        for (const Simulated& one : known)
            if (point > 0 && one.point == point && one.plan.strategy.kind == Strategy::Kind::Optimal)
                return one.plan;
        return planOf(point, limits.cancel);
    };
    const std::size_t last = m_frontier.points().size() - 1;
    std::vector<Simulated> all{{last, m_keepAll}};
    // The chain only estimates which plan is the leanest; full recomputation may be, and regions of several layers.
    std::vector<LayerPlan> spans;
    if (!m_request.isExact) {
        if (Result<RegionPlan> full = plan({Strategy::Kind::Full}, std::nullopt, limits.cancel))
            all.push_back({0, *std::move(full)});
        spans = spanPlans(m_request.shape, m_request.setup);
    }
    const std::vector<std::size_t> chosen = spread(0, last, points);
    const std::size_t first = all.size();
    all.resize(first + spans.size() + chosen.size());
    inParallel(static_cast<std::int64_t>(all.size() - first), limits.threads, [&](std::int64_t index) {
        const auto i = static_cast<std::size_t>(index);
        if (i < spans.size()) {
            all[first + i] = {0, finish(std::move(spans[i]), {Strategy::Kind::Optimal}, limits.cancel)};
        } else {
            const std::size_t point = chosen[i - spans.size()];
            all[first + i] = {point, planned(point)};
        }
    });
    // What it left out above would be missing.
    if (limits.cancel.stop_requested())
        throw torch::StepCancelled();
    std::stable_sort(all.begin(), all.end(), [](const Simulated& a, const Simulated& b) {
        return std::pair(a.plan.prediction.peak, a.plan.prediction.time)
            < std::pair(b.plan.prediction.peak, b.plan.prediction.time);
    });
    m_simulated.clear();
    for (Simulated& one : all)
        if (m_simulated.empty() || one.plan.prediction.time < m_simulated.back().plan.prediction.time)
            m_simulated.push_back(std::move(one));
    m_points = points;
}

RegionPlan RegionStudy::finish(LayerPlan own, const Strategy& strategy, const std::stop_token& cancel) const
{
    RegionPlan plan;
    plan.request = m_request;
    plan.request.setup.layers = std::move(own.layers);
    plan.options = std::move(own.options);
    plan.strategy = strategy;
    plan.prediction = predict(plan.request, m_keepAll.prediction.time, cancel);
    return plan;
}

RegionPlan RegionStudy::planOf(std::size_t point, const std::stop_token& cancel) const
{
    const std::vector<int> choice = m_frontier.choiceOf(point);
    LayerPlan own;
    for (std::size_t layer = 0; layer < m_chain->kindOfLayer.size(); ++layer) {
        const RegionOption& option = m_chain->optionOf(layer, choice[layer + 1]);
        own.layers.push_back(option.regions);
        own.options.push_back(option.name);
    }
    return finish(std::move(own), {Strategy::Kind::Optimal}, cancel);
}

Result<RegionPlan> RegionStudy::cheapestWithin(Bytes budget, const std::stop_token& cancel) const
{
    const auto above = std::find_if(m_simulated.begin(), m_simulated.end(),
        [budget](const Simulated& one) { return one.plan.prediction.peak > budget; });
    if (above == m_simulated.begin())
        return Error{
            &kNoRegionFits, "", {budget, leastPeak(), leastPeak() - budget, m_simulated.front().plan.prediction.base}};
    const Simulated& known = *std::prev(above);
    return unlessCancelled(m_request, [&]() -> Result<RegionPlan> {
        RegionPlan best = known.plan;
        if (above != m_simulated.end() && above->point > known.point + 1)
            for (const std::size_t point : spread(known.point + 1, above->point - 1, std::min(kBetween, m_points))) {
                RegionPlan plan = planOf(point, cancel);
                if (plan.prediction.peak <= budget && plan.prediction.time < best.prediction.time)
                    best = std::move(plan);
            }
        best.strategy = {Strategy::Kind::Optimal};
        best.budget = budget;
        return best;
    });
}

Result<RegionPlan> RegionStudy::plan(
    const Strategy& strategy, std::optional<Bytes> budget, const std::stop_token& cancel) const
{
    if (strategy.kind == Strategy::Kind::Optimal)
        return budget ? cheapestWithin(*budget, cancel) : Result<RegionPlan>(needsBudget(strategy));
    return planOfRule(m_request, strategy, budget, m_keepAll.prediction.time, cancel);
}

std::vector<RegionStudy::Point> RegionStudy::points() const
{
    std::vector<Point> points;
    for (const Simulated& one : m_simulated)
        points.push_back({one.plan.prediction.peak, one.plan.extraTime()});
    return points;
}

std::vector<std::size_t> RegionStudy::layersThatDiffer(const RegionPlan& plan, Bytes budget) const
{
    const RegionPlan* other = nullptr;
    for (const Simulated& one : m_simulated)
        if (one.plan.prediction.peak <= budget)
            other = &one.plan;
    std::vector<std::size_t> layers;
    for (std::size_t layer = 0; other && layer < plan.options.size(); ++layer)
        if (plan.options[layer] != other->options[layer])
            layers.push_back(layer);
    return layers;
}

RegionMoves RegionStudy::movesOf(const RegionPlan& plan) const
{
    const auto moveTo = [&](const RegionPlan& other) {
        RegionMove move{other.prediction.peak, other.extraTime(), 0};
        for (std::size_t layer = 0; layer < plan.options.size(); ++layer)
            move.layers += plan.options[layer] == other.options[layer] ? 0 : 1;
        return move;
    };
    constexpr double kNoticeable = 0.005;
    const Bytes budget = std::max(plan.budget.value_or(Bytes{}), plan.prediction.peak);
    RegionMoves moves;
    for (const Simulated& one : m_simulated) {
        const RegionPrediction& there = one.plan.prediction;
        if (there.peak < plan.prediction.peak && there.time > plan.prediction.time)
            moves.less = moveTo(one.plan);
        if (there.peak <= budget || there.time >= plan.prediction.time)
            continue;
        if (!moves.more)
            moves.more = moveTo(one.plan);
        if (plan.extraTime() - one.plan.extraTime() >= kNoticeable) {
            moves.more = moveTo(one.plan);
            break;
        }
    }
    return moves;
}

std::vector<ComparedRegions> RegionStudy::compare(Bytes budget, const std::stop_token& cancel) const
{
    std::vector<ComparedRegions> rows;
    for (const Strategy& strategy : regionStrategies()) {
        Result<RegionPlan> made = plan(strategy, budget, cancel);
        rows.push_back(
            {strategy, made ? std::optional(*made) : std::nullopt, made ? std::nullopt : std::optional(made.error())});
    }
    return rows;
}

std::vector<RegionPlan> RegionStudy::frontier() const
{
    std::vector<RegionPlan> plans;
    for (const Simulated& one : m_simulated) {
        plans.push_back(one.plan);
        plans.back().strategy = {Strategy::Kind::Optimal};
    }
    return plans;
}

} // namespace remat
