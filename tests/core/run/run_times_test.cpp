// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/run/cpu_machine.h"
#include "core/run/op_clock.h"
#include "core/run/phase_times.h"
#include "core/run/run_times.h"
#include "tests/support/hand_stage.h"

using namespace remat;
using namespace remat::testing;

namespace {

/// Computes nothing; each call takes as long as the test says, by the test's own clock.
class HandMachine : public CpuMachine {
public:
    explicit HandMachine(Nanoseconds& now) : CpuMachine({}), m_now(now) { }
    void forward(const OpRun&) override { m_now += takes; }
    void backward(const OpRun&) override { m_now += takes; }

    Nanoseconds takes;

private:
    Nanoseconds& m_now;
};

/// Two stages of the hand-made kind.
StepTape twoStages()
{
    StepTape tape;
    tape.kinds = {handStage()};
    tape.stages = {{.name = "layer 0"}, {.name = "layer 1"}};
    return tape;
}

Instruction run(Instruction::Kind kind, int stage, std::int64_t time, bool isRerun = false)
{
    return {.kind = kind, .stage = stage, .op = 0, .isRerun = isRerun, .time = {time}};
}

/// Forward of both stages, then stage 1 backward, stage 0 again and backward.
Program handProgram()
{
    using Kind = Instruction::Kind;
    Program program;
    program.instructions = {{.kind = Kind::Allocate}, run(Kind::Forward, 0, 10), run(Kind::Forward, 1, 20),
        {.kind = Kind::Release}, run(Kind::Backward, 1, 30), run(Kind::Forward, 0, 10, true),
        run(Kind::Backward, 0, 40), {.kind = Kind::OptimizerStep}};
    return program;
}

} // namespace

class RunTimesTest : public QObject {
    Q_OBJECT
private slots:
    /// By hand: up's forward takes 5, 1 and 9 ns, its backward 20; act's forward 7; down never runs.
    void opsAreTimedByTheirPlaceInTheTape()
    {
        Nanoseconds now{1000};
        HandMachine machine(now);
        OpClock clock(machine, [&] { return now; });
        const StepTape tape = twoStages();
        const std::vector<Op>& ops = tape.kinds[0].ops;
        const auto forward = [&](const Op& op, std::int64_t time) {
            machine.takes = {time};
            clock.forward({.op = &op});
        };
        for (const std::int64_t time : {5, 1, 9})
            forward(ops[0], time);
        forward(ops[1], 7);
        machine.takes = {20};
        clock.backward({.op = &ops[0]});
        const std::vector<OpTime> expected{
            {"hand", "up", {5}, {20}, 3, 1}, {"hand", "act", {7}, {0}, 1, 0}, {"hand", "down", {0}, {0}, 0, 0}};
        QCOMPARE(opTimesOf(tape, clock), expected);
        // The sums by class, of which rates are made, are those of the same calls.
        QCOMPARE(clock.timeOf(OpClass::Gemm).time, Nanoseconds{5 + 1 + 9 + 20});
        QCOMPARE(clock.timeOf(OpClass::Gemm).ops, std::int64_t{4});
        QCOMPARE(clock.timeOf(OpClass::Activation).time, Nanoseconds{7});

        clock.reset(); // after a step that warms up
        forward(ops[0], 3);
        QCOMPARE(opTimesOf(tape, clock)[0], (OpTime{"hand", "up", {3}, {0}, 1, 0}));
        QCOMPARE(clock.timeOf(OpClass::Activation).ops, std::int64_t{0});
    }

    /// A machine that works after its calls return: moments come from its own stopwatch.  By hand: two micro-batches of
    /// handProgram(), whose ops begin and end at the moments below; the first of all moments is the step's start.
    void pointsGoOntoTheOpClock()
    {
        const Program program = handProgram();
        std::vector<ObservedPoint> points;
        for (int i = 0; i < static_cast<int>(program.instructions.size()); ++i)
            points.push_back({{i}, {64}, i}); // when the calls returned, which says nothing
        std::vector<OpMoment> moments;
        for (const std::int64_t start : {1000, 1010, 1020, 1030, 1040}) // the earlier micro-batch
            moments.push_back({{start}, {start + 5}});
        for (const std::int64_t start : {1100, 1110, 1120, 1130, 1140})
            moments.push_back({{start}, {start + 7}});
        putOnOpClock(program, moments, points);
        std::vector<std::int64_t> times;
        for (const ObservedPoint& point : points)
            times.push_back(point.time.value);
        // Allocate before the first op, the ops, the release between stage 1's forward and backward, the update.
        QCOMPARE(times, (std::vector<std::int64_t>{100, 107, 117, 120, 127, 137, 147, 147}));
    }

