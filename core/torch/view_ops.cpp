// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/ops.h"

namespace remat::torch {

namespace {

int positive(const Tensor& x, int dim)
{
    return dim < 0 ? dim + x.sizes().count() : dim;
}

void reshapeBackward(BackwardCall& call)
{
    call.result(0) = reshape(call.grad(), call.node.dims[0]);
}
void transposeBackward(BackwardCall& call)
{
    call.result(0)
        = transpose(call.grad(), static_cast<int>(call.node.numbers[0]), static_cast<int>(call.node.numbers[1]));
}
void expandBackward(BackwardCall& call)
{
    call.result(0) = sumTo(call.grad(), call.node.dims[0]);
}
void unsqueezeBackward(BackwardCall& call)
{
    call.result(0) = squeeze(call.grad(), static_cast<int>(call.node.numbers[0]));
}
void squeezeBackward(BackwardCall& call)
{
    call.result(0) = unsqueeze(call.grad(), static_cast<int>(call.node.numbers[0]));
}
/// Zeros with the gradient in its place.
Tensor placed(BackwardCall& call, OpCode op)
{
    const Tensor& grad = call.grad();
    Tensor result = call.machine.make(op, call.node.dims[0], grad.dtype());
    call.machine.record(op, {{}, grad.bytes() * 2 + result.bytes(), {}});
    return result;
}
void sliceBackward(BackwardCall& call)
{
    call.result(0) = placed(call, OpCode::SliceBackward);
}
void selectBackward(BackwardCall& call)
{
    call.result(0) = placed(call, OpCode::SelectBackward);
}
/// The pieces' gradients side by side; a piece that nobody used counts as zeros.
void splitBackward(BackwardCall& call)
{
    std::vector<Tensor> pieces;
    for (std::size_t i = 0; i < call.in.size(); ++i) {
        Tensor piece = call.in[i];
        if (!piece) {
            piece = call.machine.make(OpCode::Zeros, call.node.outputs[i].sizes, call.node.outputs[i].dtype);
            call.machine.record(OpCode::Zeros, {{}, piece.bytes(), {}});
        }
        pieces.push_back(std::move(piece));
    }
    call.result(0) = cat(pieces, static_cast<int>(call.node.numbers[0]));
}
void unbindBackward(BackwardCall& call)
{
    std::vector<Tensor> pieces;
    for (const Tensor& piece : call.in)
        pieces.push_back(unsqueeze(piece, static_cast<int>(call.node.numbers[0])));
    Tensor result = cat(pieces, static_cast<int>(call.node.numbers[0]));
    call.result(0) = std::move(result);
}
void catBackward(BackwardCall& call)
{
    const int dim = static_cast<int>(call.node.numbers[0]);
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < call.node.next.size(); ++i) {
        const std::int64_t size = call.node.pieces[i];
        if (call.needs(static_cast<int>(i)))
            call.out[i] = slice(call.grad(), dim, begin, begin + size);
        begin += size;
    }
}
void indexBackward(BackwardCall& call)
{
    const Tensor zeros = call.machine.make(OpCode::Zeros, call.node.dims[0], call.grad().dtype());
    call.machine.record(OpCode::Zeros, {{}, zeros.bytes(), {}});
    call.result(0) = placed(call, OpCode::IndexPut);
}
void stackBackward(BackwardCall& call)
{
    for (int i = 0; i < 2; ++i)
        if (call.needs(i))
            call.result(i) = select(call.grad(), call.grad().sizes().count() - 1, i);
}
void padBackward(BackwardCall& call)
{
    const Tensor part = slice(call.grad(), -1, 0, call.node.numbers[0]);
    Tensor result = call.machine.make(OpCode::Pad, part.sizes(), part.dtype());
    call.machine.record(OpCode::Pad, {{}, result.bytes() * 2, {}});
    call.result(0) = std::move(result);
}
void cloneBackward(BackwardCall& call)
{
    call.result(0) = call.grad();
}
void castBackward(BackwardCall& call)
{
    call.result(0) = to(call.grad(), call.node.dtype);
}

constexpr NodeKind kView{"ViewBackward0", reshapeBackward};
constexpr NodeKind kUnsafeView{"UnsafeViewBackward0", reshapeBackward};
constexpr NodeKind kTranspose{"TransposeBackward0", transposeBackward};
constexpr NodeKind kT{"TBackward0", transposeBackward};
constexpr NodeKind kExpand{"ExpandBackward0", expandBackward};
constexpr NodeKind kUnsqueeze{"UnsqueezeBackward0", unsqueezeBackward};
constexpr NodeKind kSqueeze{"SqueezeBackward1", squeezeBackward};
constexpr NodeKind kSlice{"SliceBackward0", sliceBackward};
constexpr NodeKind kSelect{"SelectBackward0", selectBackward};
constexpr NodeKind kSplit{"SplitBackward0", splitBackward};
constexpr NodeKind kUnbind{"UnbindBackward0", unbindBackward};
constexpr NodeKind kCat{"CatBackward0", catBackward};
constexpr NodeKind kIndex{"IndexBackward0", indexBackward};
constexpr NodeKind kStack{"StackBackward0", stackBackward};
constexpr NodeKind kPad{"ConstantPadNdBackward0", padBackward};
constexpr NodeKind kClone{"CloneBackward0", cloneBackward};
constexpr NodeKind kCast{"ToCopyBackward0", castBackward};

Tensor viewAs(const Tensor& x, const Dims& sizes, const Dims& strides, const Ref<Node>& node)
{
    Tensor result = x.machine().view(x, sizes, strides, true);
    x.machine().attach(node, result);
    return result;
}

Ref<Node> nodeFor(const NodeKind& kind, const Tensor& x)
{
    Ref<Node> node = x.machine().node(kind, {&x});
    if (node)
        node->dims[0] = x.sizes();
    return node;
}

Tensor transposed(const NodeKind& kind, const Tensor& x, int a, int b)
{
    Ref<Node> node = nodeFor(kind, x);
    if (node) {
        node->numbers[0] = a;
        node->numbers[1] = b;
    }
    Dims sizes = x.sizes(), strides = x.strides();
    std::swap(sizes[a], sizes[b]);
    std::swap(strides[a], strides[b]);
    return viewAs(x, sizes, strides, node);
}

} // namespace

