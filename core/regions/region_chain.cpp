// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_chain.h"

#include <algorithm>

#include "core/regions/cut_step.h"
#include "core/regions/exact_options.h"
#include "core/regions/in_parallel.h"
#include "core/torch/layer_wraps.h"

namespace remat {

namespace {

using torch::layerCount;
using torch::TorchStep;

constexpr std::int64_t kProbeLayers = 4;

/// What the probes of one request have in common.
struct Probe {
    ModelShape shape;
    torch::TorchSetup setup;
    Device device;
    Bytes boundaryGradient; ///< of a layer's output
    Bytes layerGradients;   ///< of one layer's weights
    Bytes decoderGradients; ///< of one of the decoder's layers
    Bytes otherGradients;   ///< of all other weights

    bool isDecoder(std::size_t layer) const { return layer >= static_cast<std::size_t>(shape.layers); }
    Bytes gradientsOf(std::size_t layer) const { return isDecoder(layer) ? decoderGradients : layerGradients; }
    /// Of the layers from `first` on.
    Bytes gradientsFrom(std::size_t first) const
    {
        Bytes sum;
        for (std::size_t layer = first; layer < layerCount(shape); ++layer)
            sum += gradientsOf(layer);
        return sum;
    }
};

bool hasGradientsInBase(const torch::TorchSetup& setup)
{
    return setup.hasResidentGrads || setup.microBatches > 1;
}

Probe makeProbe(const RegionRequest& request, const std::stop_token& cancel)
{
    Probe probe{request.shape, request.setup, atPrecision(request.device, request.setup), {}, {}, {}, {}};
    probe.shape.layers = kProbeLayers;
    if (request.shape.decoderLayers > 0)
        probe.shape.decoderLayers = kProbeLayers;
    probe.setup.layers.clear();
    probe.setup.optimizer = torch::TorchOptimizer::None;
    probe.setup.hasResidentGrads = hasGradientsInBase(request.setup);
    probe.setup.microBatches = 1;
    const auto weightsOf
        = [&](const ModelShape& shape) { return torch::simulateTorchStep(shape, probe.setup, cancel).parameterBytes; };
    const Bytes whole = weightsOf(probe.shape);
    ModelShape fewer = probe.shape;
    fewer.layers -= 1;
    const Bytes layer = whole - weightsOf(fewer);
    Bytes decoderLayer;
    if (probe.shape.decoderLayers > 0) {
        fewer = probe.shape;
        fewer.decoderLayers -= 1;
        decoderLayer = whole - weightsOf(fewer);
    }
    const std::int64_t width = request.setup.precision == torch::TorchPrecision::Half ? 2 : 4;
    probe.boundaryGradient = {request.setup.batch * request.setup.sequence * request.shape.hidden * width};
    if (!probe.setup.hasResidentGrads) {
        probe.layerGradients = layer;
        probe.decoderGradients = decoderLayer;
        probe.otherGradients = whole - probe.gradientsFrom(0);
    }
    return probe;
}

/// The layer that a probe looks at: one of the kind with layers before and behind it.
int probedLayer(const ModelShape& shape, bool hasWindow, bool isDecoder)
{
    if (isDecoder)
        return kProbeLayers + 1;
    for (int layer = 1; layer + 1 < kProbeLayers; ++layer)
        if (shape.hasWindow(layer) == hasWindow)
            return layer;
    return 1;
}

/// One way of running a layer as the chain's option; `forward` is what the layer's forward takes.
Option makeOption(
    const Probe& probe, const RegionOption& way, int layer, Nanoseconds& forward, const std::stop_token& cancel)
{
    torch::TorchSetup setup = probe.setup;
    const auto index = static_cast<std::size_t>(layer);
    setup.layers.assign(layerCount(probe.shape), {});
    setup.layers[index] = way.regions;
    const TorchStep step = torch::simulateTorchStep(probe.shape, setup, cancel);
    const CutStep cut(step, probe.shape);
    Option option;
    option.name = way.name;
    option.savedBytes = cut.savedOf(layer);
    Bytes before = step.base;
    for (int j = 0; j < layer; ++j)
        before += cut.savedOf(j);
    const Bytes forwardPeak = cut.peakOf(layer, true);
    option.forwardTempBytes = std::max(Bytes{}, forwardPeak - (before + option.savedBytes));
    const Bytes atBackward
        = before + option.savedBytes + probe.boundaryGradient + probe.otherGradients + probe.gradientsFrom(index + 1);
    option.backwardTempBytes
        = std::max({Bytes{}, cut.peakOf(layer, false) - atBackward, probe.gradientsOf(index) - option.savedBytes});
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

RegionChain buildRegionChain(const RegionRequest& request, int threads, const std::stop_token& cancel)
{
    const Probe probe = makeProbe(request, cancel);
    const TorchStep keepAll = torch::simulateTorchStep(probe.shape, probe.setup, cancel);
    const CutStep cut(keepAll, probe.shape);
    RegionChain result;
    Chain& chain = result.chain;
    chain.name = request.shape.name;

    // Stages of layers, one kind with a window and one without, and one of a decoder behind an encoder.
    std::vector<Stage> kinds;
    std::vector<std::pair<bool, bool>> known;
    for (std::size_t layer = 0; layer < layerCount(request.shape); ++layer) {
        const bool isDecoder = layer >= static_cast<std::size_t>(request.shape.layers);
        const bool hasWindow = !isDecoder && request.shape.hasWindow(static_cast<std::int64_t>(layer));
        const std::pair kind(hasWindow, isDecoder);
        const auto place = std::find(known.begin(), known.end(), kind);
        result.kindOfLayer.push_back(static_cast<int>(place - known.begin()));
        if (place != known.end())
            continue;
        known.push_back(kind);
        const int probed = probedLayer(probe.shape, hasWindow, isDecoder);
        Stage stage;
        stage.kind = isDecoder ? "decoder layer" : hasWindow ? "layer with a window" : "layer";
        stage.gradBytes = probe.boundaryGradient;
        stage.weightGradBytes = probe.gradientsOf(static_cast<std::size_t>(probed));
        std::vector<RegionOption> own = request.isExact
            ? exactOptions({probe.shape, request.setup, request.device}, static_cast<std::size_t>(probed))
            : regionOptions(request.shape, request.setup, isDecoder);
        stage.options.resize(own.size());
        std::vector<Nanoseconds> forward(own.size());
        inParallel(static_cast<std::int64_t>(own.size()), threads, [&](std::int64_t index) {
            const auto i = static_cast<std::size_t>(index);
            stage.options[i] = makeOption(probe, own[i], probed, forward[i], cancel);
        });
        stage.forwardTime = forward.back();
        keepUseful(stage.options, own);
        stage.forwardTempBytes = stage.options.front().forwardTempBytes;
        kinds.push_back(std::move(stage));
        result.options.push_back(std::move(own));
    }

    Bytes layers;
    for (std::size_t layer = 0; layer < layerCount(probe.shape); ++layer)
        layers += cut.savedOf(static_cast<int>(layer));
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
    const Bytes atEnd = keepAll.base + probe.boundaryGradient + probe.gradientsFrom(0)
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
    const TorchStep step = torch::simulateTorchStep(request.shape, whole, cancel);
    chain.baseBytes
        = step.base + (hasGradientsInBase(request.setup) && !whole.hasResidentGrads ? step.gradientBytes : Bytes{});
    Bytes gradients;
    for (const Stage& stage : chain.stages)
        gradients += stage.weightGradBytes;
    chain.stepEndBytes = std::max(Bytes{}, step.optimizerPeak - (chain.baseBytes + gradients));
    return result;
}

} // namespace remat
