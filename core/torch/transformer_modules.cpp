// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/module_paths.h"
#include "core/torch/transformer.h"

namespace remat::torch {

namespace {

std::string joined(const std::string& parent, const std::string& name)
{
    return parent.empty() ? name : name.empty() ? parent : parent + "." + name;
}

/// "attention.self.query" -> "attention.self".
std::string parentOf(const std::string& path)
{
    const std::size_t dot = path.rfind('.');
    return dot == std::string::npos ? std::string() : path.substr(0, dot);
}

std::string firstOf(const std::string& path)
{
    return path.substr(0, path.find('.'));
}

} // namespace

std::string Transformer::usedBackends() const
{
    std::string names;
    for (const auto& [backend, name] : {std::pair(SdpaBackend::Efficient, "efficient"),
             std::pair(SdpaBackend::Flash, "flash"), std::pair(SdpaBackend::Math, "math")})
        if (m_backends.count(backend) > 0)
            names += (names.empty() ? "" : "+") + std::string(name);
    return names;
}

Tensor Transformer::parameter(const Dims& sizes)
{
    m_parameters += elementsOf(sizes);
    m_allParameters.push_back(m_machine.parameter(sizes, m_type));
    return m_allParameters.back();
}

Linear Transformer::makeLinear(const std::string& name, std::int64_t in, std::int64_t out, bool hasBias, bool isInOut)
{
    Linear linear;
    linear.module = path(name);
    linear.isInOut = isInOut;
    linear.weight = isInOut ? parameter({in, out}) : parameter({out, in});
    if (hasBias)
        linear.bias = parameter({out});
    return linear;
}

Norm Transformer::makeNorm(const std::string& name, std::int64_t width)
{
    Norm norm;
    norm.module = path(name);
    norm.kind = m_shape.norm;
    norm.copiesInput = m_dialect.copiesNormInput;
    norm.castsResult = m_dialect.castsNormResult;
    norm.isPlain = !m_shape.hasNormWeights;
    if (norm.isPlain)
        return norm;
    norm.weight = parameter({width});
    if (norm.kind == NormKind::LayerNorm)
        norm.bias = parameter({width});
    return norm;
}

Transformer::Transformer(Machine& machine, const ModelShape& shape, const TorchSetup& setup)
    : m_machine(machine),
      m_shape(shape),
      m_setup(setup),
      m_dialect(dialectOf(shape)),
      m_type(setup.precision == TorchPrecision::Half ? setup.half : DType::Float32)
{
    const ModulePaths& names = modulePathsOf(shape);
    const std::string embedding = names.embedding;
    const std::int64_t width = shape.hidden, inner = shape.embeddingWidth();
    m_baseModule = path(firstOf(embedding));
    m_embeddingModule = path(embedding);
    m_rotaryModule = path(joined(firstOf(embedding), "rotary_emb"));
    m_lossModule
        = shape.head == HeadKind::MaskedLm || shape.head == HeadKind::SeqToSeqLm ? path(m_dialect.lossModule) : 0;
    if (shape.image.isGiven()) {
        const PatchGrid& image = shape.image;
        m_patches.module = path(joined(embedding, "patch_embeddings.projection"));
        m_patches.weight = parameter({width, image.channels, image.patchHeight, image.patchWidth});
        m_patches.bias = parameter({width});
        m_classToken = parameter({1, 1, width});
        if (image.extraTokens > 1)
            m_extraToken = parameter({1, 1, width});
        m_positionTable = parameter({1, image.tokens(), width});
    } else {
        const bool isMasked = shape.head == HeadKind::MaskedLm;
        m_tokenModule = path(joined(embedding, names.tokenTable));
        m_tokenTable = parameter({shape.vocabulary, inner});
        if (shape.positions == PositionKind::Learned) {
            m_positionModule = path(joined(embedding, names.positionTable));
            m_positionTable = parameter({shape.positionRows(), isMasked ? inner : width});
        }
        if (shape.tokenTypes > 0) {
            m_typeModule = path(joined(embedding, names.typeTable));
            m_typeTable = parameter({shape.tokenTypes, inner});
        }
        if (shape.hasEmbeddingNorm)
            m_embeddingNorm = makeNorm(joined(embedding, names.embeddingNorm), inner);
        if (shape.hasEmbeddingProjection())
            m_embeddingIn = makeLinear(joined(embedding, "projection"), inner, width, isMasked);
    }
    if (shape.decoderLayers > 0) {
        makeStacks();
    } else {
        for (std::int64_t i = 0; i < shape.layers; ++i)
            m_layers.push_back(makeLayer(i));
    }
    if (shape.hasFinalNorm && shape.decoderLayers == 0)
        m_finalNorm = makeNorm(names.headNorm, width);
    const std::string head = names.head;
    switch (shape.head) {
    case HeadKind::MaskedLm:
        m_headDense = makeLinear(joined(head, names.headDense), width, inner, true);
        m_headNorm = makeNorm(joined(head, names.headNorm), inner);
        break;
    case HeadKind::CausalLm:
    case HeadKind::SeqToSeqLm:
        if (shape.hasEmbeddingProjection())
            m_embeddingOut = makeLinear(joined(embedding, "project_out"), width, inner, false);
        break;
    case HeadKind::ImageClassifier:
        // Without labels the classifier is nn.Identity.
        if (shape.labels > 0)
            m_logits = makeLinear("classifier", width, shape.labels, true);
        break;
    }
    if (shape.head != HeadKind::ImageClassifier) {
        m_logits.module = path(joined(head, names.logits));
        m_logits.weight = shape.hasTiedHead ? m_tokenTable : parameter({shape.vocabulary, inner});
        if (shape.hasHeadBias)
            m_logits.bias = parameter({shape.vocabulary});
        // Tied to the bias of the logits where the tables are; else nothing reads it, and it has no gradient.
        if (shape.hasHeadBias && *names.headBias && !shape.hasTiedHead) {
            m_parameters += shape.vocabulary;
            m_unusedBias = machine.parameter({shape.vocabulary}, m_type);
        }
    }
    makeBuffers();
}

LayerModules Transformer::makeLayer(std::int64_t index)
{
    const ModulePaths& names = modulePathsOf(m_shape);
    const std::string own = names.layers + std::to_string(index);
    const auto inside = [&](const std::string& name) { return joined(own, name); };
    const std::int64_t width = m_shape.hidden, queries = m_shape.attentionWidth(), keys = m_shape.keyValueWidth();
    const bool isInOut = m_shape.hasInOutWeights;
    LayerModules layer;
    layer.module = path(own);
    layer.index = index;

    AttentionModules& self = layer.self;
    self.isCausal = m_shape.isCausal;
    self.core = path(inside(parentOf(names.qkv[0])));
    self.module = m_dialect.hasOutputModules ? path(inside(firstOf(names.qkv[0]))) : self.core;
    self.outputModule = path(inside(parentOf(names.attentionOut)));
    if (m_shape.hasFusedQkv) {
        self.qkv.push_back(makeLinear(inside(names.qkv[0]), width, queries + 2 * keys, m_shape.hasQkvBias, isInOut));
    } else {
        for (std::size_t i = 0; i < 3; ++i)
            self.qkv.push_back(makeLinear(inside(names.qkv[std::min(i, names.qkv.size() - 1)]), width,
                i == 0 ? queries : keys, m_shape.hasQkvBias, isInOut));
    }
    if (m_shape.qkNorm != QkNorm::None) {
        const bool isWide = m_shape.qkNorm == QkNorm::Width;
        self.queryNorm = makeNorm(inside("self_attn.q_norm"), isWide ? queries : m_shape.headWidth());
        self.keyNorm = makeNorm(inside("self_attn.k_norm"), isWide ? keys : m_shape.headWidth());
    }
    self.out = makeLinear(inside(names.attentionOut), queries, width, m_shape.hasAttentionOutBias, isInOut);

    layer.norm1 = makeNorm(inside(names.norm1), width);
    if (m_shape.normPlace == NormPlace::Sandwich) {
        layer.norm2 = makeNorm(inside(names.postNorm1), width);
        layer.norm3 = makeNorm(inside(names.norm2), width);
        layer.norm4 = makeNorm(inside(names.postNorm2), width);
    } else if (m_shape.block != BlockKind::Parallel) {
        layer.norm2 = makeNorm(inside(names.norm2), width);
    }

    layer.ffnModule = path(inside(parentOf(names.ffnUp)));
    layer.ffnOutputModule = path(inside(parentOf(names.ffnDown)));
    const bool isGated = m_shape.ffnKind == FfnKind::Gated;
    const std::string gateName = *names.ffnGate ? names.ffnGate : names.ffnUp;
    if (m_shape.experts > 0) {
        layer.ffnModule = path(inside(names.ffn));
        layer.expertsModule = path(inside(parentOf(names.ffnUp)));
        layer.expertsActivationModule = path(inside(joined(parentOf(names.ffnUp), "act_fn")));
        layer.router = makeLinear(inside(names.router), width, m_shape.experts, false);
        layer.expertsUp = parameter({m_shape.experts, 2 * m_shape.ffn, width});
        layer.expertsDown = parameter({m_shape.experts, width, m_shape.ffn});
        return layer;
    }
    if (isGated && m_shape.hasFusedGate) {
        layer.up = makeLinear(inside(names.ffnUp), width, 2 * m_shape.ffn, m_shape.hasFfnBias, isInOut);
    } else {
        if (isGated)
            layer.gate = makeLinear(inside(gateName), width, m_shape.ffn, m_shape.hasFfnBias, isInOut);
        layer.up = makeLinear(inside(names.ffnUp), width, m_shape.ffn, m_shape.hasFfnBias, isInOut);
    }
    layer.down = makeLinear(inside(names.ffnDown), m_shape.ffn, width, m_shape.hasFfnBias, isInOut);
    return layer;
}

void Transformer::makeBuffers()
{
    if (m_shape.head == HeadKind::MaskedLm) {
        m_buffers.push_back(m_machine.buffer({1, m_shape.positionRows()}, DType::Int64));
        if (m_shape.tokenTypes > 0)
            m_buffers.push_back(m_machine.buffer({1, m_shape.positionRows()}, DType::Int64));
    }
    if (m_dialect.hasPositionTable) {
        m_buffers.push_back(m_machine.buffer({m_shape.maxPositions, m_shape.turnedWidth()}, DType::Float32));
    } else if (m_shape.positions == PositionKind::Rotary || m_dialect.eager == EagerForm::Falcon) {
        for (int i = 0; i < (m_dialect.hasTwoRotaryTables && hasTwoKindsOfLayers() ? 4 : 2); ++i)
            m_buffers.push_back(m_machine.buffer({m_shape.turnedWidth() / 2}, DType::Float32));
    }
    if (m_shape.hasScaledEmbedding)
        m_buffers.push_back(m_machine.buffer({1}, DType::Float32));
    if (m_dialect.eager == EagerForm::GptNeo) {
        for (std::int64_t i = 0; i < m_shape.layers; ++i)
            m_buffers.push_back(m_machine.buffer({1, 1, m_shape.maxPositions, m_shape.maxPositions}, DType::Bool));
    }
}

Transformer::Inputs Transformer::makeInputs()
{
    Inputs inputs;
    if (m_shape.image.isGiven()) {
        inputs.ids = m_machine.input(
            {m_setup.batch, m_shape.image.channels, m_shape.image.height, m_shape.image.width}, m_type);
        return inputs;
    }
    inputs.ids = m_machine.input({m_setup.batch, m_setup.sequence}, DType::Int64);
    if (m_setup.loss == TorchLoss::ModelLoss || m_shape.head == HeadKind::SeqToSeqLm)
        inputs.labels = m_machine.input({m_setup.batch, m_setup.sequence}, DType::Int64);
    return inputs;
}

} // namespace remat::torch
