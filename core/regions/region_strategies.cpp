// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_strategies.h"

#include "core/plan/frontier.h"
#include "core/torch/layer_wraps.h"

namespace remat {

namespace {

constexpr MessageCode kNotInPytorch{"strategy-not-in-pytorch",
    REMAT_TR("The profile pytorch has no strategy {0}: it plans what torch.utils.checkpoint can do."),
    REMAT_TR("Use none, full, full-no-early-stop, every-K, ffn-only, attention-only, core-attention or optimal."),
    ExitCode::Usage};
constexpr MessageCode kNoFfnModule{"no-ffn-module",
    REMAT_TR("A layer of model type {0} has no module that is its FFN, so that none can be wrapped."),
    REMAT_TR("Use full, attention-only or optimal."), ExitCode::BadInput};

constexpr MessageCode kNoCore{"no-attention-function",
    REMAT_TR(
        "Models of type {0} call no attention function that could be wrapped: their softmax stands in the module."),
    REMAT_TR("Use full, attention-only or optimal."), ExitCode::BadInput};

} // namespace

Result<StrategyRegions> regionsOf(const Strategy& strategy, const ModelShape& shape)
{
    const torch::LayerWraps wraps = torch::layerWrapsOf(shape);
    torch::LayerRegions regions;
    std::string name;
    int every = 1;
    switch (strategy.kind) {
    case Strategy::Kind::None:
        name = "keep";
        break;
    case Strategy::Kind::EveryK:
        every = strategy.k;
        [[fallthrough]];
    case Strategy::Kind::Full:
    case Strategy::Kind::FullNoEarlyStop:
        regions.isBlock = true;
        name = "block";
        break;
    case Strategy::Kind::FfnOnly:
        if (wraps.ffn.empty())
            return Error{&kNoFfnModule, "--strategy", {shape.modelType}};
        regions.isFfn = true;
        name = "ffn";
        break;
    case Strategy::Kind::AttentionOnly:
        regions.isAttention = true;
        name = "attention";
        break;
    case Strategy::Kind::CoreAttention:
        if (wraps.core.empty())
            return Error{&kNoCore, "--strategy", {shape.modelType}};
        regions.isAttentionCore = true;
        name = "attention core";
        break;
    default:
        return Error{&kNotInPytorch, "--strategy", {toName(strategy)}};
    }
    const std::size_t layers = torch::layerCount(shape);
    StrategyRegions chosen{std::vector<torch::LayerRegions>(layers), std::vector<std::string>(layers, "keep"),
        strategy.kind != Strategy::Kind::FullNoEarlyStop};
    for (std::size_t layer = 0; layer < layers; layer += static_cast<std::size_t>(every)) {
        chosen.layers[layer] = regions;
        chosen.options[layer] = name;
    }
    return chosen;
}

Error simulationsCancelled(const RegionRequest& request)
{
    Chain chain;
    chain.name = request.shape.name;
    return solveCancelled(chain);
}

Result<RegionPlan> planOfRule(const RegionRequest& request, const Strategy& strategy, std::optional<Bytes> budget,
    Nanoseconds keepAll, const std::stop_token& cancel)
{
    Result<StrategyRegions> regions = regionsOf(strategy, request.shape);
    if (!regions)
        return regions.error();
    RegionPlan plan;
    plan.request = request;
    plan.request.isExact = false; // rules wrap modules
    plan.request.setup.layers.clear();
    plan.strategy = strategy;
    plan.budget = budget;
    try {
        if (keepAll.value == 0)
            keepAll = predict(plan.request, {}, cancel).time;
        plan.request.setup.layers = std::move(regions->layers);
        plan.request.setup.stopsEarly = request.setup.stopsEarly && regions->stopsEarly;
        plan.options = std::move(regions->options);
        plan.prediction = predict(plan.request, keepAll, cancel);
    } catch (const torch::StepCancelled&) {
        return simulationsCancelled(request);
    }
    return plan;
}

} // namespace remat
