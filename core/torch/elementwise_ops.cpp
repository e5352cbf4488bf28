// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/ops.h"

namespace remat::torch {

namespace {

/// The output of an elementwise op, recorded.
Tensor output(Machine& m, OpCode op, DType type, std::initializer_list<const Tensor*> operands)
{
    Dims sizes;
    std::array<Operand, 3> shapes{};
    std::size_t count = 0;
    Bytes traffic;
    for (const Tensor* operand : operands) {
        sizes = count == 0 ? operand->sizes() : broadcast(sizes, operand->sizes());
        shapes[count++] = {&operand->sizes(), &operand->strides()};
        traffic += operand->bytes();
    }
    Tensor result = m.make(op, sizes, elementwiseStrides(sizes, {shapes.data(), count}), type);
    m.record(op, {{}, traffic + result.bytes(), {}}, operands);
    return result;
}

/// The type of a binary op: a tensor without dimensions gives way to one of the same category that has some.
DType typeOf(const Tensor& a, const Tensor& b)
{
    const bool sameCategory = isFloating(a.dtype()) == isFloating(b.dtype());
    if (sameCategory && a.sizes().count() == 0 && b.sizes().count() > 0)
        return b.dtype();
    if (sameCategory && b.sizes().count() == 0 && a.sizes().count() > 0)
        return a.dtype();
    return promoted(a.dtype(), b.dtype());
}

void addBackward(BackwardCall& call)
{
    for (int i = 0; i < 2; ++i)
        if (call.needs(i))
            call.result(i) = call.grad();
}
void subBackward(BackwardCall& call)
{
    if (call.needs(1))
        call.result(1) = neg(call.grad());
    if (call.needs(0))
        call.result(0) = call.grad();
}
/// saved: other, then self, each if the other one needs a gradient.
void mulBackward(BackwardCall& call)
{
    std::size_t next = 0;
    const Tensor* other = call.needs(0) ? &call.saved[next++] : nullptr;
    const Tensor* self = call.needs(1) ? &call.saved[next++] : nullptr;
    if (self)
        call.result(1) = mul(call.grad(), *self);
    if (other)
        call.result(0) = mul(call.grad(), *other);
}
void sameBackward(BackwardCall& call)
{
    call.result(0) = call.grad();
}
void scaleBackward(BackwardCall& call)
{
    call.result(0) = mulScalar(call.grad());
}
void divBackward(BackwardCall& call)
{
    call.result(0) = divScalar(call.grad());
}
void negBackward(BackwardCall& call)
{
    call.result(0) = neg(call.grad());
}
/// grad * (exponent * self^(exponent - 1)), one expression: its temporaries live to its end.
void powBackward(BackwardCall& call)
{
    call.result(0) = mul(call.grad(), mulScalar(pow(call.saved[0])));
}
/// -0.5 * grad * result^3.
void rsqrtBackward(BackwardCall& call)
{
    const Tensor cube = pow(call.saved[0]);
    call.result(0) = mul(mulScalar(call.grad()), cube);
}
template <OpCode op> void fusedBackward(BackwardCall& call)
{
    const Tensor& grad = call.grad();
    call.result(0) = output(call.machine, op, grad.dtype(), {&grad, &call.saved[0]});
}
void whereBackward(BackwardCall& call)
{
    call.result(0) = where(call.saved[0], call.grad());
}

/// BLOOM's own backward of its GELU, op by op.
void bloomGeluBackward(BackwardCall& call)
{
    const Tensor& x = call.saved[0];
    Tensor tanhOut;
    {
        const Tensor scaled = mulScalar(x);
        Tensor inner = mulScalar(x);
        inner = mul(inner, x);
        inner = addScalar(inner);
        inner = mul(scaled, inner);
        tanhOut = tanh(inner);
    }
    Tensor factor;
    {
        const Tensor half = mulScalar(x);
        Tensor slope = mul(tanhOut, tanhOut);
        slope = addScalar(slope);
        Tensor inner = mulScalar(x);
        inner = mul(inner, x);
        inner = addScalar(inner);
        slope = mul(slope, inner);
        inner.reset();
        factor = mul(half, slope);
    }
    {
        Tensor rest = addScalar(tanhOut);
        rest = mulScalar(rest);
        factor = add(factor, rest);
    }
    call.result(0) = mul(factor, call.grad());
}

constexpr NodeKind kAdd{"AddBackward0", addBackward};
constexpr NodeKind kSub{"SubBackward0", subBackward};
constexpr NodeKind kMul{"MulBackward0", mulBackward};
constexpr NodeKind kAddScalar{"AddBackward0", sameBackward};
constexpr NodeKind kMulScalar{"MulBackward0", scaleBackward};
constexpr NodeKind kDivScalar{"DivBackward0", divBackward};
constexpr NodeKind kNeg{"NegBackward0", negBackward};
constexpr NodeKind kPow{"PowBackward0", powBackward};
constexpr NodeKind kRsqrt{"RsqrtBackward0", rsqrtBackward};
constexpr NodeKind kTanh{"TanhBackward0", fusedBackward<OpCode::TanhBackward>};
constexpr NodeKind kSigmoid{"SigmoidBackward0", fusedBackward<OpCode::SigmoidBackward>};
constexpr NodeKind kRelu{"ReluBackward0", fusedBackward<OpCode::ThresholdBackward>};
constexpr NodeKind kGelu{"GeluBackward0", fusedBackward<OpCode::GeluBackward>};
constexpr NodeKind kSilu{"SiluBackward0", fusedBackward<OpCode::SiluBackward>};
constexpr NodeKind kBloomGelu{"GeLUFunctionBackward", bloomGeluBackward};
constexpr NodeKind kWhere{"WhereBackward0", whereBackward};

enum class Keeps : std::uint8_t { Nothing, Input, Result };

Tensor unary(const NodeKind& kind, OpCode op, const Tensor& x, Keeps keeps)
{
    Machine& m = x.machine();
    Ref<Node> node = m.node(kind, {&x});
    if (node && keeps == Keeps::Input)
        m.save(*node, x);
    Tensor result = output(m, op, x.dtype(), {&x});
    if (node && keeps == Keeps::Result)
        m.saveOutput(*node, result);
    m.attach(node, result);
    return result;
}

Tensor binary(const NodeKind& kind, OpCode op, const Tensor& a, const Tensor& b)
{
    Machine& m = a.machine();
    Ref<Node> node = m.node(kind, {&a, &b});
    Tensor result = output(m, op, typeOf(a, b), {&a, &b});
    m.attach(node, result);
    return result;
}

/// pow and rsqrt are in autocast's fp32 list.
Tensor inFloat(const Tensor& x)
{
    return x.machine().autocast() ? x.machine().castForAutocast(x, DType::Float32) : x;
}

} // namespace

Tensor add(const Tensor& a, const Tensor& b)
{
    return binary(kAdd, OpCode::Add, a, b);
}

Tensor sub(const Tensor& a, const Tensor& b)
{
    return binary(kSub, OpCode::Sub, a, b);
}

Tensor mul(const Tensor& a, const Tensor& b)
{
    Machine& m = a.machine();
    Ref<Node> node = m.node(kMul, {&a, &b});
    if (node && a.requiresGrad())
        m.save(*node, b);
    if (node && b.requiresGrad())
        m.save(*node, a);
    Tensor result = output(m, OpCode::Mul, typeOf(a, b), {&a, &b});
    m.attach(node, result);
    return result;
}

Tensor addScalar(const Tensor& x)
{
    return unary(kAddScalar, OpCode::Add, x, Keeps::Nothing);
}
Tensor mulScalar(const Tensor& x)
{
    return unary(kMulScalar, OpCode::Mul, x, Keeps::Nothing);
}
Tensor divScalar(const Tensor& x)
{
    return unary(kDivScalar, OpCode::Div, x, Keeps::Nothing);
}
/// The same storage with a new place in the graph.
static Tensor renewed(const Tensor& x, const Ref<Node>& node)
{
    Tensor result = detach(x);
    x.machine().attach(node, result);
    return result;
}
Tensor divInPlace(const Tensor& x)
{
    x.machine().recordWrite(x, {});
    return renewed(x, x.machine().node(kDivScalar, {&x}));
}
Tensor mulInPlace(const Tensor& x)
{
    x.machine().recordWrite(x, {});
    return renewed(x, x.machine().node(kMulScalar, {&x}));
}
Tensor addInPlace(const Tensor& a, const Tensor& b)
{
    a.machine().recordWrite(a, {&b});
    return renewed(a, a.machine().node(kAdd, {&a, &b}));
}
Tensor neg(const Tensor& x)
{
    return unary(kNeg, OpCode::Neg, x, Keeps::Nothing);
}
Tensor pow(const Tensor& x)
{
    return unary(kPow, OpCode::Pow, inFloat(x), Keeps::Input);
}
Tensor rsqrt(const Tensor& x)
{
    return unary(kRsqrt, OpCode::Rsqrt, inFloat(x), Keeps::Result);
}
Tensor tanh(const Tensor& x)
{
    return unary(kTanh, OpCode::Tanh, x, Keeps::Result);
}
Tensor sigmoid(const Tensor& x)
{
    return unary(kSigmoid, OpCode::Sigmoid, x, Keeps::Result);
}
Tensor relu(const Tensor& x)
{
    return unary(kRelu, OpCode::Relu, x, Keeps::Result);
}
Tensor gelu(const Tensor& x)
{
    return unary(kGelu, OpCode::Gelu, x, Keeps::Input);
}
Tensor silu(const Tensor& x)
{
    return unary(kSilu, OpCode::Silu, x, Keeps::Input);
}

Tensor bloomGelu(const Tensor& x)
{
    Machine& m = x.machine();
    Ref<Node> node = m.node(kBloomGelu, {&x});
    Tensor result;
    {
        const GradScope none(m, false);
        const Tensor half = mulScalar(x);
        const Tensor scaled = mulScalar(x);
        Tensor inner = mulScalar(x);
        inner = mul(inner, x);
        inner = addScalar(inner);
        inner = mul(scaled, inner);
        inner = tanh(inner);
        inner = addScalar(inner);
        result = mul(half, inner);
    }
    if (node)
        m.save(*node, x);
    m.attach(node, result);
    return result;
}

Tensor choose(const Tensor& mask, const Tensor& x)
{
    Machine& m = x.machine();
    Ref<Node> node = m.node(kWhere, {&x});
    if (node)
        m.save(*node, mask);
    Tensor result = output(m, OpCode::Where, x.dtype(), {&mask, &x});
    m.attach(node, result);
    return result;
}

Tensor where(const Tensor& mask, const Tensor& x)
{
    Machine& m = x.machine();
    const Tensor number = m.make(OpCode::ScalarTensor, {}, x.dtype());
    m.record(OpCode::ScalarTensor, {});
    return choose(mask, x);
}

Tensor pointwise(OpCode op, DType type, std::initializer_list<const Tensor*> operands)
{
    return output((*operands.begin())->machine(), op, type, operands);
}

} // namespace remat::torch
