// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_chain.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "core/cost/roofline.h"
#include "core/model/families.h"

namespace remat {

namespace {

using torch::Event;
using torch::OpCode;
using torch::Phase;
using torch::TorchStep;

constexpr std::int64_t kProbeLayers = 4;

OpClass classOf(OpCode op)
{
    switch (op) {
    case OpCode::Mm:
    case OpCode::Addmm:
    case OpCode::Convolution:
    case OpCode::ConvolutionBackward:
        return OpClass::Gemm;
    case OpCode::Bmm:
    case OpCode::Baddbmm:
    case OpCode::Softmax:
    case OpCode::SafeSoftmax:
    case OpCode::SoftmaxBackward:
        return OpClass::StoredAttention;
    case OpCode::FlashAttention:
    case OpCode::FlashAttentionBackward:
    case OpCode::EfficientAttention:
    case OpCode::EfficientAttentionBackward:
        return OpClass::Attention;
    case OpCode::LayerNorm:
    case OpCode::LayerNormBackward:
    case OpCode::Mean:
    case OpCode::Sum:
        return OpClass::Reduction;
    case OpCode::LogSoftmax:
    case OpCode::LogSoftmaxBackward:
    case OpCode::NllLoss:
    case OpCode::NllLossBackward:
        return OpClass::CrossEntropy;
    case OpCode::Dropout:
    case OpCode::DropoutBackward:
        return OpClass::Dropout;
    case OpCode::Gelu:
    case OpCode::GeluBackward:
    case OpCode::Silu:
    case OpCode::SiluBackward:
    case OpCode::Tanh:
    case OpCode::TanhBackward:
    case OpCode::Sigmoid:
    case OpCode::SigmoidBackward:
        return OpClass::Activation;
    case OpCode::Embedding:
    case OpCode::EmbeddingBackward:
    case OpCode::Gather:
        return OpClass::Embedding;
    case OpCode::OptimizerStep:
        return OpClass::Optimizer;
    default:
        return OpClass::Elementwise;
    }
}

/// The device with the rate at which products of the precision run.  PyTorch leaves TF32 off for fp32.
Device withRate(Device device, const torch::TorchSetup& setup)
{
    if (setup.precision != torch::TorchPrecision::Fp32) {
        const double half = setup.half == torch::DType::BFloat16 ? device.peak.bf16 : device.peak.fp16;
        // A device without such units computes in fp32.
        if (half > 0)
            device.peak.fp32 = half;
    }
    return device;
}

Nanoseconds timeOf(const Event& event, const Device& device)
{
    return opTime(device, classOf(event.op), event.flops, event.traffic);
}

/// Where an op belongs: before the layers, to a layer, or behind them.
constexpr int kEmbedding = -1;
constexpr int kHead = std::numeric_limits<int>::max();

/// The number of the layer that a module path names, "model.layers.3.mlp" -> 3; nothing where it names none.
std::optional<int> layerOf(const std::string& path, const std::string& prefix)
{
    if (!path.starts_with(prefix) || path.size() == prefix.size())
        return std::nullopt;
    int layer = 0;
    const char* end = path.data() + path.size();
    const auto [stop, status] = std::from_chars(path.data() + prefix.size(), end, layer);
    return status == std::errc() && (stop == end || *stop == '.') ? std::optional(layer) : std::nullopt;
}

/// A simulated step cut into stages.
class CutStep {
public:
    CutStep(const TorchStep& step, const ModelShape& shape) : m_step(step), m_prefix(modulePathsOf(shape).layers)
    {
        std::vector<std::optional<int>> layers;
        for (const std::string& path : step.modulePaths)
            layers.push_back(layerOf(path, m_prefix));
        // What no layer runs stands before them in forward until the first layer runs and behind them from then on; in
        // backward the other way round, and what stands between two layers' ops belongs to the first of them.
        const std::vector<Event>& events = step.events;
        std::size_t lastLayerOp = 0;
        for (std::size_t i = 0; i < events.size(); ++i)
            if (layers[static_cast<std::size_t>(events[i].module)])
                lastLayerOp = i;
        bool hasLayerRun = false;
        int backwardLayer = kHead;
        for (std::size_t i = 0; i < events.size(); ++i) {
            const std::optional<int>& layer = layers[static_cast<std::size_t>(events[i].module)];
            if (events[i].phase == Phase::Forward) {
                hasLayerRun |= layer.has_value();
                m_stages.push_back(layer ? *layer : hasLayerRun ? kHead : kEmbedding);
            } else {
                backwardLayer = layer.value_or(i > lastLayerOp ? kEmbedding : backwardLayer);
                m_stages.push_back(backwardLayer);
            }
        }
    }

