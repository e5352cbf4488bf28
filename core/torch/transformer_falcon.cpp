// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/transformer.h"

namespace remat::torch {

namespace {

/// FalconLinear: input @ weight.T, then the bias out of place.  The transposed weight is a view, which autocast does
/// not cache.
Tensor product(const Linear& linear, const Tensor& x)
{
    const ModuleScope scope(x.machine(), linear.module);
    const Tensor y = matmul(x, t(linear.weight));
    return linear.bias ? add(y, linear.bias) : y;
}

} // namespace

/// FalconAttention._split_heads: groups of heads with their key and value, or slots per head, or one key for all.
Transformer::Heads Transformer::splitFalcon(const Tensor& fused)
{
    const std::int64_t batch = fused.size(0), length = fused.size(1), width = m_shape.headWidth();
    const std::int64_t heads = m_shape.heads, groups = m_shape.groups();
    Tensor query, key, value;
    if (m_shape.block == BlockKind::ParallelTwoNorms || (groups > 1 && groups < heads)) {
        const std::int64_t times = heads / groups;
        const Tensor all = view(fused, {batch, length, groups, times + 2, width});
        query = slice(all, 3, 0, times);
        key = expand(indexed(all, 3), query.sizes());
        value = expand(indexed(all, 3), query.sizes());
        const Dims flat{batch, length, heads, width};
        const Tensor wholeQuery = reshape(query, flat), wholeKey = reshape(key, flat),
                     wholeValue = reshape(value, flat);
        query = wholeQuery;
        key = wholeKey;
        value = wholeValue;
    } else if (groups == heads) {
        const Tensor all = view(fused, {batch, length, heads, 3, width});
        query = select(all, 3, 0);
        key = select(all, 3, 1);
        value = select(all, 3, 2);
    } else {
        const Tensor all = view(fused, {batch, length, heads + 2, width});
        query = slice(all, 2, 0, heads);
        key = indexed(all, 2);
        value = indexed(all, 2);
    }
    const auto byHead = [&](const Tensor& x) {
        const Tensor turned = transpose(x, 1, 2);
        return reshape(turned, turned.sizes());
    };
    Heads result;
    result.query = byHead(query);
    result.key = byHead(key);
    result.value = byHead(value);
    return result;
}

/// FalconAttention.forward.
Transformer::Attended Transformer::attendFalcon(
    const AttentionModules& modules, const Tensor& hidden, const SharedTensors& shared)
{
    const ModuleScope scope(m_machine, modules.core);
    const std::int64_t batch = hidden.size(0), length = hidden.size(1);
    const Tensor fused = product(modules.qkv[0], hidden);
    Heads heads = splitFalcon(fused);
    const bool hasAlibi = m_shape.positions == PositionKind::Alibi;
    if (!hasAlibi)
        turn(heads, shared);
    updateCache(heads.key, heads.value);
    Attended result;
    if (m_setup.attention == TorchAttention::Sdpa) {
        const double probability = hasAlibi ? m_setup.attentionDropout : 0.0;
        SdpaBackend backend = SdpaBackend::None;
        result.output = scaledDotProductAttention(
            heads.query, heads.key, heads.value, shared.mask, probability, false, false, &backend);
        m_backends.insert(backend);
        result.output = reshape(transpose(result.output, 1, 2), {batch, length, m_shape.attentionWidth()});
        result.output = product(modules.out, result.output);
        return result;
    }
    Tensor scores = matmul(heads.query, transpose(heads.key, -1, -2));
    if (!hasAlibi) {
        scores = divInPlace(scores);
        const Tensor masked = add(scores, shared.mask);
        scores = softmax(masked, hidden.dtype());
        result.output = matmul(scores, heads.value);
        result.weights = scores;
    } else {
        const Tensor wide = isHalf(scores.dtype()) ? to(scores, DType::Float32) : scores;
        const Tensor alibi = view(shared.alibi, {batch, m_shape.heads, 1, length});
        const Tensor logits = mulInPlace(add(wide, alibi));
        Tensor probabilities;
        {
            const Tensor masked = add(logits, shared.mask);
            probabilities = softmax(masked, hidden.dtype());
        }
        probabilities = dropout(probabilities, m_setup.attentionDropout);
        result.weights = probabilities;
        result.output = matmul(probabilities, heads.value);
        const Tensor rows = reshape(transpose(result.output, 1, 2), {batch, length, m_shape.attentionWidth()});
        result.output = product(modules.out, rows);
        return result;
    }
    result.output = reshape(transpose(result.output, 1, 2), {batch, length, m_shape.attentionWidth()});
    result.output = product(modules.out, result.output);
    return result;
}

/// FalconDecoderLayer.forward.
std::vector<Tensor> Transformer::falconLayer(
    const LayerModules& layer, const Tensor& input, const SharedTensors& shared)
{
    const bool isParallel = m_shape.block != BlockKind::Serial;
    Tensor residual = input;
    const Tensor attentionInput = layer.norm1(input);
    Tensor ffnInput;
    if (m_shape.block == BlockKind::ParallelTwoNorms)
        ffnInput = layer.norm2(input);
    const auto attend = [this, &layer, shared](const std::vector<Tensor>& x) -> std::vector<Tensor> {
        Attended result = attendFalcon(layer.self, x[0], shared);
        return {std::move(result.output), std::move(result.weights)};
    };
    const LayerRegions* regions = regionsOf(layer);
    const std::vector<Tensor> attended = regions && regions->isAttention
        ? checkpoint(m_machine, attend, {attentionInput}, regionOptions(*regions))
        : attend({attentionInput});
    if (m_shape.block == BlockKind::Parallel) {
        ffnInput = attentionInput;
    } else if (!isParallel) {
        {
            const Tensor dropped = dropout(attended[0], branchDropout());
            residual = add(residual, dropped);
        }
        ffnInput = layer.norm2(residual);
    }
    const auto run = [this, &layer](const std::vector<Tensor>& x) -> std::vector<Tensor> {
        const ModuleScope scope(m_machine, layer.ffnModule);
        Tensor hidden = product(layer.up, x[0]);
        hidden = activate(m_shape.activation, m_shape.activationForm, hidden);
        return {product(layer.down, hidden)};
    };
    Tensor output = regions && regions->isFfn ? checkpoint(m_machine, run, {ffnInput}, regionOptions(*regions))[0]
                                              : run({ffnInput})[0];
    if (isParallel)
        output = addInPlace(output, attended[0]);
    const Tensor dropped = dropout(output, m_setup.residualDropout);
    return {add(residual, dropped), attended[1]};
}

/// The additive mask with ALiBi in it, for every head.
Tensor Transformer::falconAlibiMask(const Tensor& causal, const Tensor& alibi)
{
    Tensor additive = causal;
    if (causal.dtype() == DType::Bool) {
        const Tensor zero = m_machine.make(OpCode::ScalarTensor, {}, m_type);
        m_machine.record(OpCode::ScalarTensor, {});
        const Tensor least = m_machine.make(OpCode::ScalarTensor, {}, m_type);
        m_machine.record(OpCode::ScalarTensor, {});
        additive = pointwise(OpCode::Where, m_type, {&causal, &zero, &least});
    }
    const Tensor rows = view(alibi, {m_setup.batch, m_shape.heads, 1, m_setup.sequence});
    const Tensor scaled = pointwise(OpCode::Div, m_type, {&rows});
    const Tensor isHidden = pointwise(OpCode::Compare, DType::Bool, {&additive});
    return pointwise(OpCode::MaskedFill, m_type, {&scaled, &isHidden});
}

} // namespace remat::torch
