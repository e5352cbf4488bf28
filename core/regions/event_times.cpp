// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/event_times.h"

#include <algorithm>

#include "core/cost/framework_time.h"

namespace remat {

namespace {

using torch::Event;
using torch::OpCode;
using torch::Phase;

OpClass classOf(OpCode op)
{
    switch (op) {
    case OpCode::Mm:
    case OpCode::Addmm:
    case OpCode::Convolution:
    case OpCode::ConvolutionBackward:
        return OpClass::Gemm;
    case OpCode::Bmm:
    case OpCode::Baddbmm:
    case OpCode::Softmax:
    case OpCode::SafeSoftmax:
    case OpCode::SoftmaxBackward:
        return OpClass::StoredAttention;
    case OpCode::FlashAttention:
    case OpCode::FlashAttentionBackward:
    case OpCode::EfficientAttention:
    case OpCode::EfficientAttentionBackward:
        return OpClass::Attention;
    case OpCode::LayerNorm:
    case OpCode::LayerNormBackward:
    case OpCode::Mean:
    case OpCode::Sum:
        return OpClass::Reduction;
    case OpCode::LogSoftmax:
    case OpCode::LogSoftmaxBackward:
    case OpCode::NllLoss:
    case OpCode::NllLossBackward:
        return OpClass::CrossEntropy;
    case OpCode::Dropout:
    case OpCode::DropoutBackward:
        return OpClass::Dropout;
    case OpCode::Gelu:
    case OpCode::GeluBackward:
    case OpCode::Silu:
    case OpCode::SiluBackward:
    case OpCode::Tanh:
    case OpCode::TanhBackward:
    case OpCode::Sigmoid:
    case OpCode::SigmoidBackward:
        return OpClass::Activation;
    case OpCode::Embedding:
    case OpCode::EmbeddingBackward:
    case OpCode::Gather:
        return OpClass::Embedding;
    case OpCode::OptimizerStep:
        return OpClass::Optimizer;
    default:
        return OpClass::Elementwise;
    }
}

} // namespace

Device atPrecision(Device device, const torch::TorchSetup& setup)
{
    if (setup.precision != torch::TorchPrecision::Fp32) {
        const double half = setup.half == torch::DType::BFloat16 ? device.peak.bf16 : device.peak.fp16;
        // A device without such units computes in fp32.
        if (half > 0)
            device.peak.fp32 = half;
    }
    return device;
}

Nanoseconds timeOf(const Event& event, const Device& device)
{
    return frameworkTime(device, classOf(event.op), event.flops, event.traffic);
}

StepTimes timesOf(const torch::TorchStep& step, const torch::TorchSetup& setup, const Device& device)
{
    const Device rated = atPrecision(device, setup);
    StepTimes times;
    for (const Event& event : step.events) {
        const Nanoseconds time = timeOf(event, rated);
        switch (event.phase) {
        case Phase::Forward:
            times.forward += time;
            break;
        case Phase::Backward:
            times.backward += time;
            break;
        case Phase::Recompute:
            times.recompute += time;
            break;
        case Phase::Optimizer:
            times.optimizer += time;
            break;
        }
    }
    const std::int64_t microBatches = std::max<std::int64_t>(setup.microBatches, 1);
    for (Nanoseconds* time : {&times.forward, &times.backward, &times.recompute})
        time->value /= microBatches;
    return times;
}

} // namespace remat
