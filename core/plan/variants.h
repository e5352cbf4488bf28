// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/cost/device.h"
#include "core/tape/step_tape.h"

namespace remat {

/// The setups among which the planner may choose: the setup itself and, where it says --variants auto in the runtime
/// profile, both attention kinds with the head whole or in 4, 16 or 64 chunks.
std::vector<TrainingSetup> variantsOf(const TrainingSetup& setup);

/// The zero of every extra time: what one micro-batch takes that recomputes nothing, pins aside.  Of the variants that
/// the tape's setup leaves open, the fastest counts: it is what an unlimited budget buys.
Nanoseconds keepAllTime(const StepTape& tape, const Device& device);

} // namespace remat
