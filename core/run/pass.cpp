// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/pass.h"

#include <algorithm>

#include "core/base/clock.h"
#include "core/base/index.h"
#include "core/program/lowering.h"

namespace remat {

Pass::Pass(const PassSetup& setup, const PassWatch& watch)
    : m_setup(setup),
      m_watch(watch),
      m_program(lower(*setup.plan.step, setup.plan.schedule))
{ }

ExecutorOptions Pass::options()
{
    ExecutorOptions options;
    options.seed = m_setup.seed;
    options.budget = m_setup.budget;
    options.clock = steadyClock;
    options.stop = m_watch.stop;
    options.onRefused = [this](const Refusal& refusal) {
        if (m_watch.onRefused)
            m_watch.onRefused(refusal, placeOf(refusal));
    };
    options.onProgress = [this](int index, int count) {
        if (m_watch.onProgress)
            m_watch.onProgress(m_step, static_cast<double>(index) / static_cast<double>(count),
                describe(m_program.instructions[at(index)]));
    };
    return options;
}

std::string Pass::nameOf(const Instruction& step) const
{
    return tape().stages[at(step.stage)].name + ": " + tape().tapeOf(step.stage).ops[at(step.op)].name;
}

std::string Pass::describe(const Instruction& step) const
{
    const bool isForward = step.kind == Instruction::Kind::Forward;
    return nameOf(step) + (isForward ? step.isRerun ? " again" : " forward" : " backward");
}

/// Buffers are allocated just before the op that writes them, so the next op is the one that they are for.
RefusedAt Pass::placeOf(const Refusal& refusal) const
{
    const auto begin = m_program.instructions.begin() + std::max(0, refusal.instruction);
    const auto op
        = std::find_if(begin, m_program.instructions.end(), [](const Instruction& step) { return step.op >= 0; });
    if (refusal.instruction < 0 || op == m_program.instructions.end())
        return {"preparation", ""};
    const char* phase = op->kind == Instruction::Kind::Backward ? "backward"
        : op->isRerun                                           ? "recomputation"
                                                                : "forward";
    return {phase, nameOf(*op)};
}

} // namespace remat
