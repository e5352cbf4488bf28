// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "core/torch/transformer.h"

namespace remat::torch {

/// GPTNeoSelfAttention.forward: products in fp32, a triangular buffer instead of a mask, no attention interface.
Transformer::Attended Transformer::attendGptNeo(const AttentionModules& modules, const Tensor& hidden,
    const SharedTensors& shared, const Tensor& triangle, bool hasDropout)
{
    const ModuleScope scope(m_machine, modules.core);
    Heads heads = project(modules, hidden);
    updateCache(heads.key, heads.value);
    const auto attended = [&]() -> Attended {
        const Tensor query = to(heads.query, DType::Float32), key = to(heads.key, DType::Float32);
        Tensor weights = matmul(query, transpose(key, -1, -2));
        // torch.tensor(...).to(device)
        const Tensor least = m_machine.make(OpCode::ToCopy, {}, weights.dtype());
        m_machine.record(OpCode::ToCopy, {});
        const std::int64_t length = weights.size(-1);
        weights = choose(slice(slice(triangle, 2, 0, length), 3, 0, length), weights);
        if (shared.mask)
            weights = add(weights, shared.mask);
        weights = softmax(weights, std::nullopt);
        weights = to(weights, heads.value.dtype());
        weights = dropout(weights, m_setup.attentionDropout);
        Tensor output = matmul(weights, heads.value);
        return {std::move(output), std::move(weights)};
    };
    Attended result = attended();
    result.output = contiguous(transpose(result.output, 1, 2));
    result.output = view(result.output, {hidden.size(0), hidden.size(1), m_shape.attentionWidth()});
    result.output = modules.out(result.output);
    if (hasDropout)
        result.output = dropout(result.output, branchDropout());
    return result;
}

/// BloomAttention.forward: scores are added onto the ALiBi tensor by baddbmm; the residual sum is made here.
Transformer::Attended Transformer::attendBloom(
    const AttentionModules& modules, const Tensor& hidden, const Tensor& residual, const SharedTensors& shared)
{
    const ModuleScope scope(m_machine, modules.core);
    const std::int64_t batch = hidden.size(0), length = hidden.size(1), width = m_shape.headWidth();
    const Tensor fused = modules.qkv[0](hidden);
    const Tensor slots = view(fused, {batch, length, m_shape.heads, 3, width});
    const auto slot = [&](std::int64_t i) { return transpose(select(slots, 3, i), 1, 2); };
    const Tensor queries = slot(0);
    Tensor keys = slot(1), values = slot(2);
    updateCache(keys, values);
    const Dims flat{batch * m_shape.heads, length, width};
    const Tensor query = reshape(queries, flat);
    const Tensor key = transpose(reshape(keys, flat), -1, -2);
    const Tensor value = reshape(values, flat);
    const Tensor scores = baddbmm(shared.alibi, query, key);
    Tensor weights = view(scores, {batch, m_shape.heads, length, length});
    if (shared.mask)
        weights = add(weights, shared.mask);
    Tensor probabilities;
    {
        const Tensor wide = softmax(weights, DType::Float32);
        probabilities = to(wide, query.dtype());
    }
    probabilities = dropout(probabilities, m_setup.attentionDropout);
    Tensor context = batchedMatmul(view(probabilities, {batch * m_shape.heads, length, length}), value);
    context = view(context, {batch, m_shape.heads, length, width});
    context = reshape(transpose(context, 1, 2), {batch, length, m_shape.attentionWidth()});
    const Tensor output = modules.out(context);
    const Tensor dropped = dropout(output, m_setup.residualDropout);
    return {add(residual, dropped), std::move(probabilities)};
}

/// BloomBlock.forward: attention and FFN each make their own residual sum.
std::vector<Tensor> Transformer::bloomLayer(const LayerModules& layer, const Tensor& input, const SharedTensors& shared)
{
    Tensor normed = layer.norm1(input);
    const Tensor first = m_shape.hasNormedResidual ? normed : input;
    const auto attend = [this, &layer, shared](const std::vector<Tensor>& x) -> std::vector<Tensor> {
        Attended attended = attendBloom(layer.self, x[0], x[1], shared);
        return {std::move(attended.output), std::move(attended.weights)};
    };
    const LayerRegions* regions = regionsOf(layer);
    const std::vector<Tensor> attended = regions && regions->isAttention
        ? checkpoint(m_machine, attend, {normed, first}, regionOptions(*regions))
        : attend({normed, first});
    normed = layer.norm2(attended[0]);
    const Tensor second = m_shape.hasNormedResidual ? normed : attended[0];
    const auto run = [this, &layer](const std::vector<Tensor>& x) -> std::vector<Tensor> {
        const ModuleScope scope(m_machine, layer.ffnModule);
        Tensor hidden = layer.up(x[0]);
        hidden = activate(m_shape.activation, m_shape.activationForm, hidden);
        const Tensor output = layer.down(hidden);
        const Tensor dropped = dropout(output, m_setup.residualDropout);
        return {add(x[1], dropped)};
    };
    std::vector<Tensor> outputs = regions && regions->isFfn
        ? checkpoint(m_machine, run, {normed, second}, regionOptions(*regions))
        : run({normed, second});
    return {outputs[0], attended[1]};
}

/// build_alibi_tensor: slopes times positions, (B heads, 1, S) in the model's type.  BLOOM's model has the slopes, and
/// Falcon's the mask of ones that their positions are counted from, under a name of its own.
Tensor Transformer::alibiTensor(std::vector<Tensor>& held)
{
    const std::int64_t heads = m_shape.heads, length = m_setup.sequence;
    const Tensor slopes = m_machine.make(OpCode::Pow, {heads, 1, 1}, DType::Float32);
    m_machine.record(OpCode::Pow, {});
    if (m_dialect.eager == EagerForm::Falcon) {
        held.push_back(m_machine.make(OpCode::Ones, {m_setup.batch, length}, DType::Int64));
        m_machine.record(OpCode::Ones, {});
    } else {
        held.push_back(slopes);
    }
    Tensor alibi;
    {
        const Tensor positions = m_machine.make(OpCode::Arange, {length}, DType::Int64);
        m_machine.record(OpCode::Arange, {});
        alibi = pointwise(OpCode::Mul, DType::Float32, {&slopes, &positions});
    }
    Tensor repeated = m_machine.make(OpCode::Clone, {m_setup.batch * heads, 1, length}, DType::Float32);
    m_machine.record(OpCode::Clone, {});
    return to(repeated, m_type);
}

} // namespace remat::torch
