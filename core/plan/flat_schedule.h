// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "core/chain/chain.h"
#include "core/chain/schedule.h"

namespace remat {

/// The schedule that runs every stage forward once, stage i with options[i], and then backward (docs/planner.md,
/// "Flat").
///
/// Outputs are freed as early as a flat schedule can: x_i right after forward(i+1) if neither stage's option reads it
/// in backward, else right after its last reader; x_n at once unless its own option reads it; nothing after the last
/// backward, which ends the step.  Precondition: one valid option index per stage.
Schedule flatSchedule(const Chain& chain, std::span<const int> options);

} // namespace remat