    /// The most that is allocated while a stage's ops of a direction run; nothing where it has none.
    Bytes peakOf(int stage, bool isForward) const
    {
        Bytes peak;
        forEach(stage, isForward, [&](const Event& e) { peak = std::max(peak, e.live + e.temporaries); });
        return peak;
    }
    Nanoseconds timeOf(int stage, bool isForward, const Device& device) const
    {
        Nanoseconds time;
        forEach(stage, isForward, [&](const Event& e) { time += remat::timeOf(e, device); });
        return time;
    }
    std::int64_t rerunsOf(int stage) const
    {
        std::int64_t reruns = 0;
        forEach(stage, false, [&](const Event& e) { reruns += e.phase == Phase::Recompute ? 1 : 0; });
        return reruns;
    }
    /// What stays for backward of what a layer made.
    Bytes savedOf(int layer) const
    {
        Bytes saved;
        for (const torch::SavedTensor& tensor : m_step.savedTensors)
            if (layerOf(tensor.module, m_prefix) == layer)
                saved += tensor.bytes;
        return saved;
    }

private:
    template <class Visit> void forEach(int stage, bool isForward, const Visit& visit) const
    {
        for (std::size_t i = 0; i < m_stages.size(); ++i) {
            const Phase phase = m_step.events[i].phase;
            if (m_stages[i] == stage && phase != Phase::Optimizer && (phase == Phase::Forward) == isForward)
                visit(m_step.events[i]);
        }
    }

    const TorchStep& m_step;
    std::string m_prefix;
    std::vector<int> m_stages; ///< of each event
};

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
    Probe probe{request.shape, request.setup, withRate(request.device, request.setup), {}, {}, {}};
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

StepTimes timesOf(const TorchStep& step, const torch::TorchSetup& setup, const Device& device)
{
    const Device rated = withRate(device, setup);
    StepTimes times;
    for (const Event& event : step.events) {
        const Nanoseconds time = timeOf(event, rated);
        switch (event.phase) {
        case Phase::Forward:
            times.forward += time;
            break;
        case Phase::Backward:
            times.backward += time;
            break;
        case Phase::Recompute:
            times.recompute += time;
            break;
        case Phase::Optimizer:
            times.optimizer += time;
            break;
        }
    }
    const std::int64_t microBatches = std::max<std::int64_t>(setup.microBatches, 1);
    for (Nanoseconds* time : {&times.forward, &times.backward, &times.recompute})
        time->value /= microBatches;
    return times;
}

RegionChain buildRegionChain(const RegionRequest& request)
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
        for (const RegionOption& way : own)
            stage.options.push_back(makeOption(probe, way, probedLayer(probe.shape, hasWindow), stage.forwardTime));
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
    embedding.forwardTime = cut.timeOf(kEmbedding, true, probe.device);
    const Bytes atEnd = keepAll.base + probe.boundaryGradient + kProbeLayers * probe.layerGradients
        + (probe.otherGradients - embedding.weightGradBytes);
    embedding.options.push_back(
        wholeOption({}, {}, std::max(embedding.weightGradBytes, cut.peakOf(kEmbedding, false) - atEnd),
            cut.timeOf(kEmbedding, false, probe.device)));
    chain.stages.push_back(std::move(embedding));

    for (std::size_t layer = 0; layer < result.kindOfLayer.size(); ++layer) {
        chain.stages.push_back(kinds[static_cast<std::size_t>(result.kindOfLayer[layer])]);
        chain.stages.back().name = "layer " + std::to_string(layer);
    }

    Stage head;
    head.name = "head";
    head.weightGradBytes = probe.otherGradients - chain.stages.front().weightGradBytes;
    head.forwardTime = cut.timeOf(kHead, true, probe.device);
    const Bytes beforeHead = keepAll.base + layers;
    head.options.push_back(wholeOption(others, std::max(Bytes{}, cut.peakOf(kHead, true) - (beforeHead + others)),
        std::max({Bytes{}, cut.peakOf(kHead, false) - (beforeHead + others),
            probe.boundaryGradient + head.weightGradBytes - others}),
        cut.timeOf(kHead, false, probe.device)));
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
