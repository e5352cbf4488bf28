// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/program/instants.h"

#include <utility>

namespace remat {

std::vector<Instant> instantsOf(const Program& program)
{
    std::vector<Instant> instants;
    Instant next;
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        const Instruction& step = program.instructions[i];
        switch (step.kind) {
        case Instruction::Kind::Allocate:
            next.appeared.push_back(step.buffer);
            break;
        case Instruction::Kind::Release:
            // A buffer that came and went between two ops was never seen.
            if (std::erase(next.appeared, step.buffer) == 0)
                next.left.push_back(step.buffer);
            break;
        case Instruction::Kind::Forward:
        case Instruction::Kind::Backward:
        case Instruction::Kind::OptimizerStep:
            next.instruction = static_cast<int>(i);
            instants.push_back(std::exchange(next, {}));
            break;
        }
    }
    return instants;
}

} // namespace remat
