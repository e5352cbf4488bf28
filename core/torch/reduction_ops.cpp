// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/ops.h"

namespace remat::torch {

namespace {

Tensor reduced(const Tensor& x, OpCode op, const Dims& sizes, DType type)
{
    Tensor result = x.machine().make(op, sizes, type);
    x.machine().record(op, {{}, x.bytes() + result.bytes(), {}}, {&x});
    return result;
}

void meanBackward(BackwardCall& call)
{
    call.result(0) = divScalar(expand(call.grad(), call.node.dims[0]));
}
void sumBackward(BackwardCall& call)
{
    call.result(0) = expand(call.grad(), call.node.dims[0]);
}

constexpr NodeKind kMean{"MeanBackward1", meanBackward};
constexpr NodeKind kSum{"SumBackward0", sumBackward};

} // namespace

Tensor meanLast(const Tensor& x)
{
    Ref<Node> node = x.machine().node(kMean, {&x});
    if (node)
        node->dims[0] = x.sizes();
    Dims sizes = x.sizes();
    sizes[sizes.count() - 1] = 1;
    Tensor result = reduced(x, OpCode::Mean, sizes, x.dtype());
    x.machine().attach(node, result);
    return result;
}

Tensor sumAll(const Tensor& x)
{
    Ref<Node> node = x.machine().node(kSum, {&x});
    if (node)
        node->dims[0] = x.sizes();
    // In autocast's list of ops that accumulate in fp32: the cast happens inside the kernel.
    Tensor result = reduced(x, OpCode::Sum, {}, x.machine().autocast() ? DType::Float32 : x.dtype());
    x.machine().attach(node, result);
    return result;
}

Tensor sumTo(const Tensor& x, const Dims& sizes)
{
    const int leading = x.sizes().count() - sizes.count();
    Dims kept = x.sizes();
    bool isReduced = leading > 0;
    for (int i = 0; i < kept.count(); ++i) {
        const bool isSummed = i < leading || (sizes[i - leading] == 1 && kept[i] != 1);
        isReduced = isReduced || isSummed;
        if (isSummed)
            kept[i] = 1;
    }
    if (!isReduced)
        return x;
    const Tensor sum = reduced(x, OpCode::Sum, kept, x.dtype());
    return leading > 0 ? view(sum, sizes) : sum;
}

} // namespace remat::torch
