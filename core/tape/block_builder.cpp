// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tape/block_builder.h"

#include <string>

#include "core/model/module_paths.h"
#include "core/tape/tape_writer.h"

namespace remat {

namespace {

/// Query-key pairs that attention really visits for one head of one sequence: all T^2, or the lower triangle.
std::int64_t attentionPairs(std::int64_t sequence, bool isCausal)
{
    return isCausal ? sequence * (sequence + 1) / 2 : sequence * sequence;
}

bool isUsualWidth(const ModelShape& shape)
{
    return shape.attentionWidth() == shape.hidden;
}

/// A row of qkv is the queries of all heads, then keys and values of the key/value heads.
Dim qkvDim(const ModelShape& shape)
{
    const bool isUsual = isUsualWidth(shape) && shape.keyValueHeads == 0;
    return {isUsual ? "3C" : "(H+2K)D", shape.attentionWidth() + 2 * shape.keyValueWidth()};
}

Dim contextDim(const ModelShape& shape)
{
    return {isUsualWidth(shape) ? "C" : "HD", shape.attentionWidth()};
}

/// Rotary positions (Su et al. 2021) turn queries and keys; the backward turns their gradients back and reads no value.
int rotary(TapeWriter& tape, int qkv, const ModelShape& shape, const TrainingSetup& setup)
{
    const std::int64_t b = setup.batch, t = setup.sequence;
    const int turned = tape.tensor("rotary", TensorRole::Activation, {{"B", b}, {"T", t}, qkvDim(shape)});
    tape.append({.kind = OpKind::Rotary,
        .name = "rotary",
        .reads = {qkv},
        .writes = {turned},
        .forwardBytes = tape.stored(2 * tape.elements(qkv)),
        .backwardBytes = tape.stored(2 * tape.elements(qkv)),
        .dims = {.rows = b * t,
            .batch = b,
            .sequence = t,
            .heads = shape.heads,
            .keyValueHeads = shape.groups(),
            .headWidth = shape.headWidth(),
            .rotaryBase = shape.rotaryBase}});
    return turned;
}

/// The attention core.  Forward is two products of 2 B HD FLOPs a pair; the blocked backward does five (it recomputes
/// the scores), the stored one four.  The blocked kernel skips what a causal mask hides; the stored one computes all
/// T^2.  Key/value heads that are shared save bytes, not FLOPs.
int attentionCore(TapeWriter& tape, int qkv, const ModelShape& shape, const TrainingSetup& setup, double dropout,
    const MachineTraits& traits)
{
    const std::int64_t b = setup.batch, t = setup.sequence, h = shape.heads;
    const std::int64_t a = shape.attentionWidth(), kv = shape.keyValueWidth();
    const Bytes rowSums = roundUp(b * h * t * traits.attentionRow, traits.granule);
    const OpDims dims{.rows = b * t,
        .in = a + 2 * kv,
        .out = a,
        .batch = b,
        .sequence = t,
        .heads = h,
        .keyValueHeads = shape.groups(),
        .headWidth = shape.headWidth(),
        .isCausal = shape.isCausal,
        .dropout = dropout};
    if (setup.attention == AttentionKind::Blocked) {
        const int context = tape.tensor("context", TensorRole::Activation, {{"B", b}, {"T", t}, contextDim(shape)});
        const int lse = tape.tensor("attn_lse", TensorRole::Statistic, {{"B", b}, {"H", h}, {"T", t}});
        const Flops product{2 * b * a * attentionPairs(t, shape.isCausal)};
        tape.append({.kind = OpKind::Attention,
            .name = "attn_core",
            .reads = {qkv},
            .writes = {context, lse},
            .backwardReads = {qkv, context, lse},
            .forwardFlops = 2 * product,
            .backwardFlops = 5 * product,
            .forwardBytes = tape.stored(2 * b * t * (a + kv)),
            .backwardBytes = tape.stored(4 * b * t * (a + kv)),
            .backwardWorkspace = rowSums,
            .isRandom = dropout > 0,
            .dims = dims});
        return context;
    }
    const std::int64_t scores = b * h * t * t;
    const Flops product{2 * b * a * t * t};
    const int probs = tape.tensor("probs", TensorRole::Activation, {{"B", b}, {"H", h}, {"T", t}, {"T", t}});
    tape.append({.kind = OpKind::AttentionProbs,
        .name = "probs",
        .reads = {qkv},
        .writes = {probs},
        .backwardReads = {probs, qkv},
        .forwardFlops = product,
        .backwardFlops = 2 * product,
        .forwardBytes = tape.stored(b * t * (a + kv) + 3 * scores),
        .backwardBytes = tape.stored(2 * b * t * (a + kv) + 4 * scores),
        .backwardWorkspace = rowSums,
        .dims = dims});
    const int context = tape.tensor("context", TensorRole::Activation, {{"B", b}, {"T", t}, contextDim(shape)});
    tape.append({.kind = OpKind::AttentionContext,
        .name = "attn_core",
        .reads = {probs, qkv},
        .writes = {context},
        .backwardReads = {probs, qkv},
        .forwardFlops = product,
        .backwardFlops = 2 * product,
        .forwardBytes = tape.stored(b * t * (a + kv) + scores),
        .backwardBytes = tape.stored(2 * b * t * (a + kv) + 2 * scores),
        .isRandom = dropout > 0,
        .dims = dims});
    return context;
}

} // namespace

BlockBuilder::BlockBuilder(const ModelShape& shape, const TrainingSetup& setup, MachineTraits traits)
    : m_shape(shape),
      m_setup(setup),
      m_dropout(effectiveDropout(shape, setup)),
      m_traits(traits)
{ }

int BlockBuilder::norm(TapeWriter& tape, const std::string& name, const std::string& module, int x,
    const char* outputName, TensorRole role) const
{
    if (m_shape.norm == NormKind::RmsNorm)
        return tape.rmsNorm(name, module, x, outputName, role, m_shape.hidden, m_shape.normEpsilon);
    return tape.layerNorm(name, module, x, outputName, role, m_shape.hidden, m_shape.normEpsilon);
}

int BlockBuilder::feedForward(TapeWriter& tape, int x) const
{
    const std::int64_t b = m_setup.batch, t = m_setup.sequence, c = m_shape.hidden, f = m_shape.ffn;
    const ModulePaths& paths = modulePathsOf(m_shape);
    const bool hasBias = m_shape.hasFfnBias;
    int active = 0;
    if (m_shape.ffnKind == FfnKind::Gated) {
        const int gate = tape.linear("ffn_gate", {paths.ffnGate}, x, {"F", f}, b, t, c, hasBias);
        const int up = tape.linear("ffn_up", {paths.ffnUp}, x, {"F", f}, b, t, c, hasBias);
        active = tape.gatedActivation(gate, up, m_shape.activation);
    } else {
        active
            = tape.activation(tape.linear("ffn_up", {paths.ffnUp}, x, {"F", f}, b, t, c, hasBias), m_shape.activation);
    }
    return tape.linear("ffn_down", {paths.ffnDown}, active, {"C", c}, b, t, f, hasBias);
}

StageTape BlockBuilder::embedding() const
{
    const std::int64_t b = m_setup.batch, t = m_setup.sequence, c = m_shape.hidden;
    const ModulePaths& paths = modulePathsOf(m_shape);
    const bool hasNorm = m_shape.hasEmbeddingNorm;
    const bool hasDropout = m_dropout.embedding > 0;
    TapeWriter tape("embedding", storageOf(m_setup), m_traits);
    tape.enter(Sublayer::Embedding);
    const int sum = tape.tensor(hasNorm || hasDropout ? "embedded" : "x",
        hasNorm || hasDropout ? TensorRole::Activation : TensorRole::Output, {{"B", b}, {"T", t}, {"C", c}});
    const std::string table = paths.tokenTable;
    std::vector<int> parameters{m_shape.hasTiedHead
            ? tape.sharedWeight(table + ".weight", "token table", {m_shape.vocabulary, c}, true)
            : tape.weight(table + ".weight", {m_shape.vocabulary, c}, Initialization::Normal)};
    const bool hasPositions = m_shape.positions == PositionKind::Learned;
    const auto path = [](const char* module, const char* otherwise) {
        return std::string(*module ? module : otherwise) + ".weight";
    };
    if (hasPositions)
        parameters.push_back(
            tape.weight(path(paths.positionTable, "positions"), {m_shape.maxPositions, c}, Initialization::Normal));
    if (m_shape.tokenTypes > 0)
        parameters.push_back(
            tape.weight(path(paths.typeTable, "token_types"), {m_shape.tokenTypes, c}, Initialization::Normal));
    tape.append({.kind = OpKind::Embedding,
        .name = "embedding",
        .modules = {table},
        .writes = {sum},
        .parameters = parameters,
        .forwardBytes = tape.stored((hasPositions ? 3 : 2) * b * t * c),
        .backwardBytes = tape.stored((hasPositions ? 4 : 3) * b * t * c),
        .dims = {.rows = b * t,
            .out = c,
            .batch = b,
            .sequence = t,
            .vocabulary = m_shape.vocabulary,
            .positions = hasPositions ? m_shape.maxPositions : 0,
            .tokenTypes = m_shape.tokenTypes}});
    int x = sum;
    if (hasNorm)
        x = norm(tape, "embedding_norm", paths.embeddingNorm, x, hasDropout ? "embedding_normed" : "x",
            hasDropout ? TensorRole::Activation : TensorRole::Output);
    x = tape.dropout("embedding_drop", x, m_dropout.embedding);
    StageTape result = tape.finish(-1, x, false);
    result.tensors[static_cast<std::size_t>(x)].name = "x";
    result.tensors[static_cast<std::size_t>(x)].role = TensorRole::Output;
    return result;
}

StageTape BlockBuilder::block() const
{
    const std::int64_t b = m_setup.batch, t = m_setup.sequence, c = m_shape.hidden;
    const bool isPre = m_shape.normPlace == NormPlace::Pre;
    const ModulePaths& paths = modulePathsOf(m_shape);
    TapeWriter tape("block", storageOf(m_setup), m_traits);

    tape.enter(isPre ? Sublayer::Norm1 : Sublayer::Attention);
    const int x = tape.tensor("x", TensorRole::Input, {{"B", b}, {"T", t}, {"C", c}});
    int in = x;
    if (isPre)
        in = norm(tape, "norm1", paths.norm1, x, "norm1", TensorRole::Activation);
    tape.enter(Sublayer::Attention);
    int qkv
        = tape.linear("qkv", {paths.qkv.begin(), paths.qkv.end()}, in, qkvDim(m_shape), b, t, c, m_shape.hasQkvBias);
    if (m_shape.positions == PositionKind::Rotary)
        qkv = rotary(tape, qkv, m_shape, m_setup);
    const int context = attentionCore(tape, qkv, m_shape, m_setup, m_dropout.attention, m_traits);
    int branch = tape.linear("attn_out", {paths.attentionOut}, context, {"C", c}, b, t, m_shape.attentionWidth(),
        m_shape.hasAttentionOutBias);

    tape.enter(Sublayer::Residual1);
    branch = tape.dropout("attn_drop", branch, m_dropout.residual);
    int middle = tape.add("residual1", x, branch, "residual1", TensorRole::Activation);

    int ffnIn = middle;
    if (isPre) {
        tape.enter(Sublayer::Norm2);
        ffnIn = norm(tape, "norm2", paths.norm2, middle, "norm2", TensorRole::Activation);
    } else {
        tape.enter(Sublayer::Norm1);
        middle = ffnIn = norm(tape, "norm1", paths.norm1, middle, "norm1", TensorRole::Activation);
    }

    tape.enter(Sublayer::Ffn);
    branch = feedForward(tape, ffnIn);

    tape.enter(Sublayer::Residual2);
    branch = tape.dropout("ffn_drop", branch, m_dropout.residual);
    int out = tape.add(
        "residual2", middle, branch, isPre ? "y" : "residual2", isPre ? TensorRole::Output : TensorRole::Activation);
    if (!isPre) {
        tape.enter(Sublayer::Norm2);
        out = norm(tape, "norm2", paths.norm2, out, "y", TensorRole::Output);
    }
    return tape.finish(x, out, false);
}

StageTape BlockBuilder::head() const
{
    const std::int64_t b = m_setup.batch, t = m_setup.sequence, c = m_shape.hidden, v = m_shape.vocabulary,
                       rows = b * t;
    const bool isMasked = m_shape.head == HeadKind::MaskedLm;
    const ModulePaths& paths = modulePathsOf(m_shape);
    TapeWriter tape("head", storageOf(m_setup), m_traits);
    tape.enter(Sublayer::Head);
    const int x = tape.tensor("x", TensorRole::Input, {{"B", b}, {"T", t}, {"C", c}});
    int in = x;
    if (isMasked) {
        const int dense = tape.linear("head_dense", {paths.headDense}, x, {"C", c}, b, t, c, true);
        const int active = tape.activation(dense, m_shape.activation);
        in = norm(tape, "head_norm", paths.headNorm, active, "head_norm", TensorRole::Activation);
    } else {
        in = norm(tape, "final_norm", paths.headNorm, x, "final_norm", TensorRole::Activation);
    }

    const std::string logitsPath = paths.logits;
    const std::string weightName = logitsPath + ".weight";
    std::vector<int> parameters{m_shape.hasTiedHead ? tape.sharedWeight(weightName, "token table", {v, c}, false)
                                                    : tape.weight(weightName, {v, c}, Initialization::Normal)};
    if (isMasked)
        parameters.push_back(tape.weight(logitsPath + ".bias", {v}, Initialization::Zeros));
    const OpDims dims{.rows = rows,
        .in = c,
        .out = v,
        .batch = b,
        .sequence = t,
        .vocabulary = v,
        .chunks = m_setup.headChunks,
        .weightIsOutIn = true};

    if (m_setup.loss == LossKind::ChunkedCrossEntropy) {
        const int loss = tape.loss();
        std::vector<int> writes{loss, tape.tensor("head_dx", TensorRole::Gradient, {{"B", b}, {"T", t}, {"C", c}}),
            tape.tensor("head_dW", TensorRole::WeightGradient, {{"V", v}, {"C", c}})};
        if (isMasked)
            writes.push_back(tape.tensor("head_db", TensorRole::WeightGradient, {{"V", v}}));
        const std::vector<int> gradients(writes.begin() + 1, writes.end());
        const std::int64_t chunkRows = (rows + m_setup.headChunks - 1) / m_setup.headChunks;
        tape.append({.kind = OpKind::ChunkedHead,
            .name = "head_loss",
            .modules = {logitsPath},
            .reads = {in},
            .writes = writes,
            .backwardReads = gradients,
            .parameters = parameters,
            .forwardFlops = {6 * rows * c * v},
            .forwardBytes = tape.stored(2 * rows * c + 5 * rows * v + 3 * v * c),
            // The logits of one chunk, then one fp32 number for each of its rows on the next 64-byte line.
            .forwardWorkspace
            = roundUp(roundUp(tape.stored(chunkRows * v), {64}) + Bytes{chunkRows * bytesOf(ElementType::Fp32)},
                m_traits.granule),
            .dims = dims});
        return tape.finish(x, loss, true);
    }

    const int logits = tape.tensor("logits", TensorRole::Activation, {{"B", b}, {"T", t}, {"V", v}});
    tape.append({.kind = OpKind::Linear,
        .name = "logits",
        .modules = {logitsPath},
        .reads = {in},
        .writes = {logits},
        .backwardReads = {in},
        .parameters = parameters,
        .forwardFlops = {2 * rows * c * v},
        .backwardFlops = {4 * rows * c * v},
        .forwardBytes = tape.stored(rows * c + rows * v + c * v),
        .backwardBytes = tape.stored(2 * (rows * c + rows * v + c * v)),
        .dims = dims});
    const int loss = tape.loss();
    const int lse = tape.tensor("loss_lse", TensorRole::Statistic, {{"B", b}, {"T", t}});
    tape.append({.kind = OpKind::CrossEntropy,
        .name = "loss",
        .reads = {logits},
        .writes = {loss, lse},
        .backwardReads = {logits, lse},
        .forwardBytes = tape.stored(rows * v),
        .backwardBytes = tape.stored(2 * rows * v),
        .dims = dims});
    return tape.finish(x, loss, true);
}

} // namespace remat
