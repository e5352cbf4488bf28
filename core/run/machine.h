// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tape/machine_traits.h"
#include "core/tape/step_tape.h"

namespace remat {

/// Where a gradient goes.
struct GradientTarget {
    std::byte* data = nullptr; ///< null: this op does not write it
    bool accumulates = false;
};

/// Bytes of fp32 numbers as such; from a machine's memory, hence aligned.
inline std::span<const float> asFloats(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

/// One op with its operands in the machine's memory; lists are parallel to those of OpCall.  Values, weights and
/// gradients are numbers of the type `storage`; statistics and the loss are fp32, token ids 32-bit integers.
struct OpRun {
    const Op* op = nullptr;
    ElementType storage = ElementType::Fp32;
    std::uint64_t randomSeed = 0;   ///< of this step and micro-batch
    std::uint64_t randomStream = 0; ///< of this stage and op
    float lossScale = 1.0F;         ///< 1 / micro-batches
    const std::int32_t* tokens = nullptr;
    const std::int32_t* targets = nullptr;
    std::vector<const std::byte*> reads;
    std::vector<std::byte*> writes;
    std::vector<const std::byte*> backwardReads;
    std::vector<const std::byte*> gradientsIn;
    std::vector<GradientTarget> gradientsOut;
    std::vector<const std::byte*> parameters;
    std::vector<GradientTarget> weightGradients;
    std::byte* workspace = nullptr;
};

/// One weight at the optimizer step; moments and the master copy, all fp32, are null where the optimizer has none.
struct ParameterUpdate {
    const Parameter* parameter = nullptr;
    ElementType storage = ElementType::Fp32; ///< of weight and gradient
    std::byte* weight = nullptr;
    const std::byte* gradient = nullptr;
    float* momentum = nullptr;
    float* variance = nullptr;
    float* master = nullptr; ///< updated in the weight's place; the weight becomes its rounding
};

/// What really runs a program's instructions.  The dry machine is core/program/timeline.h.
///
/// Every pointer is aligned to 64 bytes.  Same calls, same bits.  Not thread safe; ops run one after another, and may
/// still be under way when a call returns: finish() waits for them.
class Machine {
public:
    virtual ~Machine() = default;
    virtual std::string name() const = 0;
    virtual MachineTraits traits() const = 0;

    /// Errors: out of memory (exit 10).
    virtual Result<std::byte*> allocate(Bytes bytes) = 0;
    virtual void release(std::byte* data, Bytes bytes) = 0;
    /// Scratch of traits().residentWorkspace bytes, given once before the first op and valid until the machine's end.
    virtual void useWorkspace(std::byte* data) = 0;

    virtual void forward(const OpRun& run) = 0;
    virtual void backward(const OpRun& run) = 0;
    virtual void update(OptimizerKind kind, std::int64_t step, const ParameterUpdate& update) = 0;

    /// A weight at its start; `master` (or null) becomes its fp32 copy.
    virtual void initialize(const Parameter& parameter, ElementType storage, std::uint64_t seed, std::uint64_t stream,
        std::byte* data, float* master)
        = 0;
    virtual void fillZero(Bytes bytes, std::byte* data) = 0;
    virtual void drawTokens(
        std::uint64_t seed, std::uint64_t stream, std::int64_t count, std::int64_t vocabulary, std::int32_t* out)
        = 0;

    /// Waits until all that was asked for is done.  Errors: what an op since the last call met (exit 11).
    virtual Result<void> finish() = 0;
    /// The bytes as the host reads them, after all ops so far: where they lie, or a copy in `room`.
    virtual Result<std::span<const std::byte>> onHost(std::span<const std::byte> data, std::vector<std::byte>& room)
        = 0;
};

} // namespace remat
