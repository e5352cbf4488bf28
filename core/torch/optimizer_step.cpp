// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/optimizer_step.h"

namespace remat::torch {

namespace {

constexpr std::int64_t kLeast8Bit = 4096; ///< numbers of a parameter
/// Numbers that share a maximum, since bitsandbytes 0.44 (its pull request 1365); 2048 before.
constexpr std::int64_t k8BitBlock = 256;

Dims withSize(Dims sizes, int fromEnd, std::int64_t size)
{
    sizes[sizes.count() - fromEnd] = size;
    return sizes;
}

void record(Machine& m, Bytes traffic, Bytes temporaries = {})
{
    m.record(OpCode::OptimizerStep, {{}, traffic, temporaries});
}

Tensor made(Machine& m, const Dims& sizes, DType type, Bytes traffic)
{
    Tensor result = m.make(OpCode::OptimizerStep, sizes, type);
    record(m, traffic + result.bytes());
    return result;
}

/// _single_tensor_adafactor: Python's names of the last parameter live until the next one's take them over.
void adafactorStep(Machine& m, const std::vector<Tensor>& parameters)
{
    Tensor rowMean, columnMean, squared, estimate, update;
    for (const Tensor& parameter : parameters) {
        const DType type = parameter.dtype();
        const Bytes bytes = parameter.bytes();
        {
            const Tensor norm = made(m, {}, type, bytes);
        }
        if (parameter.sizes().count() > 1) {
            rowMean = made(m, withSize(parameter.sizes(), 1, 1), type, bytes);
            columnMean = made(m, withSize(parameter.sizes(), 2, 1), type, bytes);
            estimate = made(m, parameter.sizes(), type, {});
            const Tensor mean = made(m, withSize(withSize(parameter.sizes(), 1, 1), 2, 1), type, {});
            record(m, bytes * 2); // divided in place
        } else {
            squared = made(m, parameter.sizes(), type, bytes * 2);
            estimate = made(m, parameter.sizes(), type, bytes);
        }
        update = estimate;
        record(m, bytes * 2); // clamped
        record(m, bytes * 2); // its root
        record(m, bytes * 3); // times the gradient
        {
            const Tensor norm = made(m, {}, type, bytes);
        }
        record(m, bytes * 3); // onto the parameter
    }
}

} // namespace

void makeOptimizerStates(
    Machine& machine, const std::vector<Tensor>& parameters, TorchOptimizer optimizer, std::vector<Tensor>& states)
{
    const auto add = [&](const Dims& sizes, DType type) { states.push_back(machine.state(sizes, type)); };
    for (const Tensor& parameter : parameters) {
        const Dims& sizes = parameter.sizes();
        const DType type = parameter.dtype();
        switch (optimizer) {
        case TorchOptimizer::None:
        case TorchOptimizer::Sgd:
            break;
        case TorchOptimizer::AdamWFused:
            add({}, DType::Float32);
            [[fallthrough]];
        case TorchOptimizer::AdamW:
            add(sizes, type);
            [[fallthrough]];
        case TorchOptimizer::SgdMomentum:
            add(sizes, type);
            break;
        case TorchOptimizer::Adafactor:
            if (sizes.count() > 1) {
                add(withSize(sizes, 1, 1), type);
                add(withSize(sizes, 2, 1), type);
            } else {
                add(sizes, type);
            }
            break;
        case TorchOptimizer::AdamW8Bit: {
            const std::int64_t numbers = parameter.elements();
            for (int moment = 0; moment < 2; ++moment) {
                if (numbers < kLeast8Bit) {
                    add(sizes, DType::Float32);
                } else {
                    add({numbers}, DType::Bool); // a byte each
                    add({(numbers + k8BitBlock - 1) / k8BitBlock}, DType::Float32);
                }
            }
            break;
        }
        }
    }
    if (optimizer == TorchOptimizer::AdamW8Bit)
        for (int table = 0; table < 2; ++table)
            add({256}, DType::Float32);
}

void runOptimizerStep(Machine& machine, const std::vector<Tensor>& parameters, TorchOptimizer optimizer)
{
    Bytes weights, storages;
    std::int64_t numbers = 0;
    for (const Tensor& parameter : parameters) {
        weights += parameter.bytes();
        storages += parameter.impl()->storage->bytes;
        numbers += parameter.elements();
    }
    // Reads and writes of the kernels, in copies of the parameters.
    switch (optimizer) {
    case TorchOptimizer::None:
        break;
    case TorchOptimizer::Sgd: // p += g
        record(machine, weights * 3);
        break;
    case TorchOptimizer::SgdMomentum: // b *= c; b += g; p += b
        record(machine, weights * 8);
        break;
    case TorchOptimizer::AdamW: // p *= c; lerp m; v *= c; v += g g; root; two in place; p += m / root
        record(machine, weights * 20, storages);
        break;
    case TorchOptimizer::AdamWFused: // all of it in one pass
        record(machine, weights * 7);
        break;
    case TorchOptimizer::Adafactor:
        adafactorStep(machine, parameters);
        break;
    case TorchOptimizer::AdamW8Bit: // one pass, moments of a byte
        record(machine, weights * 3 + Bytes{4 * numbers});
        break;
    }
}

} // namespace remat::torch
