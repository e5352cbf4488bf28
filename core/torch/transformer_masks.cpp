// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/transformer.h"

namespace remat::torch {

namespace {

Tensor arange(Machine& m, std::int64_t count)
{
    Tensor result = m.make(OpCode::Arange, {count}, DType::Int64);
    m.record(OpCode::Arange, {{}, result.bytes(), {}});
    return result;
}

Tensor scalar(Machine& m, OpCode op, DType type)
{
    Tensor result = m.make(op, {}, type);
    m.record(op, {});
    return result;
}

} // namespace

/// arange(S) + past, as (1, S).
Tensor Transformer::positionIds()
{
    Tensor ids = arange(m_machine, m_setup.sequence);
    ids = pointwise(OpCode::Add, DType::Int64, {&ids});
    return unsqueeze(ids, 0);
}

/// transformers.masking_utils.sdpa_mask: (B, 1, S, S), true where a query sees a key.
Tensor Transformer::causalMask(bool hasWindow)
{
    const std::int64_t batch = m_setup.batch, length = m_setup.sequence;
    const Tensor rows = arange(m_machine, batch), heads = arange(m_machine, 1);
    Tensor queries = arange(m_machine, length);
    queries = pointwise(OpCode::Add, DType::Int64, {&queries});
    Tensor keys = arange(m_machine, length);
    keys = pointwise(OpCode::Add, DType::Int64, {&keys});
    const Tensor query = view(queries, {1, 1, length, 1}), key = view(keys, {1, 1, 1, length});
    Tensor mask;
    if (hasWindow) {
        Tensor all = scalar(m_machine, OpCode::Ones, DType::Bool);
        Tensor first = pointwise(OpCode::Sub, DType::Int64, {&query});
        Tensor isInside = pointwise(OpCode::Compare, DType::Bool, {&key, &first});
        first.reset();
        all = pointwise(OpCode::BitwiseAnd, DType::Bool, {&all, &isInside});
        isInside.reset();
        const Tensor isBefore = pointwise(OpCode::Compare, DType::Bool, {&key, &query});
        mask = pointwise(OpCode::BitwiseAnd, DType::Bool, {&all, &isBefore});
    } else {
        mask = pointwise(OpCode::Compare, DType::Bool, {&key, &query});
    }
    return expand(mask, {batch, 1, length, length});
}

/// create_causal_mask / create_sliding_window_causal_mask / create_bidirectional_mask of an unpadded batch: nothing
/// where SDPA's own flag suffices, else a bool mask for SDPA and an additive one for eager attention.
Tensor Transformer::attentionMask(bool hasWindow)
{
    if (!m_shape.isCausal || m_setup.sequence <= 1)
        return {};
    const bool isLocal = hasWindow && m_setup.sequence >= m_shape.slidingWindow;
    const bool isEager = m_setup.attention == TorchAttention::Eager || m_dialect.eager == EagerForm::GptNeo
        || m_dialect.eager == EagerForm::Bloom;
    if (!isEager && !isLocal && m_dialect.eager != EagerForm::Falcon)
        return {};
    Tensor mask = causalMask(hasWindow);
    if (!isEager)
        return mask;
    const Tensor zero = scalar(m_machine, OpCode::Zeros, m_type),
                 least = scalar(m_machine, OpCode::ScalarTensor, m_type);
    return pointwise(OpCode::Where, m_type, {&mask, &zero, &least});
}

/// The rotary embedding's forward: cos and sin of (1, S, width), in the model's type, from one of the tables of angles.
void Transformer::makeRotaryTables(SharedTensors& shared, int table)
{
    const ModuleScope scope(m_machine, m_rotaryModule);
    const std::int64_t width = m_shape.turnedWidth();
    if (m_dialect.hasPositionTable) {
        Tensor rows = m_machine.make(OpCode::Embedding, {1, m_setup.sequence, width}, DType::Float32);
        m_machine.record(OpCode::Embedding, {{}, rows.bytes() * 2, {}});
        rows = to(rows, m_type);
        const std::vector<Tensor> halves = split(rows, width / 2, -1);
        shared.sine = halves[0];
        shared.cosine = halves[1];
        return;
    }
    const DType type = m_dialect.rotary == RotaryForm::HalvesInFloat ? DType::Float32 : m_type;
    const Tensor& frequencies = m_buffers[static_cast<std::size_t>(2 * table)];
    Tensor angles;
    {
        const Tensor positions = unsqueeze(shared.positionIds, 2);
        const Tensor floats = to(positions, DType::Float32);
        const Tensor row = view(frequencies, {1, 1, width / 2});
        angles = pointwise(OpCode::Mul, DType::Float32, {&floats, &row});
    }
    const Tensor both = cat({angles, angles}, -1);
    Tensor cosine = pointwise(OpCode::Cos, DType::Float32, {&both});
    cosine = pointwise(OpCode::Mul, DType::Float32, {&cosine});
    Tensor sine = pointwise(OpCode::Sin, DType::Float32, {&both});
    sine = pointwise(OpCode::Mul, DType::Float32, {&sine});
    shared.cosine = to(cosine, type);
    shared.sine = to(sine, type);
}

} // namespace remat::torch
