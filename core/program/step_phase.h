// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string_view>

#include "core/program/program.h"

namespace remat {

/// The parts of a step whose memory is told apart: up to the loss, back from it, and the optimizer's update.
enum class StepPhase { Forward, Backward, Optimizer };
inline constexpr std::size_t kStepPhases = 3;
inline constexpr std::array<StepPhase, kStepPhases> kAllPhases{
    StepPhase::Forward, StepPhase::Backward, StepPhase::Optimizer};

/// "forward", "backward", "optimizer".
std::string_view toName(StepPhase phase);

/// One figure for each phase.
using PhaseBytes = std::array<Bytes, kStepPhases>;

/// Where the phases of a micro-batch begin: instructions below the returned one are forward, those from it on backward.
///
/// Backward begins with the first instruction after the loss is there that is no release, so that what an op no longer
/// needs still counts to the op.  The optimizer step is the last instruction.
int firstBackwardInstruction(const Program& program);

/// The greatest live bytes of each phase, base included, what is alive when it begins included.  O(instructions).
PhaseBytes phasePeaks(const Program& program, const StepTape& tape);

} // namespace remat
