// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/transformer.h"

namespace remat::torch {

namespace {

Tensor made(Machine& m, OpCode op, std::int64_t count, DType type)
{
    Tensor result = m.make(op, {count}, type);
    m.record(op, {{}, result.bytes(), {}});
    return result;
}

} // namespace

/// MixtralTopKRouter.forward: the chosen experts of each token and their shares, which sum to 1.
Chosen Transformer::route(const LayerModules& layer, const Tensor& rows, Tensor& scores)
{
    const ModuleScope scope(m_machine, layer.router.module);
    const Tensor own = view(rows, rows.sizes());
    scores = linear(own, layer.router.weight, {});
    const Tensor shares = softmax(to(scores, DType::Float32), std::nullopt);
    Chosen chosen = topk(shares, m_shape.expertsPerToken);
    chosen.values = normalizedInPlace(chosen.values);
    return chosen;
}

/// transformers.integrations.moe.grouped_mm_experts_forward, which 5.24 chooses: every pair of a token and one of its
/// experts is a row, and rows are sorted by expert, so that no size depends on what the router chose.
Tensor Transformer::groupedExperts(const LayerModules& layer, const Tensor& rows, const Chosen& chosen)
{
    const ModuleScope scope(m_machine, layer.expertsModule);
    const std::int64_t count = rows.size(0), each = m_shape.expertsPerToken, pairs = count * each;
    const DType type = layer.expertsUp.dtype();
    const Tensor shares = view(chosen.values, {pairs}), numbers = view(chosen.indices, {pairs});
    const Tensor sorted = m_machine.make(OpCode::Sort, {pairs}, DType::Int64);
    const Tensor order = made(m_machine, OpCode::Sort, pairs, DType::Int64);
    Tensor selected;
    {
        const Tensor tokens = pointwise(OpCode::Div, DType::Int64, {&order});
        selected = gatherRows(rows, tokens);
    }
    const Tensor ownShares = gatherRows(shares, order);
    const Tensor narrow = pointwise(OpCode::ToCopy, DType::Float32, {&sorted}); // int32: as wide
    const Tensor counts = made(m_machine, OpCode::Histc, m_shape.experts, DType::Float32);
    const Tensor offsets = made(m_machine, OpCode::CumSum, m_shape.experts, DType::Float32);

    Tensor y = groupedMm(to(selected, type), layer.expertsUp, offsets);
    {
        const std::vector<Tensor> parts = split(y, m_shape.ffn, -1);
        Tensor gate;
        {
            const ModuleScope activation(m_machine, layer.expertsActivationModule);
            gate = activate(m_shape.activation, m_shape.activationForm, parts[0]);
        }
        y = mul(gate, parts[1]);
    }
    y = groupedMm(to(y, type), layer.expertsDown, offsets);
    Tensor weighted = mul(y, unsqueeze(ownShares, -1));
    const Tensor back = made(m_machine, OpCode::Zeros, pairs, DType::Int64);
    {
        const Tensor places = made(m_machine, OpCode::Arange, pairs, DType::Int64);
    }
    weighted = gatherRows(weighted, back);
    const Tensor sum = sumSecond(view(weighted, {count, each, m_shape.hidden}));
    return to(sum, rows.dtype());
}

/// MixtralSparseMoeBlock.forward.
Tensor Transformer::expertsFfn(const LayerModules& layer, const Tensor& hidden)
{
    const ModuleScope scope(m_machine, layer.ffnModule);
    const Tensor rows = view(hidden, {hidden.elements() / hidden.size(-1), hidden.size(-1)});
    Tensor scores; // has a name there, too
    const Chosen chosen = route(layer, rows, scores);
    const Tensor output = groupedExperts(layer, rows, chosen);
    return view(output, hidden.sizes());
}

} // namespace remat::torch