    /// What was noted before a machine broke down is no time of what came after.
    void aBrokenStopwatchEndsTheTimes()
    {
        struct Broken : Stopwatch {
            void stamp() override { }
            std::vector<Nanoseconds> take() override { return {{10}, {15}, {20}}; }
        } stopwatch;
        Nanoseconds now;
        HandMachine machine(now);
        OpClock clock(machine, stopwatch);
        const StepTape tape = twoStages();
        for (int i = 0; i < 3; ++i)
            clock.forward({.op = &tape.kinds[0].ops[0]});
        QCOMPARE(clock.runsOf(tape.kinds[0].ops[0]).forward.runs, std::int64_t{1});
    }

    /// Every run counts, so that a mean of alike ops weighs them by their runs; only the samples are bounded.
    void aLongRunKeepsItsFirstSamples()
    {
        Nanoseconds now;
        HandMachine machine(now);
        OpClock clock(machine, [&] { return now; });
        const StepTape tape = twoStages();
        for (std::size_t i = 0; i < 2 * kMostSamples; ++i) {
            machine.takes = {i < kMostSamples ? 1 : 2};
            clock.forward({.op = &tape.kinds[0].ops[0]});
        }
        const OpTime up = opTimesOf(tape, clock)[0];
        QCOMPARE(up.forwards, static_cast<std::int64_t>(2 * kMostSamples));
        QCOMPARE(up.forward, Nanoseconds{1});
    }

    /// The program's own times, added by hand.
    void predictedStagesAddTheProgram()
    {
        const std::vector<StageTime> expected{{{10}, {10}, {40}}, {{20}, {0}, {30}}};
        QCOMPARE(stageTimes(twoStages(), handProgram()), expected);
    }

    /// Points at the end of each instruction: what lies between an op and its predecessor is the op's; allocations are
    /// nobody's.
    void measuredStagesAddTheSteps()
    {
        const std::int64_t ends[] = {5, 17, 40, 41, 75, 86, 130, 131};
        std::vector<ObservedPoint> points;
        points.reserve(8);
        for (int i = 0; i < 8; ++i)
            points.push_back({{ends[i]}, {}, i});
        const std::vector<StageTime> expected{{{12}, {11}, {44}}, {{23}, {0}, {34}}};
        QCOMPARE(stageTimes(twoStages(), handProgram(), points), expected);
    }

    /// Two micro-batches of the stages above, the last of which stands for the head: twice each sum, one optimizer
    /// step.
    void phasesAddTheStages()
    {
        RunReport report;
        report.setup.microBatches = 2;
        QVERIFY(!measuredPhases(report) && !predictedPhases(report)); // of an older version
        report.stages = {{{12}, {11}, {44}}, {{23}, {0}, {34}}};
        report.time.optimizer = {7};
        QCOMPARE(*measuredPhases(report), (PhaseTimes{{24}, {46}, {22}, {156}, {7}}));
        report.predictedStages = {{{10}, {10}, {40}}, {{20}, {0}, {30}}};
        report.time.predicted = Nanoseconds{2 * 110 + 9};
        QCOMPARE(*predictedPhases(report), (PhaseTimes{{20}, {40}, {20}, {140}, {9}}));
    }

    void mediansArePartByPart()
    {
        const std::vector<std::vector<StageTime>> steps{{{{1}, {9}, {5}}}, {{{2}, {8}, {4}}}, {{{9}, {7}, {6}}}};
        QCOMPARE(medianTimes(steps), (std::vector<StageTime>{{{2}, {8}, {5}}}));
        QCOMPARE(medianTimes({}), std::vector<StageTime>{});
    }
};

QTEST_APPLESS_MAIN(RunTimesTest)
#include "run_times_test.moc"
