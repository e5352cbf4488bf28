// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/plan/plan.h"

namespace remat {

/// The strategy rotor-500: rotor as published (core/plan/rotor_500.h, with its source) on the step's stages, each of
/// which keeps everything or runs forward again as a whole; what pins forbid to keep is made again in the backward.
/// The plan's peak is that of its replay.  It may pass the budget by the 499 bytes that rounding to slots can hide, and
/// is often far below it: each size is rounded up to slots, and all weight gradients count from the start.
///
/// Errors: no budget (exit 2); more than 256 stages (exit 3); it finds no schedule (exit 4), though another planner
/// may.
Result<Plan> rotorPlan(
    const StepTape& tape, const Device& device, const std::vector<KeepRule>& rules, std::optional<Bytes> budget);

} // namespace remat
