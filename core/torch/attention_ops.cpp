// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/ops.h"

namespace remat::torch {

namespace {

std::int64_t roundUpTo(std::int64_t n, std::int64_t multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

/// The order of dimensions that the flash kernel gives its outputs: the operand's own.
Dims likeOperand(const Tensor& x)
{
    const Operand operand{&x.sizes(), &x.strides()};
    return elementwiseStrides(x.sizes(), {&operand, 1});
}

/// (B, heads, S, D) kept as (B, S, heads, D): how the memory-efficient kernel writes.
Dims bySequence(const Dims& sizes)
{
    const std::int64_t heads = sizes[1], length = sizes[2], width = sizes[3];
    return {length * heads * width, width, heads * width, 1};
}

/// Per product of the forward pass: 2 B heads Sq Sk D.
Flops productFlops(const Tensor& q, const Tensor& k)
{
    return {2 * q.size(0) * q.size(1) * q.size(2) * k.size(2) * q.size(3)};
}

Bytes rounded(std::int64_t bytes)
{
    return roundUp(Bytes{bytes}, kGranule);
}

/// What flash-attention 2's backward allocates itself: an fp32 accumulator of dq, softmax_d, and with grouped heads dk
/// and dv for all heads.
Bytes flashTemporaries(const Tensor& q, const Tensor& k)
{
    const std::int64_t rows = roundUpTo(q.size(2), 128);
    const std::int64_t width = roundUpTo(q.size(3), q.size(3) <= 128 ? 32 : 64);
    const std::int64_t heads = q.size(0) * q.size(1);
    Bytes sum = rounded(4 * heads * rows * width) + rounded(4 * heads * rows);
    if (k.size(1) != q.size(1))
        sum += 2 * rounded(sizeOf(q.dtype()) * heads * k.size(2) * q.size(3));
    return sum;
}
/// The memory-efficient kernel's: delta, and an fp32 accumulator of dq for half types.
Bytes efficientTemporaries(const Tensor& q)
{
    const Bytes delta = rounded(4 * q.size(0) * q.size(1) * q.size(2));
    return isHalf(q.dtype()) ? delta + rounded(4 * q.elements()) : delta;
}

/// saved: q, k, v, (bias), output, statistics ...
template <OpCode op> void fusedBackward(BackwardCall& call)
{
    Machine& m = call.machine;
    const Tensor& q = call.saved[0];
    const Tensor& k = call.saved[1];
    const Tensor& v = call.saved[2];
    constexpr bool isFlash = op == OpCode::FlashAttentionBackward;
    const auto gradientOf = [&](const Tensor& x) {
        return m.make(op, x.sizes(), isFlash ? likeOperand(x) : bySequence(x.sizes()), x.dtype());
    };
    Tensor dq = gradientOf(q), dk = gradientOf(k), dv = gradientOf(v);
    Tensor dBias;
    if (call.node.next.size() > 3 && call.needs(3))
        dBias = m.make(op, call.saved[3].sizes(), q.dtype());
    const Bytes temporaries = op == OpCode::FlashAttentionBackward ? flashTemporaries(q, k) : efficientTemporaries(q);
    m.record(op, {5 * productFlops(q, k), 2 * (q.bytes() + k.bytes() + v.bytes()) + q.bytes() * 2, temporaries});
    call.result(0) = std::move(dq);
    call.result(1) = std::move(dk);
    call.result(2) = std::move(dv);
    if (dBias)
        call.result(3) = std::move(dBias);
}

constexpr NodeKind kFlash{"ScaledDotProductFlashAttentionBackward0", fusedBackward<OpCode::FlashAttentionBackward>};
constexpr NodeKind kEfficient{
    "ScaledDotProductEfficientAttentionBackward0", fusedBackward<OpCode::EfficientAttentionBackward>};

Tensor flash(const Tensor& q, const Tensor& k, const Tensor& v)
{
    Machine& m = q.machine();
    Ref<Node> node = m.node(kFlash, {&q, &k, &v});
    if (node) {
        m.save(*node, q);
        m.save(*node, k);
        m.save(*node, v);
    }
    constexpr OpCode op = OpCode::FlashAttention;
    Tensor output = m.make(op, q.sizes(), likeOperand(q), q.dtype());
    Tensor logSumExp = m.make(op, {q.size(0), q.size(1), q.size(2)}, DType::Float32);
    Tensor randomState = m.make(op, {2}, DType::Int64);
    Tensor unused = m.make(op, {}, DType::Int64);
    m.record(op, {2 * productFlops(q, k), q.bytes() * 2 + k.bytes() + v.bytes(), {}}, {&q, &k, &v});
    if (node) {
        m.saveOutput(*node, output);
        m.saveOutput(*node, logSumExp);
        m.saveOutput(*node, randomState);
        m.saveOutput(*node, unused);
    }
    m.attach(node, output);
    return output;
}

Tensor efficient(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& bias)
{
    Machine& m = q.machine();
    Ref<Node> node = bias ? m.node(kEfficient, {&q, &k, &v, &bias}) : m.node(kEfficient, {&q, &k, &v});
    if (node) {
        m.save(*node, q);
        m.save(*node, k);
        m.save(*node, v);
        if (bias)
            m.save(*node, bias);
    }
    constexpr OpCode op = OpCode::EfficientAttention;
    Tensor output = m.make(op, q.sizes(), bySequence(q.sizes()), q.dtype());
    Tensor logSumExp = m.make(op, {q.size(0), q.size(1), roundUpTo(q.size(2), 32)}, DType::Float32);
    Tensor seed = m.make(op, {}, DType::Int64);
    Tensor offset = m.make(op, {}, DType::Int64);
    m.record(op, {2 * productFlops(q, k), q.bytes() * 2 + k.bytes() + v.bytes(), {}}, {&q, &k, &v, &bias});
    if (node) {
        m.saveOutput(*node, output);
        m.saveOutput(*node, logSumExp);
        m.saveOutput(*node, seed);
        m.saveOutput(*node, offset);
    }
    m.attach(node, output);
    return output;
}

/// key.repeat_interleave(n, 1).
Tensor repeatHeads(const Tensor& x, std::int64_t times)
{
    const Dims wide{x.size(0), x.size(1), times, x.size(2), x.size(3)};
    return view(clone(expand(unsqueeze(x, 2), wide)), {x.size(0), x.size(1) * times, x.size(2), x.size(3)});
}

/// convert_boolean_attn_mask: 0 where `seen`, else minus infinity.
Tensor additive(const Tensor& seen, DType type)
{
    Machine& m = seen.machine();
    Tensor zero = m.make(OpCode::ScalarTensor, {}, type);
    m.record(OpCode::ScalarTensor, {});
    Tensor infinity = m.make(OpCode::ScalarTensor, {}, type);
    m.record(OpCode::ScalarTensor, {});
    return pointwise(OpCode::Where, type, {&seen, &zero, &infinity});
}

/// _scaled_dot_product_attention_math: in fp32, both operands scaled by the root.  A given mask takes the operands'
/// type before that, a causal one is made on the spot in the type of the scores.  Keys and values are copied per head
/// only where the caller asks for groups; else one head is broadcast.  It returns the weights too, cast before the
/// product is made, although nobody takes them.
Tensor composed(Tensor q, Tensor k, Tensor v, Tensor mask, double dropoutProbability, bool isCausal, bool hasGroups)
{
    Machine& m = q.machine();
    const DType type = q.dtype();
    if (mask && mask.dtype() == DType::Bool)
        mask = additive(mask, type);
    if (isHalf(type)) {
        q = to(q, DType::Float32);
        k = to(k, DType::Float32);
        v = to(v, DType::Float32);
    }
    const Tensor scaled = mulScalar(q);
    if (isCausal) {
        Tensor lower = m.make(OpCode::Ones, {q.size(2), k.size(2)}, DType::Bool);
        m.record(OpCode::Ones, {{}, lower.bytes(), {}});
        lower = pointwise(OpCode::Tril, DType::Bool, {&lower});
        mask = additive(lower, q.dtype());
    }
    // The function holds on to what it repeats.
    const std::int64_t times = hasGroups ? q.size(1) / k.size(1) : 1;
    const Tensor keys = times > 1 ? repeatHeads(k, times) : k;
    const Tensor values = times > 1 ? repeatHeads(v, times) : v;
    Tensor scores = matmul(scaled, mulScalar(transpose(keys, -2, -1)));
    if (mask)
        scores = add(scores, mask);
    scores = safeSoftmax(scores);
    scores = dropout(scores, dropoutProbability);
    const Tensor returned = to(scores, type);
    return to(matmul(scores, values), type);
}

} // namespace

Tensor scaledDotProductAttention(Tensor q, Tensor k, Tensor v, Tensor mask, double dropoutProbability, bool isCausal,
    bool hasGroups, SdpaBackend* used)
{
    Machine& m = q.machine();
    if (const std::optional<DType> type = m.autocast()) {
        q = m.castForAutocast(q, *type);
        k = m.castForAutocast(k, *type);
        v = m.castForAutocast(v, *type);
        if (mask && isFloating(mask.dtype()))
            mask = m.castForAutocast(mask, *type);
    }
    const AutocastScope noneInside(m, std::nullopt);
    const std::int64_t width = q.size(3);
    const bool isSame = q.size(1) == k.size(1);
    const bool isHalfType = isHalf(q.dtype());
    if (isHalfType && !mask && width <= 256 && width == v.size(3) && width % 8 == 0 && (isSame || hasGroups)) {
        *used = SdpaBackend::Flash;
        return flash(q, k, v);
    }
    if (isSame && width % (isHalfType ? 8 : 4) == 0) {
        *used = SdpaBackend::Efficient;
        if (mask && mask.dtype() == DType::Bool) {
            Tensor zeros = pointwise(OpCode::Zeros, q.dtype(), {&mask});
            Tensor hidden = pointwise(OpCode::LogicalNot, DType::Bool, {&mask});
            mask = std::move(zeros);
        }
        if (mask && mask.size(-1) % 16 != 0) {
            // The kernel reads rows of 16: a padded copy, seen without the padding.
            const std::int64_t size = mask.size(-1);
            mask = slice(padLast(mask, roundUpTo(size, 16)), -1, 0, size);
        }
        if (mask)
            mask = expand(mask, {q.size(0), q.size(1), q.size(2), k.size(2)});
        return efficient(q, k, v, mask);
    }
    *used = SdpaBackend::Math;
    return composed(q, k, v, mask, dropoutProbability, isCausal, hasGroups);
}

} // namespace remat::torch
