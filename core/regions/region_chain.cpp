// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_chain.h"

#include <algorithm>

#include "core/regions/cut_step.h"
#include "core/regions/in_parallel.h"

namespace remat {

namespace {

using torch::TorchStep;

constexpr std::int64_t kProbeLayers = 4;

/// What the probes of one request have in common.
struct Probe {
    ModelShape shape;
    torch::TorchSetup setup;
    Device device;
    Bytes boundaryGradient; ///< of a layer's output
    Bytes layerGradients;   ///< of one layer's weights
    Bytes otherGradients;   ///< of all other weights
};

bool hasGradientsInBase(const torch::TorchSetup& setup)
{
    return setup.hasResidentGrads || setup.microBatches > 1;
}

Probe makeProbe(const RegionRequest& request)
{
    Probe probe{request.shape, request.setup, atPrecision(request.device, request.setup), {}, {}, {}};
    probe.shape.layers = kProbeLayers;
    probe.setup.layers.clear();
    probe.setup.optimizer = torch::TorchOptimizer::None;
    probe.setup.hasResidentGrads = hasGradientsInBase(request.setup);
    probe.setup.microBatches = 1;
    const Bytes whole = torch::simulateTorchStep(probe.shape, probe.setup).parameterBytes;
    ModelShape fewer = probe.shape;
    fewer.layers -= 1;
    const Bytes layer = whole - torch::simulateTorchStep(fewer, probe.setup).parameterBytes;
    const std::int64_t width = request.setup.precision == torch::TorchPrecision::Half ? 2 : 4;
    probe.boundaryGradient = {request.setup.batch * request.setup.sequence * request.shape.hidden * width};
    if (!probe.setup.hasResidentGrads) {
        probe.layerGradients = layer;
        probe.otherGradients = whole - kProbeLayers * layer;
    }
    return probe;
}

/// The layer that a probe looks at: one of the kind with layers before and behind it.
int probedLayer(const ModelShape& shape, bool hasWindow)
{
    for (int layer = 1; layer + 1 < kProbeLayers; ++layer)
        if (shape.hasWindow(layer) == hasWindow)
            return layer;
    return 1;
}

/// One way of running a layer as the chain's option; `forward` is what the layer's forward takes.
Option makeOption(const Probe& probe, const RegionOption& way, int layer, Nanoseconds& forward)
{
    torch::TorchSetup setup = probe.setup;
    setup.layers.assign(kProbeLayers, {});
    setup.layers[static_cast<std::size_t>(layer)] = way.regions;
    const TorchStep step = torch::simulateTorchStep(probe.shape, setup);
    const CutStep cut(step, probe.shape);
    Option option;
    option.name = way.name;
    option.savedBytes = cut.savedOf(layer);
    Bytes before = step.base;
    for (int j = 0; j < layer; ++j)
        before += cut.savedOf(j);
    const Bytes forwardPeak = cut.peakOf(layer, true);
    option.forwardTempBytes = std::max(Bytes{}, forwardPeak - (before + option.savedBytes));
    const Bytes atBackward = before + option.savedBytes + probe.boundaryGradient + probe.otherGradients
        + (kProbeLayers - 1 - layer) * probe.layerGradients;
    option.backwardTempBytes
        = std::max({Bytes{}, cut.peakOf(layer, false) - atBackward, probe.layerGradients - option.savedBytes});
    option.backwardTime = cut.timeOf(layer, false, probe.device);
    option.reruns = cut.rerunsOf(layer);
    option.needsInput = false; // the boundary is counted where it is saved
    forward = cut.timeOf(layer, true, probe.device);
    return option;
}

bool isNoWorse(const Option& a, const Option& b)
{
    return a.savedBytes <= b.savedBytes && a.forwardTempBytes <= b.forwardTempBytes
        && a.backwardTempBytes <= b.backwardTempBytes && a.backwardTime <= b.backwardTime && a.reruns <= b.reruns;
}

/// Every option that no other one beats; of equals the first, which has the simpler regions.
void keepUseful(std::vector<Option>& options, std::vector<RegionOption>& ways)
{
    std::vector<Option> useful;
    std::vector<RegionOption> usefulWays;
    for (std::size_t i = 0; i < options.size(); ++i) {
        const auto beats = [&](std::size_t j) {
            return j != i && isNoWorse(options[j], options[i]) && (j < i || !isNoWorse(options[i], options[j]));
        };
        bool isBeaten = false;
        for (std::size_t j = 0; j < options.size() && !isBeaten; ++j)
            isBeaten = beats(j);
        if (!isBeaten) {
            useful.push_back(options[i]);
            usefulWays.push_back(ways[i]);
        }
    }
    options = std::move(useful);
    ways = std::move(usefulWays);
}

Option wholeOption(Bytes saved, Bytes forwardTemp, Bytes backwardTemp, Nanoseconds time)
{
    Option option;
    option.name = "keep";
    option.savedBytes = saved;
    option.forwardTempBytes = forwardTemp;
    option.backwardTempBytes = backwardTemp;
    option.backwardTime = time;
    option.needsInput = false;
    return option;
}

} // namespace

RegionChain buildRegionChain(const RegionRequest& request, int threads)
{
    const Probe probe = makeProbe(request);
    const TorchStep keepAll = torch::simulateTorchStep(probe.shape, probe.setup);
    const CutStep cut(keepAll, probe.shape);
    RegionChain result;
    Chain& chain = result.chain;
    chain.name = request.shape.name;

    // Stages of layers, one kind with a window and one without.
    std::vector<Stage> kinds;
    std::vector<bool> windows;
    const std::vector<RegionOption> ways = regionOptions(request.shape, request.setup);
    for (std::int64_t layer = 0; layer < request.shape.layers; ++layer) {
        const bool hasWindow = request.shape.hasWindow(layer);
        const auto known = std::find(windows.begin(), windows.end(), hasWindow);
        result.kindOfLayer.push_back(static_cast<int>(known - windows.begin()));
        if (known != windows.end())
            continue;
        windows.push_back(hasWindow);
        Stage stage;
        stage.kind = hasWindow ? "layer with a window" : "layer";
        stage.gradBytes = probe.boundaryGradient;
        stage.weightGradBytes = probe.layerGradients;
        std::vector<RegionOption> own = ways;
        const int probed = probedLayer(probe.shape, hasWindow);
        stage.options.resize(own.size());
        std::vector<Nanoseconds> forward(own.size());
        inParallel(static_cast<std::int64_t>(own.size()), threads, [&](std::int64_t index) {
            const auto i = static_cast<std::size_t>(index);
            stage.options[i] = makeOption(probe, own[i], probed, forward[i]);
        });
        stage.forwardTime = forward.back();
        keepUseful(stage.options, own);
        stage.forwardTempBytes = stage.options.front().forwardTempBytes;
        kinds.push_back(std::move(stage));
        result.options.push_back(std::move(own));
    }

    Bytes layers;
    for (int layer = 0; layer < kProbeLayers; ++layer)
        layers += cut.savedOf(layer);
    const Bytes others = keepAll.saved - layers;

    Stage embedding;
    embedding.name = "embedding";
    embedding.gradBytes = probe.boundaryGradient;
    const std::int64_t table = request.shape.vocabulary * request.shape.hidden
        * (request.setup.precision == torch::TorchPrecision::Half ? 2 : 4);
    // The gradient of a tied table is there from the head's backward on.
    embedding.weightGradBytes
        = request.shape.hasTiedHead ? Bytes{} : std::max(Bytes{}, probe.otherGradients - Bytes{table});
    embedding.forwardTime = cut.timeOf(CutStep::kEmbedding, true, probe.device);
    const Bytes atEnd = keepAll.base + probe.boundaryGradient + kProbeLayers * probe.layerGradients
        + (probe.otherGradients - embedding.weightGradBytes);
    embedding.options.push_back(
        wholeOption({}, {}, std::max(embedding.weightGradBytes, cut.peakOf(CutStep::kEmbedding, false) - atEnd),
            cut.timeOf(CutStep::kEmbedding, false, probe.device)));
    chain.stages.push_back(std::move(embedding));

    for (std::size_t layer = 0; layer < result.kindOfLayer.size(); ++layer) {
        chain.stages.push_back(kinds[static_cast<std::size_t>(result.kindOfLayer[layer])]);
        chain.stages.back().name = "layer " + std::to_string(layer);
    }

    Stage head;
    head.name = "head";
    head.weightGradBytes = probe.otherGradients - chain.stages.front().weightGradBytes;
    head.forwardTime = cut.timeOf(CutStep::kHead, true, probe.device);
    const Bytes beforeHead = keepAll.base + layers;
    head.options.push_back(
        wholeOption(others, std::max(Bytes{}, cut.peakOf(CutStep::kHead, true) - (beforeHead + others)),
            std::max({Bytes{}, cut.peakOf(CutStep::kHead, false) - (beforeHead + others),
                probe.boundaryGradient + head.weightGradBytes - others}),
            cut.timeOf(CutStep::kHead, false, probe.device)));
    head.forwardTempBytes = head.options.front().forwardTempBytes;
    chain.stages.push_back(std::move(head));

    // What is there all step long, and at its end, is the whole model's.
    torch::TorchSetup whole = request.setup;
    whole.layers.clear();
    const TorchStep step = torch::simulateTorchStep(request.shape, whole);
    chain.baseBytes
        = step.base + (hasGradientsInBase(request.setup) && !whole.hasResidentGrads ? step.gradientBytes : Bytes{});
    Bytes gradients;
    for (const Stage& stage : chain.stages)
        gradients += stage.weightGradBytes;
    chain.stepEndBytes = std::max(Bytes{}, step.optimizerPeak - (chain.baseBytes + gradients));
    return result;
}

} // namespace remat