Tensor view(const Tensor& x, const Dims& sizes)
{
    const std::optional<Dims> strides = viewStrides(x.sizes(), x.strides(), sizes);
    assert(strides);
    return viewAs(x, sizes, strides.value_or(contiguousStrides(sizes)), nodeFor(kView, x));
}

Tensor reshape(const Tensor& x, const Dims& sizes)
{
    if (const std::optional<Dims> strides = viewStrides(x.sizes(), x.strides(), sizes))
        return viewAs(x, sizes, *strides, nodeFor(kView, x));
    return unsafeView(clone(x), sizes);
}

Tensor unsafeView(const Tensor& x, const Dims& sizes)
{
    Ref<Node> node = nodeFor(kUnsafeView, x);
    Tensor result = x.machine().view(
        x, sizes, viewStrides(x.sizes(), x.strides(), sizes).value_or(contiguousStrides(sizes)), false);
    x.machine().attach(node, result);
    return result;
}

Tensor transpose(const Tensor& x, int a, int b)
{
    return transposed(kTranspose, x, positive(x, a), positive(x, b));
}

Tensor t(const Tensor& matrix)
{
    return transposed(kT, matrix, 0, 1);
}

Tensor expand(const Tensor& x, const Dims& sizes)
{
    Dims strides = sizes;
    const int shift = sizes.count() - x.sizes().count();
    for (int i = 0; i < sizes.count(); ++i) {
        const bool isOwn = i >= shift && (x.sizes()[i - shift] != 1 || sizes[i] == 1);
        strides[i] = isOwn ? x.strides()[i - shift] : 0;
    }
    return viewAs(x, sizes, strides, nodeFor(kExpand, x));
}

Tensor unsqueeze(const Tensor& x, int dim)
{
    const int at = dim < 0 ? dim + x.sizes().count() + 1 : dim;
    Ref<Node> node = nodeFor(kUnsqueeze, x);
    if (node)
        node->numbers[0] = at;
    Dims sizes = x.sizes(), strides = x.strides();
    strides.insert(at, at < x.sizes().count() ? sizes[at] * strides[at] : 1);
    sizes.insert(at, 1);
    return viewAs(x, sizes, strides, node);
}

Tensor squeeze(const Tensor& x, int dim)
{
    const int at = positive(x, dim);
    if (x.sizes()[at] != 1)
        return x;
    Ref<Node> node = nodeFor(kSqueeze, x);
    if (node)
        node->numbers[0] = at;
    Dims sizes = x.sizes(), strides = x.strides();
    sizes.erase(at);
    strides.erase(at);
    return viewAs(x, sizes, strides, node);
}

Tensor slice(const Tensor& x, int dim, std::int64_t begin, std::int64_t end, std::int64_t step)
{
    Ref<Node> node = nodeFor(kSlice, x);
    Dims sizes = x.sizes();
    sizes[positive(x, dim)] = (end - begin + step - 1) / step;
    Dims strides = x.strides();
    strides[positive(x, dim)] *= step;
    return viewAs(x, sizes, strides, node);
}

Tensor select(const Tensor& x, int dim, std::int64_t)
{
    const int at = positive(x, dim);
    Ref<Node> node = nodeFor(kSelect, x);
    Dims sizes = x.sizes(), strides = x.strides();
    sizes.erase(at);
    strides.erase(at);
    return viewAs(x, sizes, strides, node);
}

std::vector<Tensor> split(const Tensor& x, std::int64_t size, int dim)
{
    std::vector<std::int64_t> sizes;
    for (std::int64_t left = x.size(dim); left > 0; left -= size)
        sizes.push_back(std::min(left, size));
    return split(x, sizes, dim);
}

