// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "core/torch/machine.h"

/// The ops of the symbolic machine: shapes in, storages out.  Each function does what the PyTorch function of that name
/// does on CUDA: casts under autocast, saves for backward what tools/autograd/derivatives.yaml says, makes its outputs
/// with their real strides, and counts FLOPs as torch.utils.flop_counter does.  Backward formulas stand beside the op
/// that they belong to, as in PyTorch, and are ops again.
namespace remat::torch {

// ---- view_ops.cpp: other looks at the same storage, and the copies where a look does not suffice
Tensor view(const Tensor& x, const Dims& sizes);
/// view where strides allow, else a contiguous copy.
Tensor reshape(const Tensor& x, const Dims& sizes);
/// The same storage as `sizes`, without autograd's base: what matmul gives its product.
Tensor unsafeView(const Tensor& x, const Dims& sizes);
Tensor transpose(const Tensor& x, int a, int b);
Tensor t(const Tensor& matrix);
Tensor expand(const Tensor& x, const Dims& sizes);
Tensor unsqueeze(const Tensor& x, int dim);
Tensor squeeze(const Tensor& x, int dim);
Tensor slice(const Tensor& x, int dim, std::int64_t begin, std::int64_t end, std::int64_t step = 1);
Tensor select(const Tensor& x, int dim, std::int64_t index);
/// Pieces of `size` along `dim`: views with one common node.
std::vector<Tensor> split(const Tensor& x, std::int64_t size, int dim);
/// The same with a size for each piece.
std::vector<Tensor> split(const Tensor& x, const std::vector<std::int64_t>& sizes, int dim);
std::vector<Tensor> unbind(const Tensor& x, int dim);
/// x[..., [i], ...] with a list of one number: a copy, and a whole tensor of zeros twice in backward.
Tensor indexed(const Tensor& x, int dim);
Tensor detach(const Tensor& x);
Tensor contiguous(const Tensor& x);
Tensor clone(const Tensor& x);
/// torch.stack((a, b), -1).
Tensor stackLast(const Tensor& a, const Tensor& b);
/// F.pad of the last dimension to `size`.
Tensor padLast(const Tensor& x, std::int64_t size);
Tensor cat(const std::vector<Tensor>& pieces, int dim);
Tensor to(const Tensor& x, DType type);

// ---- elementwise_ops.cpp
Tensor add(const Tensor& a, const Tensor& b);
Tensor sub(const Tensor& a, const Tensor& b);
Tensor mul(const Tensor& a, const Tensor& b);
Tensor addScalar(const Tensor& x);
Tensor mulScalar(const Tensor& x);
Tensor divScalar(const Tensor& x);
/// x /= number, x *= number, a += b: the storage stays.
Tensor divInPlace(const Tensor& x);
Tensor mulInPlace(const Tensor& x);
Tensor addInPlace(const Tensor& a, const Tensor& b);
Tensor neg(const Tensor& x);
Tensor pow(const Tensor& x);
Tensor rsqrt(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor sigmoid(const Tensor& x);
Tensor relu(const Tensor& x);
Tensor gelu(const Tensor& x);
Tensor silu(const Tensor& x);
/// BLOOM's GeLUFunction: a composition that keeps its input alone.
Tensor bloomGelu(const Tensor& x);
/// where(mask, x, tensor of one number that is there).
Tensor choose(const Tensor& mask, const Tensor& x);
/// where(mask, x, number): the number becomes a tensor first.
Tensor where(const Tensor& mask, const Tensor& x);
/// An op without a gradient: a new tensor of `type` with the operands' broadcast shape.
Tensor pointwise(OpCode op, DType type, std::initializer_list<const Tensor*> operands);

// ---- reduction_ops.cpp
/// mean(-1, keepdim=True).
Tensor meanLast(const Tensor& x);
Tensor sumAll(const Tensor& x);
/// at::sum_to: a broadcast gradient summed back to `sizes`.
Tensor sumTo(const Tensor& x, const Dims& sizes);

// ---- matmul_ops.cpp
Tensor mm(const Tensor& a, const Tensor& b);
Tensor addmm(const Tensor& bias, const Tensor& a, const Tensor& b);
Tensor bmm(const Tensor& a, const Tensor& b);
/// input.baddbmm(a, b, alpha), which PyTorch scales; `input` needs no gradient.
Tensor baddbmm(const Tensor& input, const Tensor& a, const Tensor& b);
/// torch.bmm, which autocast knows.
Tensor batchedMatmul(const Tensor& a, const Tensor& b);
Tensor matmul(const Tensor& a, const Tensor& b);
/// F.linear: weight is (out, in); `bias` may be undefined.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias);
/// F.conv2d without padding, of patches: stride = kernel.
Tensor patchConvolution(const Tensor& image, const Tensor& weight, const Tensor& bias);

// ---- norm_ops.cpp
/// `bias` may be undefined.
Tensor layerNorm(const Tensor& x, const Tensor& weight, const Tensor& bias);
Tensor softmax(const Tensor& x, std::optional<DType> type);
/// aten::_safe_softmax, of the math attention.
Tensor safeSoftmax(const Tensor& x);
/// F.dropout while training.
Tensor dropout(const Tensor& x, double probability);

// ---- lookup_ops.cpp
Tensor embedding(const Tensor& weight, const Tensor& indices);
/// F.cross_entropy(logits [N, V], targets [N]).
Tensor crossEntropy(const Tensor& logits, const Tensor& targets);

// ---- expert_ops.cpp
/// The greatest of each row, and where they were.
struct Chosen {
    Tensor values, indices;
};
Chosen topk(const Tensor& x, std::int64_t count);
/// x /= x.sum(-1, keepdim=True) of a matrix: the storage stays.
Tensor normalizedInPlace(const Tensor& x);
/// x[rows].
Tensor gatherRows(const Tensor& x, const Tensor& rows);
/// x.sum(1) of three dimensions.
Tensor sumSecond(const Tensor& x);
/// F.grouped_mm(rows, matrices.transpose(1, 2), offs=offsets): each row times the matrix of its group.
Tensor groupedMm(const Tensor& rows, const Tensor& matrices, const Tensor& offsets);

// ---- attention_ops.cpp
enum class SdpaBackend : std::uint8_t { None, Flash, Efficient, Math };
/// F.scaled_dot_product_attention of (B, heads, S, D) tensors; `mask` may be undefined.  The kernel is chosen as on
/// sm80: flash for half types without a mask, memory-efficient for equal head counts, else the composition of single
/// ops.
Tensor scaledDotProductAttention(
    Tensor q, Tensor k, Tensor v, Tensor mask, double dropout, bool isCausal, bool hasGroups, SdpaBackend* used);

} // namespace remat::torch
