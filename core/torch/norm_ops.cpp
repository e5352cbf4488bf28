// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/ops.h"

namespace remat::torch {

namespace {

/// saved: input, weight (where there is one), mean, reciprocal deviation.
void layerNormBackward(BackwardCall& call)
{
    Machine& m = call.machine;
    const Tensor& grad = call.grad();
    Tensor dInput = m.make(OpCode::LayerNormBackward, grad.sizes(), grad.dtype());
    Tensor dWeight, dBias;
    if (call.node.next.size() > 1) {
        const Tensor& weight = call.saved[1];
        dWeight = m.make(OpCode::LayerNormBackward, weight.sizes(), weight.dtype());
        if (call.node.next.size() > 2 && call.needs(2))
            dBias = m.make(OpCode::LayerNormBackward, weight.sizes(), weight.dtype());
    }
    m.record(OpCode::LayerNormBackward, {{}, grad.bytes() * 3, {}});
    call.result(0) = std::move(dInput);
    if (dWeight)
        call.result(1) = std::move(dWeight);
    if (dBias)
        call.result(2) = std::move(dBias);
}
/// saved: the result.  The gradient comes back in the input's type.
template <OpCode op> void softmaxBackward(BackwardCall& call)
{
    Machine& m = call.machine;
    const Tensor& grad = call.grad();
    Tensor result = m.make(op, grad.sizes(), call.node.dtype);
    m.record(op, {{}, grad.bytes() + call.saved[0].bytes() + result.bytes(), {}});
    call.result(0) = std::move(result);
}
void dropoutBackward(BackwardCall& call)
{
    call.result(0) = pointwise(OpCode::DropoutBackward, call.grad().dtype(), {&call.grad(), &call.saved[0]});
}

constexpr NodeKind kLayerNorm{"NativeLayerNormBackward0", layerNormBackward};
constexpr NodeKind kSoftmax{"SoftmaxBackward0", softmaxBackward<OpCode::SoftmaxBackward>};
constexpr NodeKind kSafeSoftmax{"SafeSoftmaxBackward0", softmaxBackward<OpCode::SoftmaxBackward>};
constexpr NodeKind kDropout{"NativeDropoutBackward0", dropoutBackward};

Tensor softmaxInto(const NodeKind& kind, OpCode op, const Tensor& x, DType type)
{
    Machine& m = x.machine();
    Ref<Node> node = m.node(kind, {&x});
    if (node)
        node->dtype = x.dtype();
    Tensor result = m.make(op, x.sizes(), type);
    m.record(op, {{}, x.bytes() + result.bytes(), {}}, {&x});
    if (node)
        m.saveOutput(*node, result);
    m.attach(node, result);
    return result;
}

} // namespace

Tensor layerNorm(const Tensor& x, const Tensor& weight, const Tensor& bias)
{
    Machine& m = x.machine();
    Tensor input = x, scale = weight, shift = bias;
    if (m.autocast()) {
        if (bias)
            shift = m.castForAutocast(bias, DType::Float32);
        if (weight)
            scale = m.castForAutocast(weight, DType::Float32);
        input = m.castForAutocast(x, DType::Float32);
    }
    Ref<Node> node = shift ? m.node(kLayerNorm, {&input, &scale, &shift})
        : scale            ? m.node(kLayerNorm, {&input, &scale})
                           : m.node(kLayerNorm, {&input});
    if (node) {
        m.save(*node, input);
        if (scale)
            m.save(*node, scale);
        if (shift)
            m.save(*node, shift);
    }
    Dims statistics = input.sizes();
    statistics[statistics.count() - 1] = 1;
    Tensor result = m.make(OpCode::LayerNorm, input.sizes(), input.dtype());
    Tensor mean = m.make(OpCode::LayerNorm, statistics, DType::Float32);
    Tensor deviation = m.make(OpCode::LayerNorm, statistics, DType::Float32);
    m.record(OpCode::LayerNorm, {{}, result.bytes() * 2, {}}, {&input, &scale, &shift});
    if (node) {
        m.saveOutput(*node, mean);
        m.saveOutput(*node, deviation);
    }
    m.attach(node, result);
    return result;
}

Tensor softmax(const Tensor& x, std::optional<DType> type)
{
    const DType wanted = type ? *type : x.machine().autocast() ? DType::Float32 : x.dtype();
    // fp16 to fp32 has a kernel of its own; bf16 is cast first.
    if (x.dtype() == DType::Float16 && wanted == DType::Float32)
        return softmaxInto(kSoftmax, OpCode::Softmax, x, wanted);
    return softmaxInto(kSoftmax, OpCode::Softmax, to(x, wanted), wanted);
}

Tensor safeSoftmax(const Tensor& x)
{
    return softmaxInto(kSafeSoftmax, OpCode::SafeSoftmax, x, x.dtype());
}

Tensor dropout(const Tensor& x, double probability)
{
    if (probability <= 0.0)
        return x;
    Machine& m = x.machine();
    Ref<Node> node = m.node(kDropout, {&x});
    const Operand operand{&x.sizes(), &x.strides()};
    const Dims strides = elementwiseStrides(x.sizes(), {&operand, 1});
    Tensor result = m.make(OpCode::Dropout, x.sizes(), strides, x.dtype());
    Tensor mask = m.make(OpCode::Dropout, x.sizes(), strides, DType::Bool);
    m.record(OpCode::Dropout, {{}, x.bytes() * 2 + mask.bytes(), {}}, {&x});
    if (node)
        m.saveOutput(*node, mask);
    m.attach(node, result);
    return result;
}

} // namespace remat::torch
