// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/transformer.h"

namespace remat::torch {

/// What embeds tokens; BERT does it in a module of its own, the others in the model's forward, whose locals stay until
/// it returns.
struct Transformer::Embedded {
    Tensor hidden;
    std::vector<Tensor> held;
};

Transformer::Embedded Transformer::embedMasked(const Tensor& ids)
{
    const ModuleScope scope(m_machine, m_embeddingModule);
    const std::int64_t batch = m_setup.batch, length = m_setup.sequence;
    Tensor positions = slice(m_buffers[0], 1, 0, length);
    if (m_shape.positionOffset > 0)
        positions = paddedPositions(ids);
    Tensor types;
    if (m_typeTable) {
        types = pointwise(OpCode::Gather, DType::Int64, {&positions});
        types = expand(types, {batch, length});
    }
    Tensor tokens;
    {
        const ModuleScope table(m_machine, m_tokenModule);
        tokens = embedding(m_tokenTable, ids);
    }
    Tensor hidden = tokens;
    Tensor typed;
    if (m_typeTable) {
        const ModuleScope table(m_machine, m_typeModule);
        typed = embedding(m_typeTable, types);
    }
    if (typed)
        hidden = add(tokens, typed);
    Tensor placed;
    {
        const ModuleScope table(m_machine, m_positionModule);
        placed = embedding(m_positionTable, positions);
    }
    hidden = add(hidden, placed);
    hidden = m_embeddingNorm(hidden);
    hidden = dropout(hidden, m_setup.embeddingDropout);
    return {hidden, {}};
}

/// RoBERTa counts positions from the padding index, over tokens that are not padding.
Tensor Transformer::paddedPositions(const Tensor& ids)
{
    Tensor mask = pointwise(OpCode::Compare, DType::Bool, {&ids});
    mask = pointwise(OpCode::ToCopy, DType::Float32, {&mask}); // int32: as wide
    Tensor counted = pointwise(OpCode::CumSum, DType::Int64, {&mask});
    counted = pointwise(OpCode::ToCopy, DType::Float32, {&counted});
    counted = pointwise(OpCode::Add, DType::Float32, {&counted});
    counted = pointwise(OpCode::Mul, DType::Float32, {&counted, &mask});
    counted = pointwise(OpCode::ToCopy, DType::Int64, {&counted});
    return pointwise(OpCode::Add, DType::Int64, {&counted});
}

/// OPT counts positions over a mask of ones: cumsum(mask) * mask - 1.
Tensor Transformer::countedPositions(std::vector<Tensor>& held)
{
    Tensor mask = m_machine.make(OpCode::Ones, {m_setup.batch, m_setup.sequence}, DType::Float32);
    m_machine.record(OpCode::Ones, {{}, mask.bytes(), {}});
    Tensor counted = pointwise(OpCode::CumSum, DType::Float32, {&mask});
    Tensor shifted = pointwise(OpCode::Mul, DType::Float32, {&counted, &mask});
    shifted = pointwise(OpCode::Sub, DType::Float32, {&shifted});
    held.push_back(mask);
    return pointwise(OpCode::ToCopy, DType::Int64, {&shifted});
}

Transformer::Embedded Transformer::embedImage(const Tensor& pixels)
{
    const ModuleScope scope(m_machine, m_embeddingModule);
    Tensor hidden;
    {
        const ModuleScope patches(m_machine, m_patches.module);
        hidden = patchConvolution(pixels, m_patches.weight, m_patches.bias);
    }
    const std::int64_t batch = hidden.size(0), width = hidden.size(1), count = hidden.size(2) * hidden.size(3);
    hidden = view(hidden, {batch, width, count});
    hidden = transpose(hidden, 1, 2);
    std::vector<Tensor> pieces{expand(m_classToken, {batch, 1, width})};
    if (m_extraToken)
        pieces.push_back(expand(m_extraToken, {batch, 1, width}));
    pieces.push_back(hidden);
    hidden = cat(pieces, 1);
    pieces.clear();
    hidden = add(hidden, m_positionTable);
    hidden = dropout(hidden, m_setup.embeddingDropout);
    return {hidden, {}};
}

/// Decoders: tokens, positions where they are learned, then the mask, then dropout.
Transformer::Embedded Transformer::embedCausal(const Tensor& ids, SharedTensors& shared, SharedTensors& windowed)
{
    Embedded embedded;
    Tensor tokens;
    {
        const ModuleScope table(m_machine, m_tokenModule);
        tokens = embedding(m_tokenTable, ids);
        if (m_shape.hasScaledEmbedding)
            tokens = mulScalar(tokens);
    }
    Tensor hidden = tokens;
    embedded.held.push_back(tokens);
    const auto place = [&] {
        if (!m_positionTable)
            return;
        Tensor placed;
        {
            const ModuleScope table(m_machine, m_positionModule);
            Tensor index = shared.positionIds;
            if (m_shape.positionOffset > 0)
                index = pointwise(OpCode::Add, DType::Int64, {&index});
            placed = embedding(m_positionTable, index);
        }
        if (m_embeddingIn.isGiven())
            hidden = m_embeddingIn(hidden);
        hidden = add(hidden, placed);
        embedded.held.push_back(placed);
    };
    if (m_shape.positions == PositionKind::Alibi) {
        hidden = m_embeddingNorm.isGiven() ? m_embeddingNorm(hidden) : hidden;
        shared.alibi = alibiTensor(embedded.held);
    }
    if (m_dialect.eager != EagerForm::Bloom)
        shared.positionIds = m_shape.positionOffset > 0 ? countedPositions(embedded.held) : positionIds();
    if (m_dialect.placesBeforeMask)
        place();
    shared.mask = attentionMask(m_shape.slidingWindow > 0 && m_shape.windowPattern.empty());
    if (hasTwoKindsOfLayers())
        windowed.mask = attentionMask(true);
    if (m_dialect.eager == EagerForm::Falcon && shared.alibi)
        shared.mask = falconAlibiMask(shared.mask, shared.alibi);
    if (!m_dialect.placesBeforeMask)
        place();
    embedded.hidden = dropout(hidden, m_setup.embeddingDropout);
    return embedded;
}

/// GPT-Neo's window is in a buffer of each layer, not in a mask.
bool Transformer::hasTwoKindsOfLayers() const
{
    return m_shape.slidingWindow > 0 && !m_shape.windowPattern.empty() && m_dialect.eager != EagerForm::GptNeo;
}

Tensor Transformer::baseModel(const Inputs& inputs)
{
    const ModuleScope scope(m_machine, m_baseModule);
    // Layers with a sliding window read a mask and, in Gemma 3, rotary tables of their own.
    SharedTensors shared, windowed;
    Embedded embedded = m_shape.image.isGiven() ? embedImage(inputs.ids)
        : m_shape.head == HeadKind::MaskedLm    ? embedMasked(inputs.ids)
                                                : embedCausal(inputs.ids, shared, windowed);
    if (m_shape.positions == PositionKind::Rotary || m_dialect.eager == EagerForm::Falcon) {
        makeRotaryTables(shared, 0);
        windowed.positionIds = shared.positionIds;
        windowed.cosine = shared.cosine;
        windowed.sine = shared.sine;
        if (m_dialect.hasTwoRotaryTables && hasTwoKindsOfLayers())
            makeRotaryTables(windowed, 1);
    }
    Tensor hidden = embedded.hidden;
    if (m_shape.head == HeadKind::CausalLm)
        embedded.hidden.reset(); // The loop's variable is the only name of it.
    if (m_shape.head == HeadKind::MaskedLm && m_embeddingIn.isGiven())
        hidden = m_embeddingIn(hidden);
    hidden = runLayers(std::move(hidden), shared, windowed);
    if (m_finalNorm.isGiven())
        hidden = m_finalNorm(hidden);
    if (m_embeddingOut.isGiven())
        hidden = m_embeddingOut(hidden);
    return hidden;
}

Tensor Transformer::head(const Tensor& hidden)
{
    switch (m_shape.head) {
    case HeadKind::MaskedLm: {
        Tensor x = m_headDense(hidden);
        // An activation of the head's own is PyTorch's, whatever the layers call.
        x = m_shape.headActivation ? activate(*m_shape.headActivation, ActivationForm::Fused, x)
                                   : activate(m_shape.activation, m_shape.activationForm, x);
        x = m_headNorm(x);
        return m_logits(x);
    }
    case HeadKind::ImageClassifier:
        return m_logits.isGiven() ? m_logits(select(hidden, 1, 0)) : select(hidden, 1, 0);
    case HeadKind::CausalLm:
    case HeadKind::SeqToSeqLm:
        break;
    }
    Tensor logits = m_logits(hidden);
    if (m_shape.finalSoftcap > 0) {
        logits = divScalar(logits);
        logits = tanh(logits);
        logits = mulScalar(logits);
    }
    return logits;
}

/// ForCausalLMLoss, or CrossEntropyLoss of all positions.
Tensor Transformer::lossOf(const Tensor& output, const Tensor& labels)
{
    const std::int64_t classes = output.size(-1);
    if (m_shape.head != HeadKind::CausalLm) {
        const Tensor rows = view(output, {output.elements() / classes, classes});
        const Tensor targets = view(labels, {labels.elements()});
        const ModuleScope scope(m_machine, m_lossModule);
        return crossEntropy(rows, targets);
    }
    Tensor logits = to(output, DType::Float32);
    const std::int64_t batch = labels.size(0), length = labels.size(1);
    if (m_setup.hasOldLossShift) {
        const Tensor shifted = contiguous(slice(logits, 1, 0, length - 1));
        const Tensor targets = contiguous(slice(labels, 1, 1, length));
        return crossEntropy(view(shifted, {batch * (length - 1), classes}), view(targets, {batch * (length - 1)}));
    }
    Tensor padded = m_machine.make(OpCode::Pad, {batch, length + 1}, DType::Int64);
    m_machine.record(OpCode::Pad, {{}, padded.bytes() * 2, {}});
    Tensor targets = contiguous(slice(padded, 1, 1, length + 1));
    logits = view(logits, {batch * length, classes});
    targets = view(targets, {batch * length});
    return crossEntropy(logits, targets);
}

Transformer::Output Transformer::forward(const Inputs& inputs)
{
    if (m_shape.decoderLayers > 0)
        return forwardTwoStacks(inputs);
    Output output;
    const Tensor hidden = baseModel(inputs);
    output.cache = std::move(m_cache);
    m_cache.clear();
    output.logits = head(hidden);
    if (m_setup.hasOldLossShift && m_shape.head == HeadKind::CausalLm)
        output.logits = to(output.logits, DType::Float32); // Older models return them so.
    if (m_setup.loss == TorchLoss::ModelLoss && inputs.labels)
        output.loss = lossOf(output.logits, inputs.labels);
    return output;
}

} // namespace remat::torch
