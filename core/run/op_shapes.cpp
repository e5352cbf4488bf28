// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/op_shapes.h"

#include <cstdlib>

namespace remat {

kernels::RowsShape rowsOf(const Op& op)
{
    return {op.dims.rows, op.dims.in};
}

kernels::LinearShape linearOf(const Op& op)
{
    return {op.dims.rows, op.dims.in, op.dims.out,
        op.dims.weightIsOutIn ? kernels::WeightLayout::OutIn : kernels::WeightLayout::InOut};
}

kernels::AttentionShape attentionOf(const Op& op)
{
    return {op.dims.batch, op.dims.sequence, op.dims.heads, op.dims.keyValueHeads, op.dims.headWidth, op.dims.isCausal};
}

kernels::RotaryShape rotaryOf(const Op& op)
{
    const std::int64_t turned = op.dims.heads + op.dims.keyValueHeads;
    return {
        op.dims.batch, op.dims.sequence, turned + op.dims.keyValueHeads, turned, op.dims.headWidth, op.dims.rotaryBase};
}

EmbeddingTables::EmbeddingTables(const Op& op)
{
    std::size_t next = 1;
    if (op.dims.positions > 0)
        positions = next++;
    if (op.dims.tokenTypes > 0)
        types = next++;
}

kernels::EmbeddingShape embeddingOf(const Op& op)
{
    return {op.dims.batch, op.dims.sequence, op.dims.out, op.dims.vocabulary, op.dims.positions, op.dims.tokenTypes};
}

kernels::HeadShape headOf(const Op& op)
{
    return {op.dims.rows, op.dims.in, op.dims.vocabulary, op.dims.chunks};
}

kernels::Dropout dropoutOf(const OpRun& run)
{
    return {static_cast<float>(run.op->dims.dropout), {run.randomSeed, run.randomStream}};
}

kernels::Activation activationOf(const Op& op)
{
    switch (op.dims.activation) {
    case Activation::Gelu:
        return kernels::Activation::Gelu;
    case Activation::GeluTanh:
        return kernels::Activation::GeluTanh;
    case Activation::Relu:
        return kernels::Activation::Relu;
    case Activation::Silu:
        return kernels::Activation::Silu;
    case Activation::QuickGelu: // no shape of the runtime profile has it (core/model/runtime_shapes.h)
        break;
    }
    std::abort();
}

kernels::AdamW adamWOf(const Parameter& parameter, std::int64_t step)
{
    kernels::AdamW adamW;
    adamW.learningRate = kLearningRate;
    adamW.step = step;
    if (!parameter.decays)
        adamW.weightDecay = 0.0F;
    return adamW;
}

} // namespace remat
