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
    float* data = nullptr; ///< null: this op does not write it
    bool accumulates = false;
};

/// One op with its operands in memory; lists are parallel to those of OpCall.
struct OpRun {
    const Op* op = nullptr;
    std::uint64_t randomSeed = 0;   ///< of this step and micro-batch
    std::uint64_t randomStream = 0; ///< of this stage and op
    float lossScale = 1.0F;         ///< 1 / micro-batches
    const std::int32_t* tokens = nullptr;
    const std::int32_t* targets = nullptr;
    std::vector<const float*> reads;
    std::vector<float*> writes;
    std::vector<const float*> backwardReads;
    std::vector<const float*> gradientsIn;
    std::vector<GradientTarget> gradientsOut;
    std::vector<const float*> parameters;
    std::vector<GradientTarget> weightGradients;
    float* workspace = nullptr;
};

/// One weight at the optimizer step; moments are null where the optimizer has none.
struct ParameterUpdate {
    const Parameter* parameter = nullptr;
    float* weight = nullptr;
    const float* gradient = nullptr;
    float* momentum = nullptr;
    float* variance = nullptr;
};

/// What really runs a program's instructions.  The dry machine is core/program/timeline.h.
///
/// Every pointer is aligned to 64 bytes.  Same calls, same bits.  Not thread safe; ops run one after another.
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

    virtual void initialize(const Parameter& parameter, std::uint64_t seed, std::uint64_t stream, float* data) = 0;
    virtual void fillZero(Bytes bytes, float* data) = 0;
    virtual void drawTokens(
        std::uint64_t seed, std::uint64_t stream, std::int64_t count, std::int64_t vocabulary, std::int32_t* out)
        = 0;
};

} // namespace remat
