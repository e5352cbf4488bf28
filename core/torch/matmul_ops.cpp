// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/torch/ops.h"

namespace remat::torch {

namespace {

/// cuBLAS reads a matrix by rows or by columns; one with other strides (a broadcast gradient) is copied inside the
/// kernel (prepare_matrix_for_cublas).
Bytes copyForCublas(const Tensor& x)
{
    const std::int64_t rows = x.size(-2), columns = x.size(-1);
    const std::int64_t row = x.strides().last(1), column = x.strides().last();
    const bool isReadable = (row == 1 && column >= std::max<std::int64_t>(1, rows))
        || (column == 1 && row >= std::max<std::int64_t>(1, columns));
    return isReadable ? Bytes{} : roundUp(x.bytes(), kGranule);
}

/// `bias` may be undefined.
Tensor product(OpCode op, const Tensor& a, const Tensor& b, const Tensor& bias = {})
{
    Dims sizes = a.sizes();
    sizes[sizes.count() - 1] = b.size(-1);
    Machine& m = a.machine();
    Tensor result = m.make(op, sizes, a.dtype());
    m.record(op,
        {Flops{2 * result.elements() * a.size(-1)}, a.bytes() + b.bytes() + result.bytes(),
            copyForCublas(a) + copyForCublas(b)},
        {&a, &b, &bias});
    return result;
}

bool isColumnMajor(const Dims& sizes, const Dims& strides)
{
    return strides[0] == 1 && strides[1] == sizes[0];
}

/// mm_mat1_backward and mm_mat2_backward: the product is made in the layout of the operand, so that the gradient of a
/// transposed weight is a transposed view of a matrix in the weight's own layout.
Tensor firstGradient(const Tensor& grad, const Tensor& second, const Dims& sizes, const Dims& strides)
{
    if (isColumnMajor(sizes, strides))
        return t(mm(second, t(grad)));
    return mm(grad, t(second));
}
Tensor secondGradient(const Tensor& grad, const Tensor& first, const Dims& sizes, const Dims& strides)
{
    if (isColumnMajor(sizes, strides))
        return t(mm(t(grad), first));
    return mm(t(first), grad);
}

/// saved: second (for the first's gradient), then first; dims: the second's sizes and strides; the first is by rows.
void mmBackward(BackwardCall& call)
{
    std::size_t next = 0;
    const Tensor* second = call.needs(0) ? &call.saved[next++] : nullptr;
    const Tensor* first = call.needs(1) ? &call.saved[next++] : nullptr;
    if (first)
        call.result(1) = secondGradient(call.grad(), *first, call.node.dims[0], call.node.dims[1]);
    if (second)
        call.result(0) = firstGradient(call.grad(), *second, call.node.firstSizes, call.node.firstStrides);
}
/// The same with a bias: edges bias, first, second, and the first's gradient is made first.
void addmmBackward(BackwardCall& call)
{
    std::size_t next = 0;
    const Tensor* second = call.needs(1) ? &call.saved[next++] : nullptr;
    const Tensor* first = call.needs(2) ? &call.saved[next++] : nullptr;
    if (second)
        call.result(1) = firstGradient(call.grad(), *second, call.node.firstSizes, call.node.firstStrides);
    if (first)
        call.result(2) = secondGradient(call.grad(), *first, call.node.dims[0], call.node.dims[1]);
    if (call.needs(0))
        call.result(0) = call.grad();
}
void bmmBackward(BackwardCall& call)
{
    std::size_t next = 0;
    const Tensor* second = call.needs(0) ? &call.saved[next++] : nullptr;
    const Tensor* first = call.needs(1) ? &call.saved[next++] : nullptr;
    if (first)
        call.result(1) = bmm(transpose(*first, 1, 2), call.grad());
    if (second)
        call.result(0) = bmm(call.grad(), transpose(*second, 1, 2));
}
/// alpha (grad b^T), alpha (a^T grad).
void baddbmmBackward(BackwardCall& call)
{
    std::size_t next = 0;
    const Tensor* second = call.needs(1) ? &call.saved[next++] : nullptr;
    const Tensor* first = call.needs(2) ? &call.saved[next++] : nullptr;
    if (second) {
        const Tensor product = bmm(call.grad(), transpose(*second, 1, 2));
        call.result(1) = mulScalar(product);
    }
    if (first) {
        const Tensor product = bmm(transpose(*first, 1, 2), call.grad());
        call.result(2) = mulScalar(product);
    }
}
void convolutionBackward(BackwardCall& call)
{
    Machine& m = call.machine;
    const Tensor& grad = call.grad();
    const Tensor& image = call.saved[0];
    const Tensor& weight = call.saved[1];
    Tensor dWeight = m.make(OpCode::ConvolutionBackward, weight.sizes(), weight.dtype());
    Tensor dBias = m.make(OpCode::ConvolutionBackward, {weight.size(0)}, weight.dtype());
    const std::int64_t perOutput = weight.elements() / weight.size(0);
    m.record(OpCode::ConvolutionBackward,
        {Flops{2 * grad.elements() * perOutput}, grad.bytes() + image.bytes() + dWeight.bytes(), {}});
    call.result(1) = std::move(dWeight);
    call.result(2) = std::move(dBias);
}

constexpr NodeKind kMm{"MmBackward0", mmBackward};
constexpr NodeKind kAddmm{"AddmmBackward0", addmmBackward};
constexpr NodeKind kBmm{"BmmBackward0", bmmBackward};
constexpr NodeKind kBaddbmm{"BaddbmmBackward0", baddbmmBackward};
constexpr NodeKind kConvolution{"ConvolutionBackward0", convolutionBackward};

void saveOperands(Machine& m, const Ref<Node>& node, const Tensor& a, const Tensor& b)
{
    if (!node)
        return;
    if (a.requiresGrad())
        m.save(*node, b);
    if (b.requiresGrad())
        m.save(*node, a);
    node->dims[0] = b.sizes();
    node->dims[1] = b.strides();
    node->firstSizes = a.sizes();
    node->firstStrides = a.strides();
}

Dims withLast(const Dims& sizes, std::int64_t last)
{
    Dims result = sizes;
    result[result.count() - 1] = last;
    return result;
}

/// C++ evaluates autocast's casts from the last argument to the first.
struct Casts {
    Tensor first, second, third;
};
Casts forAutocast(const Tensor& first, const Tensor& second, const Tensor& third)
{
    Machine& m = first.machine();
    const std::optional<DType> type = m.autocast();
    if (!type)
        return {first, second, third};
    Casts casts;
    if (third)
        casts.third = m.castForAutocast(third, *type);
    casts.second = m.castForAutocast(second, *type);
    casts.first = m.castForAutocast(first, *type);
    return casts;
}

Tensor plainMatmul(const Tensor& a, const Tensor& b)
{
    const int rank = a.sizes().count();
    if (rank == 2 && b.sizes().count() == 2)
        return mm(a, b);
    if (b.sizes().count() == 2) {
        const Tensor folded = reshape(a, {a.elements() / a.size(-1), a.size(-1)});
        return unsafeView(mm(folded, b), withLast(a.sizes(), b.size(-1)));
    }
    // Batches are broadcast and folded into one; a permuted operand is copied for that.
    Dims batch = a.sizes(), other = b.sizes();
    batch.erase(rank - 1);
    batch.erase(rank - 2);
    other.erase(other.count() - 1);
    other.erase(other.count() - 1);
    batch = broadcast(batch, other);
    const std::int64_t count = elementsOf(batch);
    const auto withMatrix = [&](std::int64_t rows, std::int64_t columns) {
        Dims sizes = batch;
        sizes.push(rows);
        sizes.push(columns);
        return sizes;
    };
    const Tensor first = reshape(expand(a, withMatrix(a.size(-2), a.size(-1))), {count, a.size(-2), a.size(-1)});
    const Tensor second = reshape(expand(b, withMatrix(b.size(-2), b.size(-1))), {count, b.size(-2), b.size(-1)});
    return unsafeView(bmm(first, second), withMatrix(a.size(-2), b.size(-1)));
}

} // namespace

Tensor mm(const Tensor& a, const Tensor& b)
{
    Machine& m = a.machine();
    Ref<Node> node = m.node(kMm, {&a, &b});
    saveOperands(m, node, a, b);
    Tensor result = product(OpCode::Mm, a, b);
    m.attach(node, result);
    return result;
}

Tensor addmm(const Tensor& bias, const Tensor& x, const Tensor& weight)
{
    const Casts c = forAutocast(bias, x, weight);
    Machine& m = x.machine();
    Ref<Node> node = m.node(kAddmm, {&c.first, &c.second, &c.third});
    saveOperands(m, node, c.second, c.third);
    Tensor result = product(OpCode::Addmm, c.second, c.third, c.first);
    m.attach(node, result);
    return result;
}

Tensor bmm(const Tensor& a, const Tensor& b)
{
    Machine& m = a.machine();
    Ref<Node> node = m.node(kBmm, {&a, &b});
    saveOperands(m, node, a, b);
    Tensor result = product(OpCode::Bmm, a, b);
    m.attach(node, result);
    return result;
}

Tensor baddbmm(const Tensor& input, const Tensor& a, const Tensor& b)
{
    const Casts c = forAutocast(input, a, b);
    Machine& m = a.machine();
    Ref<Node> node = m.node(kBaddbmm, {&c.first, &c.second, &c.third});
    saveOperands(m, node, c.second, c.third);
    Tensor result = product(OpCode::Baddbmm, c.second, c.third, c.first);
    m.attach(node, result);
    return result;
}

Tensor batchedMatmul(const Tensor& a, const Tensor& b)
{
    const Casts c = forAutocast(a, b, {});
    return bmm(c.first, c.second);
}

Tensor matmul(const Tensor& a, const Tensor& b)
{
    const Casts c = forAutocast(a, b, {});
    return plainMatmul(c.first, c.second);
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias)
{
    const Casts c = forAutocast(x, weight, bias);
    Machine& m = x.machine();
    const AutocastScope noneInside(m, std::nullopt);
    if (!bias)
        return plainMatmul(c.first, t(c.second));
    if (c.first.sizes().count() == 2)
        return addmm(c.third, c.first, t(c.second));
    const Tensor rows = reshape(c.first, {c.first.elements() / c.first.size(-1), c.first.size(-1)});
    return unsafeView(addmm(c.third, rows, t(c.second)), withLast(c.first.sizes(), c.second.size(0)));
}

Tensor patchConvolution(const Tensor& image, const Tensor& weight, const Tensor& bias)
{
    const Casts c = forAutocast(image, weight, bias);
    Machine& m = image.machine();
    Ref<Node> node = m.node(kConvolution, {&c.first, &c.second, &c.third});
    if (node) {
        m.save(*node, c.first);
        m.save(*node, c.second);
    }
    const Dims sizes{c.first.size(0), weight.size(0), image.size(2) / weight.size(2), image.size(3) / weight.size(3)};
    Tensor result = m.make(OpCode::Convolution, sizes, c.first.dtype());
    const std::int64_t perOutput = weight.elements() / weight.size(0);
    m.record(OpCode::Convolution,
        {Flops{2 * result.elements() * perOutput}, c.first.bytes() + c.second.bytes() + result.bytes(), {}});
    m.attach(node, result);
    return result;
}

} // namespace remat::torch
