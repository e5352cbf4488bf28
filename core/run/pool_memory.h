// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <optional>

#include "core/base/units.h"
#include "core/program/step_phase.h"

namespace remat {

/// High-water marks of a GPU's memory pool: bytes in use, and bytes taken from the device for it, which are more by
/// what fragments and by what is kept for reuse.
struct PoolPeak {
    Bytes used, reserved;

    bool operator==(const PoolPeak&) const = default;
};

/// What a step took of a GPU, as the pool and the driver counted: figures that no bookkeeping of ours enters.
struct PoolMemory {
    std::array<PoolPeak, kStepPhases> phases; ///< over all micro-batches
    bool isRepeated = false;                  ///< a second step gave the same figures of bytes in use
    std::optional<Bytes> cap;                 ///< more than this the pool does not give
    /// What the driver says that this process holds (NVML), with the context and the library started and the pool still
    /// empty, and after the steps; absent where the driver does not tell, as in containers that hide process numbers.
    std::optional<Bytes> processBefore, processAfter;
    /// By how much the device's free memory shrank between the same two moments; other processes count too.
    std::optional<Bytes> freeShrank;

    /// Of the whole step.
    PoolPeak peak() const;

    bool operator==(const PoolMemory&) const = default;
};

inline PoolPeak PoolMemory::peak() const
{
    PoolPeak most;
    for (const PoolPeak& phase : phases)
        most = {std::max(most.used, phase.used), std::max(most.reserved, phase.reserved)};
    return most;
}

} // namespace remat
