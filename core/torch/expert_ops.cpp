// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/ops.h"

namespace remat::torch {

namespace {

/// Zeros of the whole input, and a copy of them with the gradient in its rows.
void gatherRowsBackward(BackwardCall& call)
{
    const auto whole = [&call](OpCode op) {
        Tensor result = call.machine.make(op, call.node.dims[0], call.grad().dtype());
        call.machine.record(op, {{}, call.grad().bytes() * 2 + result.bytes(), {}});
        return result;
    };
    const Tensor zeros = whole(OpCode::Zeros);
    call.result(0) = whole(OpCode::IndexPut);
}
/// The same with scatter.
void topkBackward(BackwardCall& call)
{
    const auto whole = [&call](OpCode op) {
        Tensor result = call.machine.make(op, call.node.dims[0], call.grad().dtype());
        call.machine.record(op, {{}, result.bytes() * 2, {}});
        return result;
    };
    const Tensor zeros = whole(OpCode::Zeros);
    call.result(0) = whole(OpCode::Scatter);
}
/// saved: other, then self.  -grad * ((self / other) / other) in one expression, then grad / other.
void divTensorBackward(BackwardCall& call)
{
    const Tensor &other = call.saved[0], &self = call.saved[1];
    {
        const Tensor quotient = pointwise(OpCode::Div, self.dtype(), {&self, &other});
        const Tensor second = pointwise(OpCode::Div, self.dtype(), {&quotient, &other});
        const Tensor negated = pointwise(OpCode::Neg, self.dtype(), {&call.grad()});
        call.result(1) = pointwise(OpCode::Mul, self.dtype(), {&negated, &second});
    }
    call.result(0) = pointwise(OpCode::Div, self.dtype(), {&call.grad(), &other});
}
/// Of a sum over the last dimension that keeps it.
void sumLastBackward(BackwardCall& call)
{
    call.result(0) = expand(call.grad(), call.node.dims[0]);
}
void sumSecondBackward(BackwardCall& call)
{
    call.result(0) = expand(unsqueeze(call.grad(), 1), call.node.dims[0]);
}
Tensor grouped(const Tensor& a, const Tensor& b, const Dims& sizes, std::int64_t width)
{
    Machine& m = a.machine();
    Tensor result = m.make(OpCode::GroupedMm, sizes, a.dtype());
    m.record(OpCode::GroupedMm, {Flops{2 * a.size(0) * a.size(1) * width}, a.bytes() + b.bytes() + result.bytes(), {}});
    return result;
}
/// saved: rows, matrices, offsets.  The matrices' gradient comes first, in the layout that they have under their
/// transposed view.
void groupedBackward(BackwardCall& call)
{
    const Tensor &rows = call.saved[0], &matrices = call.saved[1];
    const std::int64_t in = rows.size(1), out = call.grad().size(1);
    call.result(1) = transpose(grouped(rows, call.grad(), {matrices.size(0), out, in}, out), 1, 2);
    call.result(0) = grouped(call.grad(), matrices, rows.sizes(), in);
}

constexpr NodeKind kGatherRows{"IndexBackward0", gatherRowsBackward};
constexpr NodeKind kTopk{"TopkBackward0", topkBackward};
constexpr NodeKind kDivTensor{"DivBackward0", divTensorBackward};
constexpr NodeKind kSumLast{"SumBackward1", sumLastBackward};
constexpr NodeKind kSumSecond{"SumBackward1", sumSecondBackward};
constexpr NodeKind kGrouped{"GroupedMmBackward0", groupedBackward};

Tensor summed(const Tensor& x, const NodeKind& kind, const Dims& sizes)
{
    Machine& m = x.machine();
    Ref<Node> node = m.node(kind, {&x});
    if (node)
        node->dims[0] = x.sizes();
    Tensor result = m.make(OpCode::Sum, sizes, x.dtype());
    m.record(OpCode::Sum, {{}, x.bytes() + result.bytes(), {}});
    m.attach(node, result);
    return result;
}

} // namespace

Chosen topk(const Tensor& x, std::int64_t count)
{
    Machine& m = x.machine();
    Ref<Node> node = m.node(kTopk, {&x});
    if (node)
        node->dims[0] = x.sizes();
    const Dims sizes{x.size(0), count};
    Chosen chosen{m.make(OpCode::Topk, sizes, x.dtype()), m.make(OpCode::Topk, sizes, DType::Int64)};
    m.record(OpCode::Topk, {{}, x.bytes(), {}});
    if (node)
        m.saveOutput(*node, chosen.indices);
    m.attach(node, chosen.values);
    return chosen;
}

Tensor normalizedInPlace(const Tensor& x)
{
    Machine& m = x.machine();
    const Tensor sum = summed(x, kSumLast, {x.size(0), 1});
    Ref<Node> node = m.node(kDivTensor, {&x, &sum});
    if (node) {
        m.save(*node, sum);
        // What is written over is saved as a copy.
        const Tensor copy = m.make(OpCode::Clone, x.sizes(), x.dtype());
        m.record(OpCode::Clone, {{}, copy.bytes() * 2, {}});
        m.save(*node, copy);
    }
    Tensor result = detach(x);
    m.attach(node, result);
    return result;
}

Tensor gatherRows(const Tensor& x, const Tensor& rows)
{
    Machine& m = x.machine();
    Ref<Node> node = m.node(kGatherRows, {&x});
    if (node) {
        node->dims[0] = x.sizes();
        m.save(*node, rows);
    }
    Dims sizes = x.sizes();
    sizes[0] = rows.size(0);
    Tensor result = m.make(OpCode::Index, sizes, x.dtype());
    m.record(OpCode::Index, {{}, result.bytes() * 2 + rows.bytes(), {}});
    m.attach(node, result);
    return result;
}

Tensor sumSecond(const Tensor& x)
{
    return summed(x, kSumSecond, {x.size(0), x.size(2)});
}

Tensor groupedMm(const Tensor& rows, const Tensor& matrices, const Tensor& offsets)
{
    Machine& m = rows.machine();
    const Tensor turned = transpose(matrices, 1, 2);
    Ref<Node> node = m.node(kGrouped, {&rows, &turned});
    if (node) {
        m.save(*node, rows);
        m.save(*node, turned);
        m.save(*node, offsets);
    }
    Tensor result = grouped(rows, turned, {rows.size(0), turned.size(2)}, turned.size(2));
    m.attach(node, result);
    return result;
}

} // namespace remat::torch
