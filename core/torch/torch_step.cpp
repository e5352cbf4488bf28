// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/torch_step.h"

#include <algorithm>

#include "core/torch/exact_layer.h"
#include "core/torch/layer_wraps.h"
#include "core/torch/optimizer_step.h"
#include "core/torch/transformer.h"

namespace remat::torch {

namespace {

/// A forward pass as the training script writes it: the model and its loss inside autocast, outputs dropped or kept.
struct ForwardResult {
    Tensor loss;
    Transformer::Output kept;
};

ForwardResult runForward(Machine& m, Transformer& model, const Transformer::Inputs& inputs, const TorchSetup& setup)
{
    m.setPhase(Phase::Forward);
    const auto type = setup.precision == TorchPrecision::Amp ? std::optional<DType>(setup.half) : std::nullopt;
    std::optional<AutocastScope> autocast;
    if (type)
        autocast.emplace(m, type);
    ForwardResult result;
    Transformer::Output output = model.forward(inputs);
    result.loss = output.loss ? output.loss : sumAll(output.logits);
    if (setup.keepsOutputs)
        result.kept = std::move(output);
    return result;
}

PeakPlace placeOf(const Machine& m, Bytes bytes, int event)
{
    PeakPlace place;
    place.bytes = bytes;
    if (event < 0)
        return place;
    const Event& at = m.events()[static_cast<std::size_t>(event)];
    place.phase = at.phase;
    place.module = m.modulePath(at.module);
    place.op = nameOf(at.op);
    place.node = at.node ? at.node->name : "";
    return place;
}

void listSaved(const Machine& m, TorchStep& step)
{
    m.forEachLiveStorage([&](const Storage& storage) {
        const bool isSaved = storage.kind == StorageKind::Temporary || storage.kind == StorageKind::WeightCast;
        if (isSaved)
            step.savedTensors.push_back({m.modulePath(storage.module), std::string(nameOf(storage.op)), storage.sizes,
                storage.dtype, storage.bytes, storage.kind == StorageKind::WeightCast});
    });
}

} // namespace

bool knowsTorchStep(const ModelShape& shape)
{
    return shape.experts == 0 || (shape.hidden % 8 == 0 && shape.ffn % 8 == 0);
}

TorchStep simulateTorchStep(const ModelShape& shape, const TorchSetup& setup, const std::stop_token& cancel)
{
    TorchStep step;
    Machine m;
    m.stopWhen(cancel);
    Transformer model(m, shape, setup);
    const Transformer::Inputs inputs = model.makeInputs();
    step.parameters = model.parameters();
    step.parameterBytes = m.liveOf(StorageKind::Parameter);
    step.bufferBytes = m.liveOf(StorageKind::Buffer);
    step.inputBytes = m.liveOf(StorageKind::Input);
    std::vector<Tensor> states;
    makeOptimizerStates(m, model.allParameters(), setup.optimizer, states);
    step.optimizerBytes = m.liveOf(StorageKind::OptimizerState);
    if (setup.hasResidentGrads)
        for (const Tensor& parameter : model.allParameters())
            parameter.impl()->grad = m.state(parameter.sizes(), parameter.dtype());
    step.base = m.live();

    const std::size_t firstEvent = m.events().size();
    m.resetPeak();
    ForwardResult forward;
    int event = -1;
    for (std::int64_t i = 0; i < std::max<std::int64_t>(setup.microBatches, 1); ++i) {
        forward = {};
        m.resetPeak();
        forward = runForward(m, model, inputs, setup);
        if (i == 0) {
            step.saved = m.live() - step.base;
            step.weightCasts = m.liveOf(StorageKind::WeightCast);
            listSaved(m, step);
        }
        if (m.peak() > step.forwardPeak) {
            step.forwardPeak = m.peak();
            if (m.peak() > step.peak.bytes) {
                event = m.peakEvent();
                step.peak.bytes = m.peak();
            }
        }
        m.setPhase(Phase::Backward);
        m.resetPeak();
        m.backward(forward.loss);
        if (m.peak() > step.backwardPeak) {
            step.backwardPeak = m.peak();
            if (m.peak() > step.peak.bytes) {
                event = m.peakEvent();
                step.peak.bytes = m.peak();
            }
        }
    }
    step.peak = placeOf(m, step.peak.bytes, event);
    for (const Tensor& parameter : model.allParameters())
        if (parameter.impl()->grad && parameter.impl()->grad.impl()->storage)
            step.gradientBytes += parameter.impl()->grad.impl()->storage->bytes;
    if (setup.optimizer != TorchOptimizer::None) {
        m.setPhase(Phase::Optimizer);
        m.resetPeak();
        runOptimizerStep(m, model.allParameters(), setup.optimizer);
        step.optimizerPeak = m.peak();
        if (step.optimizerPeak > step.peak.bytes)
            step.peak = {step.optimizerPeak, Phase::Optimizer, "", "optimizer step", ""};
    }
    step.events.assign(m.events().begin() + static_cast<std::ptrdiff_t>(firstEvent), m.events().end());
    for (const Event& e : step.events) {
        if (e.phase == Phase::Forward)
            step.forward += e.flops;
        else if (e.phase == Phase::Backward)
            step.backward += e.flops;
        else if (e.phase == Phase::Recompute)
            step.recompute += e.flops;
    }
    step.modulePaths = m.modulePaths();
    if (const std::string backends = model.usedBackends(); !backends.empty())
        step.attention = backends;
    return step;
}

LayerGraph layerGraphOf(const ModelShape& shape, TorchSetup setup, std::size_t layer)
{
    setup.layers.assign(layerCount(shape), {});
    setup.layers[layer].isExact = true;
    Machine m;
    Transformer model(m, shape, setup);
    const Transformer::Inputs inputs = model.makeInputs();
    const ForwardResult forward = runForward(m, model, inputs, setup);
    LayerGraph graph;
    for (const std::unique_ptr<ExactLayer>& noted : m.exactLayers()) {
        for (const ExactLayer::Op& op : noted->ops())
            graph.ops.push_back({op.name,
                {.op = op.code, .module = op.module, .traffic = op.work.traffic, .flops = op.work.flops}, op.reads});
        for (const ExactLayer::Value& value : noted->values())
            graph.values.push_back({value.bytes, value.recipe, value.isSaved, value.isOutput});
    }
    return graph;
}

Bytes savedBytesPerLayer(ModelShape shape, TorchSetup setup)
{
    const bool alternates
        = !shape.windowPattern.empty() || (setup.layers.size() > 1 && !(setup.layers[0] == setup.layers[1]));
    const std::int64_t more = alternates ? 2 : 1;
    const auto savedAt = [&](std::int64_t layers) {
        ModelShape resized = shape;
        resized.layers = layers;
        if (shape.decoderLayers > 0)
            resized.decoderLayers = layers;
        TorchSetup own = setup;
        own.optimizer = TorchOptimizer::None;
        if (!setup.layers.empty())
            for (std::size_t i = own.layers.size(); i < static_cast<std::size_t>(layers) * 2; ++i)
                own.layers.push_back(setup.layers[i % setup.layers.size()]);
        return simulateTorchStep(resized, own).saved;
    };
    const Bytes difference = savedAt(2 + more) - savedAt(2);
    return {difference.value / more};
}

} // namespace remat::torch
