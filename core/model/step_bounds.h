// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "core/base/units.h"
#include "core/model/model_shape.h"
#include "core/model/training_setup.h"

namespace remat {

/// The slowest device that the program describes; device files below it are refused (core/cost/device_json.h).  With
/// these, a bound on FLOPs and bytes is a bound on nanoseconds.
inline constexpr double kSlowestFlopsPerSecond = 1e8;
inline constexpr double kSlowestBytesPerSecond = 1e8;
inline constexpr Nanoseconds kLongestLaunch{1'000'000};

/// What no step of this shape and setup can pass, whatever is kept, recomputed or rounded.
struct StepBounds {
    Bytes memory;     ///< everything the step ever allocates, added up as if nothing were freed
    Flops flops;      ///< matrix products and elementwise work of all micro-batches
    Nanoseconds time; ///< on the slowest device
};

/// Generous closed forms, for refusing what could overflow and never for showing: with N = B*T rows, P parameters,
/// heads A = HD wide together, and K micro-batches
///
///   memory = 40 P + 4 L (64 NC + 32 NA + 24 NF + 8 BHT^2 + 16 NH) + 4 (6 NV + 16 NC) + rounding
///   block  = N (8CA + 6CF) + 4 BT^2A + 64 NC + 32 NA + 48 NF + 32 BHT^2
///   flops  = 8 K (L block + 2 NVC + 2 NC^2 + 64 NV + 64 NC) + 64 P
///   time   = 10 flops + 10 * 16 K memory + launches                    (10 ns per FLOP or byte at 1e8 a second)
///
/// where F counts once for each expert that a token has, embeddings once more for tables of another width, and a
/// decoder's layer as two.
///
/// The products of the FLOPs are those of one forward (Korthikanti et al. 2022, section 5); 8 stands for forward, twice
/// for backward, half for blocked attention's own recomputation, one rerun, and room.  Stored scores are always
/// counted. Empty when a sum passes kMaxQuantity.  The sizes must be positive.
std::optional<StepBounds> stepBounds(const ModelShape& shape, const TrainingSetup& setup);

} // namespace remat
