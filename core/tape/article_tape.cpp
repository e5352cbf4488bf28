// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tape/article_tape.h"

#include <string>
#include <utility>

namespace remat {

namespace {

/// Adds a row to the tensor table; the producer is filled in by the op that writes it.
int addTensor(StageTape& tape, Tensor tensor)
{
    tape.tensors.push_back(std::move(tensor));
    return static_cast<int>(tape.tensors.size()) - 1;
}

void addOp(StageTape& tape, Op op)
{
    for (const int t : op.writes)
        tape.tensors[static_cast<std::size_t>(t)].producer = static_cast<int>(tape.ops.size());
    tape.ops.push_back(std::move(op));
}

class ArticleTapeBuilder {
public:
    ArticleTapeBuilder(const ModelShape& shape, const TrainingSetup& setup)
        : m_layer(articleLayer(shape, setup)),
          m_batch(setup.batch),
          m_sequence(setup.sequence),
          m_width(shape.hidden),
          m_boundary{setup.batch * setup.sequence * shape.hidden * bytesOf(storageOf(setup))}
    {
        m_step.shape = shape;
        m_step.setup = setup;
        m_step.traits = {Bytes{1}, Bytes{0}};
    }

    StepTape build()
    {
        m_step.kinds = {input(), block(), loss()};
        for (StageTape& tape : m_step.kinds)
            for (Tensor& tensor : tape.tensors)
                tensor.element = storageOf(m_step.setup); // one width for every number
        for (const StageTape& tape : m_step.kinds) {
            m_step.flows.push_back(gradientFlow(tape));
            // The article counts no gradients.
            m_step.flows.back().slotBytes.assign(m_step.flows.back().slotBytes.size(), Bytes{0});
        }
        m_step.stages.push_back({"input", "input", 0, -1, {}});
        for (int layer = 0; layer < m_step.shape.layers; ++layer)
            m_step.stages.push_back({"layer " + std::to_string(layer), "layer." + std::to_string(layer), 1, layer, {}});
        m_step.stages.push_back({"loss", "loss", 2, -1, {}});
        return std::move(m_step);
    }

private:
    Tensor boundary(const char* name, Sublayer sublayer, TensorRole role) const
    {
        return {name, sublayer, "B,S,H", {m_batch, m_sequence, m_width}, m_boundary, role};
    }

    /// Makes the first layer's input and costs nothing: the article has no embedding.
    StageTape input() const
    {
        StageTape tape{.kind = "input"};
        tape.output = addTensor(tape, boundary("x", Sublayer::Embedding, TensorRole::Output));
        addOp(tape,
            {.kind = OpKind::Embedding, .name = "input", .sublayer = Sublayer::Embedding, .writes = {tape.output}});
        return tape;
    }

    StageTape block() const
    {
        StageTape tape{.kind = "block"};
        const int x = addTensor(tape, boundary("x", Sublayer::Norm1, TensorRole::Input));
        const int norms = addTensor(
            tape, {"norms", Sublayer::Norm1, "2B,S,H+2", {2 * m_batch, m_sequence, m_width + 2}, m_layer.norms});
        const std::int64_t perToken = 4 * m_width + m_step.shape.heads * m_sequence;
        const int attention = addTensor(
            tape, {"attention", Sublayer::Attention, "B,S,4H+A*S", {m_batch, m_sequence, perToken}, m_layer.attention});
        const int ffn
            = addTensor(tape, {"ffn", Sublayer::Ffn, "B,S,F", {m_batch, m_sequence, m_step.shape.ffn}, m_layer.ffn});
        const int y = addTensor(tape, boundary("y", Sublayer::Ffn, TensorRole::Output));
        addOp(tape,
            {.kind = OpKind::LayerNorm,
                .name = "norms",
                .sublayer = Sublayer::Norm1,
                .reads = {x},
                .writes = {norms},
                .backwardReads = {norms}});
        addOp(tape,
            {.kind = OpKind::AttentionContext,
                .name = "attention",
                .sublayer = Sublayer::Attention,
                .reads = {norms},
                .writes = {attention},
                .backwardReads = {attention},
                .forwardFlops = m_layer.attentionFlops,
                .backwardFlops = 2 * m_layer.attentionFlops});
        addOp(tape,
            {.kind = OpKind::Linear,
                .name = "ffn",
                .sublayer = Sublayer::Ffn,
                .reads = {attention},
                .writes = {ffn, y},
                .backwardReads = {ffn},
                .forwardFlops = m_layer.ffnFlops,
                .backwardFlops = 2 * m_layer.ffnFlops});
        constexpr std::uint64_t kNorms = 1, kAttention = 2, kFfn = 4;
        tape.granularities = {0, kNorms | kAttention | kFfn, kFfn, kAttention};
        tape.input = x;
        tape.output = y;
        return tape;
    }

    /// Turns the step round and costs nothing: the article has no head.
    StageTape loss() const
    {
        StageTape tape{.kind = "loss", .outputIsLoss = true};
        tape.input = addTensor(tape, boundary("x", Sublayer::Head, TensorRole::Input));
        tape.output = addTensor(tape, {"loss", Sublayer::Head, "0", {0}, Bytes{0}, TensorRole::Output});
        addOp(tape,
            {.kind = OpKind::CrossEntropy,
                .name = "loss",
                .sublayer = Sublayer::Head,
                .reads = {tape.input},
                .writes = {tape.output}});
        return tape;
    }

    const ArticleLayer m_layer;
    const std::int64_t m_batch, m_sequence, m_width;
    const Bytes m_boundary;
    StepTape m_step;
};

} // namespace

ArticleLayer articleLayer(const ModelShape& shape, const TrainingSetup& setup)
{
    const std::int64_t b = setup.batch, s = setup.sequence, h = shape.hidden, f = shape.ffn;
    const std::int64_t e = bytesOf(storageOf(setup));
    return {
        .attention = {b * s * (3 * h + shape.heads * s + h) * e},
        .ffn = {b * s * f * e},
        .norms = {2 * (b * s * h + 2 * b * s) * e},
        .attentionFlops = {b * s * (3 * h * h + s * h + s * s + s * h)},
        .ffnFlops = {2 * b * h * f * s},
    };
}

Bytes articleProseAttention(const ModelShape& shape, const TrainingSetup& setup)
{
    // H / head width is the number of heads.
    return {
        setup.batch * setup.sequence * (6 * shape.hidden + shape.heads * setup.sequence) * bytesOf(storageOf(setup))};
}

StepTape buildArticleTape(const ModelShape& shape, const TrainingSetup& setup)
{
    return ArticleTapeBuilder(shape, setup).build();
}

} // namespace remat
