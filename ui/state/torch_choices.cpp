// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/torch_choices.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/model/training_setup.h"
#include "core/regions/region_plan_file.h"

namespace remat::ui {

RegionRequest regionRequestOf(
    const ModelShape& shape, const TrainingSetup& setup, const TorchChoices& choices, const Device& device)
{
    torch::TorchSetup torch;
    torch.batch = setup.batch;
    torch.sequence = setup.sequence;
    torch.microBatches = setup.microBatches;
    const Dropouts dropout = effectiveDropout(shape, setup);
    torch.embeddingDropout = dropout.embedding;
    torch.attentionDropout = dropout.attention;
    torch.residualDropout = dropout.residual;
    torch.precision = choices.precision;
    torch.half = choices.half;
    torch.attention = choices.attention;
    // Image classifiers have a loss of a few numbers a picture; logits.sum() stands for it.
    torch.loss = shape.head == HeadKind::ImageClassifier ? torch::TorchLoss::LogitsSum : choices.loss;
    torch.optimizer = choices.optimizer;
    torch.hasOldLossShift = choices.hasOldLossShift;
    torch.keepsOutputs = choices.keepsOutputs;
    torch.usesCache = choices.usesCache;
    torch.hasResidentGrads = choices.hasResidentGrads;
    torch.stopsEarly = choices.stopsEarly && !choices.isReentrant;
    torch.isReentrant = choices.isReentrant;
    return {shape, torch, device};
}

TorchChoices choicesOf(const torch::TorchSetup& setup)
{
    TorchChoices choices;
    choices.precision = setup.precision;
    choices.half = setup.half;
    choices.attention = setup.attention;
    choices.loss = setup.loss;
    choices.optimizer = setup.optimizer;
    choices.hasOldLossShift = setup.hasOldLossShift;
    choices.keepsOutputs = setup.keepsOutputs;
    choices.usesCache = setup.usesCache;
    choices.hasResidentGrads = setup.hasResidentGrads;
    choices.stopsEarly = setup.stopsEarly || setup.isReentrant;
    choices.isReentrant = setup.isReentrant;
    return choices;
}

TrainingSetup setupOf(const RegionRequest& request)
{
    TrainingSetup setup;
    setup.batch = request.setup.batch;
    setup.sequence = request.setup.sequence;
    setup.microBatches = request.setup.microBatches;
    setup.device = request.device.name;
    // The model's own dropouts, or one probability for all.
    const Dropouts own = effectiveDropout(request.shape, setup);
    if (own.embedding != request.setup.embeddingDropout || own.attention != request.setup.attentionDropout
        || own.residual != request.setup.residualDropout)
        setup.dropout
            = std::max({request.setup.embeddingDropout, request.setup.attentionDropout, request.setup.residualDropout});
    return setup;
}

nlohmann::json toJson(const TorchChoices& choices)
{
    torch::TorchSetup setup;
    setup.precision = choices.precision;
    setup.half = choices.half;
    setup.attention = choices.attention;
    setup.loss = choices.loss;
    setup.optimizer = choices.optimizer;
    setup.hasOldLossShift = choices.hasOldLossShift;
    setup.keepsOutputs = choices.keepsOutputs;
    setup.usesCache = choices.usesCache;
    setup.hasResidentGrads = choices.hasResidentGrads;
    setup.stopsEarly = choices.stopsEarly;
    setup.isReentrant = choices.isReentrant;
    nlohmann::json json = remat::toJson(setup, ModelShape());
    for (const char* shared :
        {"profile", "batch", "sequence", "micro_batches", "embedding_dropout", "attention_dropout", "residual_dropout"})
        json.erase(shared);
    return json;
}

TorchChoices readTorchChoices(const JsonCursor& at)
{
    const torch::TorchSetup setup = remat::readTorchChoices(at);
    TorchChoices choices = choicesOf(setup);
    choices.stopsEarly = setup.stopsEarly;
    return choices;
}

} // namespace remat::ui
