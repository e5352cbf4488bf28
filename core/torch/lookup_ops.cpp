// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/ops.h"

namespace remat::torch {

namespace {

/// A dense gradient of the whole table, whatever rows were read.
void embeddingBackward(BackwardCall& call)
{
    Machine& m = call.machine;
    Tensor result = m.make(OpCode::EmbeddingBackward, call.node.dims[0], call.grad().dtype());
    m.record(OpCode::EmbeddingBackward, {{}, call.grad().bytes() * 2 + result.bytes(), {}});
    call.result(0) = std::move(result);
}
/// saved: the result, in the input's type.
void logSoftmaxBackward(BackwardCall& call)
{
    Machine& m = call.machine;
    Tensor result = m.make(OpCode::LogSoftmaxBackward, call.grad().sizes(), call.node.dtype);
    m.record(OpCode::LogSoftmaxBackward, {{}, call.grad().bytes() + call.saved[0].bytes() + result.bytes(), {}});
    call.result(0) = std::move(result);
}
/// saved: the log-probabilities, the targets, the total weight.
void nllBackward(BackwardCall& call)
{
    Machine& m = call.machine;
    const Tensor& input = call.saved[0];
    Tensor result = m.make(OpCode::NllLossBackward, input.sizes(), input.dtype());
    m.record(OpCode::NllLossBackward, {{}, result.bytes(), {}});
    call.result(0) = std::move(result);
}

constexpr NodeKind kEmbedding{"EmbeddingBackward0", embeddingBackward};
constexpr NodeKind kLogSoftmax{"LogSoftmaxBackward0", logSoftmaxBackward};
constexpr NodeKind kNll{"NllLossBackward0", nllBackward};

Tensor logSoftmax(const Tensor& x)
{
    Machine& m = x.machine();
    Ref<Node> node = m.node(kLogSoftmax, {&x});
    if (node)
        node->dtype = x.dtype();
    Tensor result = m.make(OpCode::LogSoftmax, x.sizes(), x.dtype());
    m.record(OpCode::LogSoftmax, {{}, result.bytes() * 2, {}});
    if (node)
        m.saveOutput(*node, result);
    m.attach(node, result);
    return result;
}

} // namespace

Tensor embedding(const Tensor& weight, const Tensor& indices)
{
    Machine& m = weight.machine();
    Ref<Node> node = m.node(kEmbedding, {&weight});
    if (node) {
        node->dims[0] = weight.sizes();
        m.save(*node, indices);
    }
    Dims sizes = indices.sizes();
    sizes.push(weight.size(1));
    Tensor result = m.make(OpCode::Embedding, sizes, weight.dtype());
    m.record(OpCode::Embedding, {{}, result.bytes() * 2 + indices.bytes(), {}}, {&weight, &indices});
    m.attach(node, result);
    return result;
}

Tensor crossEntropy(const Tensor& logits, const Tensor& targets)
{
    Machine& m = logits.machine();
    // cross_entropy names log_softmax's type itself, so that autocast leaves it; nll_loss is in its fp32 list.
    Tensor probabilities = logSoftmax(logits);
    Tensor input = m.autocast() ? m.castForAutocast(probabilities, DType::Float32) : probabilities;
    Ref<Node> node = m.node(kNll, {&input});
    if (node) {
        m.save(*node, input);
        m.save(*node, targets);
    }
    Tensor loss = m.make(OpCode::NllLoss, {}, input.dtype());
    Tensor weight = m.make(OpCode::NllLoss, {}, input.dtype());
    m.record(OpCode::NllLoss, {{}, targets.bytes(), {}});
    if (node)
        m.saveOutput(*node, weight);
    m.attach(node, loss);
    return loss;
}

} // namespace remat::torch
