// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/run/executor.h"
#include "core/run/run_passes.h"

namespace remat {

/// The program of a pass and the executor's options that report its progress: what passes on every machine share.
/// `setup` and `watch` must outlive it.
class Pass {
public:
    Pass(const PassSetup& setup, const PassWatch& watch);

    const Program& program() const { return m_program; }
    const StepTape& tape() const { return m_setup.plan.step->tape; }
    void beginStep(std::int64_t step) { m_step = step; }
    ExecutorOptions options();

private:
    std::string nameOf(const Instruction& step) const;
    std::string describe(const Instruction& step) const;
    RefusedAt placeOf(const Refusal& refusal) const;

    const PassSetup& m_setup;
    const PassWatch& m_watch;
    Program m_program;
    std::int64_t m_step = 0;
};

} // namespace remat
