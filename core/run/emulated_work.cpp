// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/emulated_work.h"

#include "core/cost/op_class.h"
#include "core/cost/roofline.h"

namespace remat {

namespace {

constexpr MessageCode kTooMuch{"emulated-step-too-large",
    REMAT_TR("The emulator computes every GPU thread on this CPU: a step of this plan would take it about {0}."),
    REMAT_TR("Use a tiny model, such as tiny-gpt2, a batch of 1 and a short sequence; or run on the CPU or a GPU.")};

/// A class's share: of FLOPs those of products, else of bytes of memory traffic.
struct Pace {
    double perFlop, perByte;
};

/// Nanoseconds, as `remat profile --machine emulated` measured them on one core of the reference machine with tiny-gpt2
/// in bf16: rough, to tell seconds from hours.  Kernels whose threads wait for each other pay for every switch.
Pace paceOf(OpClass opClass)
{
    switch (opClass) {
    case OpClass::Gemm:
        return {0.6, 0};
    case OpClass::Attention:
    case OpClass::StoredAttention:
        return {6, 0};
    case OpClass::Reduction:
    case OpClass::CrossEntropy:
        return {0, 200};
    default:
        return {0, 4};
    }
}

} // namespace

Nanoseconds emulatedStepTime(const Plan& plan)
{
    const StepTape& tape = plan.step->tape;
    double time = 0;
    for (std::size_t s = 0; s < tape.stages.size(); ++s)
        for (const Op& op : tape.tapeOf(static_cast<int>(s)).ops) {
            const Pace pace = paceOf(classOf(op.kind));
            time += pace.perFlop * static_cast<double>((op.forwardFlops + op.backwardFlops).value)
                + pace.perByte * static_cast<double>((op.forwardBytes + op.backwardBytes).value);
        }
    time *= static_cast<double>(plan.setup().microBatches);
    time += paceOf(OpClass::Optimizer).perByte
        * static_cast<double>(optimizerTraffic(plan.setup().optimizer, tape.base.weights, tape.base.optimizer).value);
    return {time < static_cast<double>(kMaxQuantity) ? static_cast<std::int64_t>(time) : kMaxQuantity};
}

Result<void> checkEmulatedWork(const Plan& plan)
{
    if (const Nanoseconds time = emulatedStepTime(plan); time > kLongestEmulatedStep)
        return Error{&kTooMuch, "", {time}};
    return {};
}

} // namespace remat
