// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/machine/gpu_ops.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "core/cost/device_traits.h"
#include "core/run/op_shapes.h"
#include "cuda/kernels/attention.h"
#include "cuda/kernels/kernels.h"
#include "cuda/kernels/rows.h"

namespace remat::cuda {

namespace {

using kernels::Store;
using kernels::WeightLayout;

/// Operands as the numbers that they are.
template <class T> const T* as(const std::byte* data)
{
    return reinterpret_cast<const T*>(data);
}

template <class T> T* as(std::byte* data)
{
    return reinterpret_cast<T*>(data);
}

Store storeOf(const GradientTarget& target)
{
    return target.accumulates ? Store::Add : Store::Write;
}

template <class T> const T* biasOf(const OpRun& run)
{
    return run.parameters.size() > 1 ? as<T>(run.parameters[1]) : nullptr;
}

/// The workspace of an attention's backward, which the tape counts (MachineTraits::attentionRow).
float* rowSumsOf(const OpRun& run)
{
    assert(run.op->backwardWorkspace >= Bytes{attentionBackwardWorkspaceBytes(attentionOf(*run.op))});
    return reinterpret_cast<float*>(run.workspace);
}

/// The gradient of an op's k-th weight; null where the op has no such weight.
template <class T> T* gradientOf(const OpRun& run, std::size_t k)
{
    return k < run.weightGradients.size() ? as<T>(run.weightGradients[k].data) : nullptr;
}

} // namespace

template <class T> std::byte* GpuOps<T>::workspace(std::int64_t bytes) const
{
    if (bytes > kCudaWorkspace.value)
        throw WorkspaceTooSmall({bytes});
    return m_workspace;
}

template <class T>
void GpuOps<T>::product(const kernels::Gemm& gemm, const T* a, const T* b, const T* bias, T* c, Store store)
{
    const auto bytes = [](const T* data) { return reinterpret_cast<const std::byte*>(data); };
    constexpr ElementType storage = sizeof(T) == sizeof(float) ? ElementType::Fp32 : ElementType::Bf16;
    m_gpu.multiply({gemm, storage, bytes(a), bytes(b), bytes(bias), reinterpret_cast<std::byte*>(c), store},
        workspace(kCudaWorkspace.value));
}

template <class T> void GpuOps<T>::linearForward(const OpRun& run)
{
    const auto [rows, in, out, layout] = linearOf(*run.op);
    product({rows, out, in, false, layout == WeightLayout::OutIn}, as<T>(run.reads[0]), as<T>(run.parameters[0]),
        biasOf<T>(run), as<T>(run.writes[0]), Store::Write);
}

template <class T> void GpuOps<T>::linearBackward(const OpRun& run)
{
    const auto [rows, in, out, layout] = linearOf(*run.op);
    const bool isOutIn = layout == WeightLayout::OutIn;
    const T *dy = as<T>(run.gradientsIn[0]), *x = as<T>(run.backwardReads[0]), *weight = as<T>(run.parameters[0]);
    if (const GradientTarget& dx = run.gradientsOut[0]; dx.data)
        product({rows, in, out, false, !isOutIn}, dy, weight, nullptr, as<T>(dx.data), storeOf(dx));
    const GradientTarget& dw = run.weightGradients[0];
    if (isOutIn)
        product({out, in, rows, true, false}, dy, x, nullptr, as<T>(dw.data), storeOf(dw));
    else
        product({in, out, rows, true, false}, x, dy, nullptr, as<T>(dw.data), storeOf(dw));
    if (T* bias = gradientOf<T>(run, 1))
        columnSums<T>({rows, out}, dy, bias, storeOf(run.weightGradients[1]),
            floatWorkspace(columnSumsWorkspaceBytes({rows, out})), m_stream);
}

/// Chunk by chunk: logits into the op's workspace, their loss, their gradient in their place, and what that makes of x
/// and of the weight.
template <class T> void GpuOps<T>::chunkedHead(const OpRun& run)
{
    const kernels::HeadShape shape = headOf(*run.op);
    const std::int64_t width = shape.width, vocabulary = shape.vocabulary;
    const T *x = as<T>(run.reads[0]), *weight = as<T>(run.parameters[0]);
    T *dx = as<T>(run.writes[1]), *dweight = as<T>(run.writes[2]);
    T* const dbias = run.writes.size() > 3 ? as<T>(run.writes[3]) : nullptr;
    const std::int64_t chunkRows = (shape.rows + shape.chunks - 1) / shape.chunks;
    T* const logits = as<T>(run.workspace);
    const Bytes logitBytes = roundUp({chunkRows * vocabulary * static_cast<std::int64_t>(sizeof(T))}, {64});
    auto* const lse = reinterpret_cast<float*>(run.workspace + logitBytes.value);
    for (std::int64_t first = 0; first < shape.rows; first += chunkRows) {
        const std::int64_t rows = std::min(chunkRows, shape.rows - first);
        const T* const part = x + first * width;
        const Store store = first == 0 ? Store::Write : Store::Add;
        product({rows, vocabulary, width, false, true}, part, weight, biasOf<T>(run), logits, Store::Write);
        const LossShape loss{rows, vocabulary, shape.rows};
        crossEntropyForward<T>(loss, logits, run.targets + first, lse, as<float>(run.writes[0]), store, m_stream);
        crossEntropyBackward<T>(loss, logits, lse, run.targets + first, run.lossScale, logits, m_stream);
        product({rows, width, vocabulary, false, false}, logits, weight, nullptr, dx + first * width, Store::Write);
        product({vocabulary, width, rows, true, false}, logits, part, nullptr, dweight, store);
        if (dbias)
            columnSums<T>({rows, vocabulary}, logits, dbias, store,
                floatWorkspace(columnSumsWorkspaceBytes({rows, vocabulary})), m_stream);
    }
}

template <class T> void GpuOps<T>::forward(const OpRun& run)
{
    const Op& op = *run.op;
    const auto in = [&](std::size_t k) { return as<T>(run.reads[k]); };
    const auto out = [&](std::size_t k) { return as<T>(run.writes[k]); };
    const auto statistic = [&](std::size_t k) { return as<float>(run.writes[k]); };
    const auto w = [&](std::size_t k) { return as<T>(run.parameters[k]); };
    switch (op.kind) {
    case OpKind::Embedding: {
        const EmbeddingTables tables(op);
        embeddingForward<T>(embeddingOf(op), run.tokens, w(0), tables.positions > 0 ? w(tables.positions) : nullptr,
            tables.types > 0 ? w(tables.types) : nullptr, out(0), m_stream);
        break;
    }
    case OpKind::LayerNorm:
        layerNormForward<T>(rowsOf(op), static_cast<float>(op.dims.epsilon), in(0), w(0), w(1), out(0), statistic(1),
            statistic(2), m_stream);
        break;
    case OpKind::RmsNorm:
        rmsNormForward<T>(rowsOf(op), static_cast<float>(op.dims.epsilon), in(0), w(0), out(0), statistic(1), m_stream);
        break;
    case OpKind::Rotary:
        rotary<T>(rotaryOf(op), kernels::Turn::Forth, in(0), out(0), m_stream);
        break;
    case OpKind::Linear:
        linearForward(run);
        break;
    case OpKind::Attention:
        attentionForward<T>(attentionOf(op), dropoutOf(run), in(0), out(0), statistic(1), m_stream);
        break;
    case OpKind::AttentionProbs:
        probabilitiesForward<T>(attentionOf(op), in(0), out(0), m_stream);
        break;
    case OpKind::AttentionContext:
        contextForward<T>(attentionOf(op), dropoutOf(run), in(0), in(1), out(0), m_stream);
        break;
    case OpKind::Activation:
        activationForward<T>(activationOf(op), op.dims.rows, in(0), out(0), m_stream);
        break;
    case OpKind::GatedActivation:
        gatedForward<T>(activationOf(op), op.dims.rows, in(0), in(1), out(0), m_stream);
        break;
    case OpKind::Dropout:
        dropout<T>(dropoutOf(run), op.dims.rows, in(0), out(0), m_stream);
        break;
    case OpKind::Add:
        add<T>(op.dims.rows, in(0), in(1), out(0), m_stream);
        break;
    case OpKind::CrossEntropy:
        crossEntropyForward<T>({op.dims.rows, op.dims.out, op.dims.rows}, in(0), run.targets, statistic(1),
            statistic(0), Store::Write, m_stream);
        break;
    case OpKind::ChunkedHead:
        chunkedHead(run);
        break;
    }
}

template <class T> void GpuOps<T>::backward(const OpRun& run)
{
    const Op& op = *run.op;
    const auto value = [&](std::size_t k) { return as<T>(run.backwardReads[k]); };
    const auto statistic = [&](std::size_t k) { return as<float>(run.backwardReads[k]); };
    const auto dy = [&](std::size_t k) { return as<T>(run.gradientsIn[k]); };
    const auto dx = [&](std::size_t k) { return as<T>(run.gradientsOut[k].data); };
    const auto dw = [&](std::size_t k) { return gradientOf<T>(run, k); };
    const auto w = [&](std::size_t k) { return as<T>(run.parameters[k]); };
    switch (op.kind) {
    case OpKind::Embedding: {
        const EmbeddingTables tables(op);
        embeddingBackward<T>(embeddingOf(op), run.tokens, dy(0), dw(0), storeOf(run.weightGradients[0]),
            tables.positions > 0 ? dw(tables.positions) : nullptr, tables.types > 0 ? dw(tables.types) : nullptr,
            storeOf(run.weightGradients.back()), workspace(embeddingBackwardWorkspaceBytes(embeddingOf(op))), m_stream);
        break;
    }
    case OpKind::LayerNorm:
        layerNormBackward<T>(rowsOf(op), dy(0), value(0), statistic(1), statistic(2), w(0), dx(0),
            storeOf(run.gradientsOut[0]), dw(0), dw(1), storeOf(run.weightGradients[0]),
            floatWorkspace(normBackwardWorkspaceBytes(rowsOf(op))), m_stream);
        break;
    case OpKind::RmsNorm:
        rmsNormBackward<T>(rowsOf(op), dy(0), value(0), statistic(1), w(0), dx(0), storeOf(run.gradientsOut[0]), dw(0),
            storeOf(run.weightGradients[0]), floatWorkspace(normBackwardWorkspaceBytes(rowsOf(op))), m_stream);
        break;
    case OpKind::Rotary:
        rotary<T>(rotaryOf(op), kernels::Turn::Back, dy(0), dx(0), m_stream);
        break;
    case OpKind::Linear:
        linearBackward(run);
        break;
    case OpKind::Attention:
        attentionBackward<T>(
            attentionOf(op), dropoutOf(run), dy(0), value(0), value(1), statistic(2), dx(0), rowSumsOf(run), m_stream);
        break;
    case OpKind::AttentionProbs:
        probabilitiesBackward<T>(attentionOf(op), dy(0), value(0), value(1), dx(0), rowSumsOf(run), m_stream);
        break;
    case OpKind::AttentionContext:
        contextBackward<T>(attentionOf(op), dropoutOf(run), dy(0), value(0), value(1), dx(0), dx(1), m_stream);
        break;
    case OpKind::Activation:
        activationBackward<T>(activationOf(op), op.dims.rows, dy(0), value(0), dx(0), m_stream);
        break;
    case OpKind::GatedActivation:
        gatedBackward<T>(activationOf(op), op.dims.rows, dy(0), value(0), value(1), dx(0), dx(1), m_stream);
        break;
    case OpKind::Dropout:
        dropout<T>(dropoutOf(run), op.dims.rows, dy(0), dx(0), m_stream);
        break;
    case OpKind::Add:
        break; // Both gradients are the output's buffer.
    case OpKind::CrossEntropy:
        crossEntropyBackward<T>({op.dims.rows, op.dims.out, op.dims.rows}, value(0), statistic(1), run.targets,
            run.lossScale, dx(0), m_stream);
        break;
    case OpKind::ChunkedHead:
        // Forward made the gradients; where the weight's gradient exists already, this adds to it.
        for (std::size_t k = 0; k < run.weightGradients.size(); ++k)
            if (run.weightGradients[k].accumulates)
                add<T>(k == 0 ? op.dims.vocabulary * op.dims.in : op.dims.vocabulary, dw(k), value(1 + k), dw(k),
                    m_stream);
        break;
    }
}

template <class T> void GpuOps<T>::update(OptimizerKind kind, std::int64_t step, const ParameterUpdate& update)
{
    const std::int64_t count = update.parameter->elements;
    const T* const gradient = as<T>(update.gradient);
    T* const weight = as<T>(update.weight);
    if (kind == OptimizerKind::Sgd)
        sgd<T>(kLearningRate, count, gradient, weight, update.master, m_stream);
    else
        adamW<T>(adamWOf(*update.parameter, step), count, gradient, weight, update.master, update.momentum,
            update.variance, m_stream);
}

template <class T>
void GpuOps<T>::initialize(
    const Parameter& parameter, std::uint64_t seed, std::uint64_t stream, std::byte* data, float* master)
{
    const auto fillBoth = [&](auto* out) {
        using Number = std::remove_pointer_t<decltype(out)>;
        if (parameter.initialization == Initialization::Normal)
            fillNormal<Number>({seed, stream}, parameter.elements, kInitialDeviation, out, m_stream);
        else
            fill<Number>(
                parameter.elements, parameter.initialization == Initialization::Ones ? 1.0F : 0.0F, out, m_stream);
    };
    fillBoth(as<T>(data));
    if (master)
        fillBoth(master);
}

template class GpuOps<float>;
template class GpuOps<bf16>;

} // namespace remat::cuda