std::vector<Tensor> split(const Tensor& x, const std::vector<std::int64_t>& sizes, int dim)
{
    const int at = positive(x, dim);
    Ref<Node> node = nodeFor(kSplit, x);
    if (node)
        node->numbers[0] = at;
    std::vector<Tensor> pieces;
    for (const std::int64_t size : sizes) {
        Dims piece = x.sizes();
        piece[at] = size;
        pieces.push_back(viewAs(x, piece, x.strides(), node));
    }
    return pieces;
}

std::vector<Tensor> unbind(const Tensor& x, int dim)
{
    const int at = positive(x, dim);
    Ref<Node> node = nodeFor(kUnbind, x);
    if (node)
        node->numbers[0] = at;
    Dims sizes = x.sizes(), strides = x.strides();
    sizes.erase(at);
    strides.erase(at);
    std::vector<Tensor> pieces;
    for (std::int64_t i = 0; i < x.size(at); ++i)
        pieces.push_back(viewAs(x, sizes, strides, node));
    return pieces;
}

Tensor indexed(const Tensor& x, int dim)
{
    Machine& m = x.machine();
    const int at = positive(x, dim);
    const Tensor number = m.make(OpCode::ToCopy, {1}, DType::Int64);
    m.record(OpCode::ToCopy, {});
    Ref<Node> node = nodeFor(kIndex, x);
    if (node)
        m.save(*node, number);
    Dims sizes = x.sizes();
    sizes[at] = 1;
    Tensor result = m.make(OpCode::Index, sizes, x.dtype());
    m.record(OpCode::Index, {{}, result.bytes() * 2, {}}, {&x, &number});
    m.attach(node, result);
    return result;
}

Tensor detach(const Tensor& x)
{
    return x.machine().view(x, x.sizes(), x.strides(), false);
}

Tensor contiguous(const Tensor& x)
{
    return x.isContiguous() ? x : clone(x);
}

Tensor clone(const Tensor& x)
{
    Ref<Node> node = nodeFor(kClone, x);
    Tensor result = x.machine().make(OpCode::Clone, x.sizes(), x.dtype());
    x.machine().record(OpCode::Clone, {{}, result.bytes() * 2, {}}, {&x});
    x.machine().attach(node, result);
    return result;
}

Tensor stackLast(const Tensor& a, const Tensor& b)
{
    Machine& m = a.machine();
    Ref<Node> node = m.node(kStack, {&a, &b});
    Dims sizes = a.sizes();
    sizes.push(2);
    Tensor result = m.make(OpCode::Stack, sizes, a.dtype());
    m.record(OpCode::Stack, {{}, result.bytes() * 2, {}}, {&a, &b});
    m.attach(node, result);
    return result;
}

Tensor padLast(const Tensor& x, std::int64_t size)
{
    Ref<Node> node = nodeFor(kPad, x);
    if (node)
        node->numbers[0] = x.size(-1);
    Dims sizes = x.sizes();
    sizes[sizes.count() - 1] = size;
    Tensor result = x.machine().make(OpCode::Pad, sizes, x.dtype());
    x.machine().record(OpCode::Pad, {{}, result.bytes() * 2, {}}, {&x});
    x.machine().attach(node, result);
    return result;
}

Tensor cat(const std::vector<Tensor>& pieces, int dim)
{
    Machine& m = pieces.front().machine();
    DType type = pieces.front().dtype();
    for (const Tensor& piece : pieces)
        type = promoted(type, piece.dtype());
    const int at = positive(pieces.front(), dim);
    Ref<Node> node = m.node(kCat, pieces);
    Dims sizes = pieces.front().sizes();
    sizes[at] = 0;
    for (const Tensor& piece : pieces)
        sizes[at] += piece.size(at);
    if (node) {
        node->numbers[0] = at;
        for (const Tensor& piece : pieces)
            node->pieces.push_back(piece.size(at));
    }
    Tensor result = m.make(OpCode::Cat, sizes, type);
    m.record(OpCode::Cat, {{}, result.bytes() * 2, {}}, pieces);
    m.attach(node, result);
    return result;
}

Tensor to(const Tensor& x, DType type)
{
    if (x.dtype() == type)
        return x;
    Machine& m = x.machine();
    Ref<Node> node = m.node(kCast, {&x});
    if (node)
        node->dtype = x.dtype();
    const Operand operand{&x.sizes(), &x.strides()};
    const Dims strides = isDense(x.sizes(), x.strides()) ? x.strides() : elementwiseStrides(x.sizes(), {&operand, 1});
    Tensor result = m.make(OpCode::ToCopy, x.sizes(), strides, type);
    const Storage* source = x.impl()->storage.get();
    if (source && source->kind == StorageKind::Parameter && result.impl()->storage)
        result.impl()->storage->kind = StorageKind::WeightCast;
    m.record(OpCode::ToCopy, {{}, x.bytes() + result.bytes(), {}}, {&x});
    m.attach(node, result);
    return result;
}

} // namespace remat::torch
