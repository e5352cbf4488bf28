// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>

#include "core/plan/study.h"
#include "core/program/lowering.h"
#include "core/program/timeline.h"
#include "tests/support/small_models.h"

using namespace remat;

/// What is alive at an instant.
class TimelineTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsAliveAddsUpToTheLiveBytesOfEveryInstant();
    void thePeakHoldsWhatTheReplaySaw();
    void heldValuesAreThoseThatAForwardKept();
};

namespace {

/// A small model's plan half way between least and most memory, lowered.
struct Lowered {
    Plan plan;
    Program program;
    Timeline timeline;
};

Lowered lowered()
{
    using namespace remat::testing;
    const Variety variety;
    const Study study
        = Study::solve({smallShape(variety, 4, 2, 16, 128, 300, 32), setupOf(variety, 4, 8), roundCpu(), {}}).value();
    Plan plan = study.planAt(study.points().size() / 2);
    Program program = lower(*plan.step, plan.schedule);
    Timeline timeline = replayDry(program, plan.step->tape);
    return {std::move(plan), std::move(program), std::move(timeline)};
}

} // namespace

void TimelineTest::whatIsAliveAddsUpToTheLiveBytesOfEveryInstant()
{
    const Lowered step = lowered();
    const Bytes base = step.plan.step->tape.base.total();
    for (std::size_t i = 0; i < step.program.instructions.size(); ++i) {
        Bytes sum = base;
        for (const AliveBuffer& alive : aliveAfter(step.program, static_cast<int>(i)))
            sum += step.program.buffers[static_cast<std::size_t>(alive.buffer)].bytes;
        // The replay counts as it goes; the list is made from the instructions alone.
        QCOMPARE(sum.value, step.timeline.points[i].live.value);
    }
}

void TimelineTest::thePeakHoldsWhatTheReplaySaw()
{
    const Lowered step = lowered();
    std::vector<int> buffers;
    for (const AliveBuffer& alive : aliveAfter(step.program, step.timeline.peakInstruction))
        buffers.push_back(alive.buffer);
    QCOMPARE(buffers, step.timeline.aliveAtPeak);
}

void TimelineTest::heldValuesAreThoseThatAForwardKept()
{
    const Lowered step = lowered();
    Bytes held;
    for (const AliveBuffer& alive : aliveAfter(step.program, step.timeline.peakInstruction))
        if (alive.isHeld)
            held += step.program.buffers[static_cast<std::size_t>(alive.buffer)].bytes;
    QCOMPARE(held.value, step.timeline.atPeak.saved.value);
}

QTEST_APPLESS_MAIN(TimelineTest)
#include "timeline_test.moc"
