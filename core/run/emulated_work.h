// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/result.h"
#include "core/plan/plan.h"

namespace remat {

/// About how long a step of a plan takes in the emulator: a product's multiply-add about a nanosecond, every element
/// that a kernel touches as long as it takes to switch to its thread and back.
Nanoseconds emulatedStepTime(const Plan& plan);

/// A run takes a handful of steps; longer ones than this are refused.
inline constexpr Nanoseconds kLongestEmulatedStep{60'000'000'000};

/// Errors: the step is too large for the emulator (exit code 3).
Result<void> checkEmulatedWork(const Plan& plan);

} // namespace remat
