// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/program/step_phase.h"

#include <algorithm>

#include "core/base/index.h"

namespace remat {

using Kind = Instruction::Kind;

std::string_view toName(StepPhase phase)
{
    static constexpr std::array<std::string_view, kStepPhases> kNames{"forward", "backward", "optimizer"};
    return kNames[static_cast<std::size_t>(phase)];
}

int firstBackwardInstruction(const Program& program)
{
    // The head's forward is the last first run of any op: what runs after it runs again.
    int i = 0, lossMade = -1;
    for (const Instruction& step : program.instructions) {
        if (step.kind == Kind::Forward && !step.isRerun)
            lossMade = i;
        ++i;
    }
    i = lossMade + 1;
    while (program.instructions[at(i)].kind == Kind::Release)
        ++i;
    return i;
}

PhaseBytes phasePeaks(const Program& program, const StepTape& tape)
{
    PhaseBytes peaks{};
    const int backward = firstBackwardInstruction(program);
    Bytes live = tape.base.total();
    for (int i = 0; i < static_cast<int>(program.instructions.size()); ++i) {
        const Instruction& step = program.instructions[at(i)];
        const StepPhase phase = step.kind == Kind::OptimizerStep ? StepPhase::Optimizer
            : i >= backward                                      ? StepPhase::Backward
                                                                 : StepPhase::Forward;
        Bytes& peak = peaks[static_cast<std::size_t>(phase)];
        peak = std::max(peak, live);
        if (step.kind == Kind::Allocate)
            live += program.buffers[at(step.buffer)].bytes;
        else if (step.kind == Kind::Release)
            live -= program.buffers[at(step.buffer)].bytes;
        peak = std::max(peak, live);
    }
    return peaks;
}

} // namespace remat
