// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>
#include <random>

#include "core/chain/keep_options.h"
#include "core/plan/flat_schedule.h"
#include "core/program/lowering.h"
#include "core/program/step_phase.h"
#include "core/program/timeline.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::testing;

/// The peaks of a step's phases.
class StepPhaseTest : public QObject {
    Q_OBJECT

private slots:
    /// By hand: base 100; forward holds 10, then 10 + 30; backward begins with them and 5 more, then lets 30 go; the
    /// optimizer step meets the gradient of 5.
    void handMadeStep()
    {
        using Kind = Instruction::Kind;
        Program program;
        for (const std::int64_t bytes : {10, 30, 5})
            program.buffers.push_back({"", {bytes}});
        const auto step = [](Kind kind, int buffer) { return Instruction{.kind = kind, .buffer = buffer}; };
        program.instructions = {step(Kind::Allocate, 0), step(Kind::Allocate, 1), {.kind = Kind::Forward},
            step(Kind::Release, 0), step(Kind::Allocate, 2), {.kind = Kind::Forward, .isRerun = true},
            {.kind = Kind::Backward}, step(Kind::Release, 1), {.kind = Kind::OptimizerStep}};
        StepTape tape;
        tape.base.weights = {100};
        QCOMPARE(firstBackwardInstruction(program), 4);
        QCOMPARE(phasePeaks(program, tape), (PhaseBytes{Bytes{140}, Bytes{135}, Bytes{105}}));
    }

    /// Over random models: the greatest phase is the dry replay's peak, and what the optimizer meets is base and one
    /// gradient for every weight, which the table of parameters gives.
    void phasesAreThoseOfTheReplay()
    {
        std::mt19937 random(11);
        for (int i = 0; i < 40; ++i) {
            const Variety variety = randomVariety(random);
            const ModelShape shape = randomShape(variety, random);
            const StepTape tape
                = buildStepTape(shape, setupOf(variety, 1 + i % 3, 5 + i % 7), machineTraits(roundCpu()));
            std::vector<KeepSet> keep;
            for (int s = 0; s < static_cast<int>(tape.stages.size()); ++s)
                keep.push_back(keepAll(tape.tapeOf(s)) & random());
            const StepChain step = buildFixedChain(tape, roundCpu(), keep);
            const Program program = lower(step, flatSchedule(step.chain, std::vector<int>(keep.size(), 0)));
            const PhaseBytes peaks = phasePeaks(program, tape);
            QCOMPARE(*std::max_element(peaks.begin(), peaks.end()), replayDry(program, tape).peak);
            Bytes atUpdate = tape.base.total();
            if (!tape.setup.hasGradientsInBase())
                for (const Parameter& parameter : tape.parameters)
                    atUpdate += parameter.bytes;
            QCOMPARE(peaks[2], atUpdate);
        }
    }
};

QTEST_APPLESS_MAIN(StepPhaseTest)
#include "step_phase_test.moc"
