// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/chain/stage_script.h"
#include "tests/support/hand_stage.h"

using namespace remat;
using namespace remat::testing;

namespace {

/// "+a 200, up, -scratch 7, up', ...": what comes and goes, ops by name, with ' for a rerun and ~ for a backward.
QString told(const StageTape& tape, const GradientFlow& flow, const std::vector<ScriptStep>& steps)
{
    const auto name = [&](const ScriptSlot& slot) -> std::string {
        const auto index = static_cast<std::size_t>(slot.index);
        switch (slot.kind) {
        case ScriptSlot::Kind::Value:
            return tape.tensors[index].name;
        case ScriptSlot::Kind::DiscardedOutput:
            return tape.tensors[index].name + "!";
        case ScriptSlot::Kind::Gradient:
            return flow.slotNames[index];
        case ScriptSlot::Kind::WeightGradient:
            return "d " + tape.parameters[index].name;
        case ScriptSlot::Kind::Workspace:
            return "scratch";
        case ScriptSlot::Kind::BackwardWorkspace:
            return "~scratch";
        }
        return "";
    };
    QStringList words;
    for (const ScriptStep& step : steps) {
        switch (step.kind) {
        case ScriptStep::Kind::Allocate:
        case ScriptStep::Kind::Release:
            words << QString("%1%2 %3")
                         .arg(step.kind == ScriptStep::Kind::Allocate ? "+" : "-")
                         .arg(QString::fromStdString(name(step.slot)))
                         .arg(step.bytes.value);
            break;
        case ScriptStep::Kind::Move:
            words << "move";
            break;
        case ScriptStep::Kind::Forward:
        case ScriptStep::Kind::Backward:
            words << (step.kind == ScriptStep::Kind::Backward ? "~" : "")
                    + QString::fromStdString(tape.ops[static_cast<std::size_t>(step.op)].name)
                    + (step.isRerun ? "'" : "");
            break;
        }
    }
    return words.join(", ");
}

} // namespace

/// Scripts of the stage of tests/support/hand_stage.h, written down by hand from the rules in the header.
class StageScriptTest : public QObject {
    Q_OBJECT

private slots:
    void everyKeepSetIsScriptedByHand_data()
    {
        QTest::addColumn<int>("keep");
        QTest::addColumn<QString>("forward");
        QTest::addColumn<QString>("backward");
        QTest::addColumn<int>("forwardPeak");
        QTest::addColumn<int>("forwardAfter");
        QTest::addColumn<int>("backwardPeak");
        QTest::addColumn<int>("backwardAfter");
        const QString up = "+a 200, +scratch 7, up, -scratch 7", upAgain = "+a 200, +scratch 7, up', -scratch 7";
        const QString ends = "+d x 100, +d w 30, ~up, -d a 200";
        // The incoming gradient d y (100) is there before the backward and goes in it.
        QTest::newRow("nothing") << 0 << up + ", +b 50, act, -a 200, +y 100, down, -b 50"
                                 << upAgain
                + ", +b 50, act', +d b 50, ~down, -b 50, -d y 100, +d a 200, ~act, -a 200, -d b 50, " + ends
                                 << 250 << 100 << 350 << 30;
        QTest::newRow("up") << 1 << up + ", +b 50, act, +y 100, down, -b 50"
                            << "+b 50, act', +d b 50, ~down, -b 50, -d y 100, +d a 200, ~act, -a 200, -d b 50, " + ends
                            << 350 << 300 << 150 << -170;
        QTest::newRow("act") << 2 << up + ", +b 50, act, -a 200, +y 100, down"
                             << "+d b 50, ~down, -b 50, -d y 100, " + upAgain + ", +d a 200, ~act, -a 200, -d b 50, "
                + ends << 250 << 150
                             << 300 << -20;
        QTest::newRow("all") << 3 << up + ", +b 50, act, +y 100, down"
                             << "+d b 50, ~down, -b 50, -d y 100, +d a 200, ~act, -a 200, -d b 50, " + ends << 350
                             << 350 << 100 << -220;
    }

    void everyKeepSetIsScriptedByHand()
    {
        QFETCH(int, keep);
        QFETCH(QString, forward);
        QFETCH(QString, backward);
        QFETCH(int, forwardPeak);
        QFETCH(int, forwardAfter);
        QFETCH(int, backwardPeak);
        QFETCH(int, backwardAfter);
        const StageTape tape = handStage();
        const GradientFlow flow = gradientFlow(tape);
        const StageScript script = buildStageScript(tape, flow, static_cast<KeepSet>(keep), false);
        QCOMPARE(told(tape, flow, script.forward), forward);
        QCOMPARE(told(tape, flow, script.backward), backward);
        const ScriptBytes there = measure(script.forward), back = measure(script.backward);
        QCOMPARE(there.peak, Bytes{forwardPeak});
        QCOMPARE(there.after, Bytes{forwardAfter});
        QCOMPARE(back.peak, Bytes{backwardPeak});
        QCOMPARE(back.after, Bytes{backwardAfter});
        std::vector<int> saved; // a is tensor 1, b is tensor 2
        for (const int op : {0, 1})
            if (keeps(static_cast<KeepSet>(keep), op))
                saved.push_back(op + 1);
        QCOMPARE(script.savedTensors, saved);
    }

    void residentGradientsAreNotMade()
    {
        const StageTape tape = handStage();
        const GradientFlow flow = gradientFlow(tape);
        const QString backward = told(tape, flow, buildStageScript(tape, flow, 3, true).backward);
        QVERIFY(!backward.contains("d w"));
        QVERIFY(backward.contains("+d x 100, ~up"));
    }

    /// An op whose output nobody reads in backward holds nothing, though it is in the set.
    void keptOutputsThatNobodyReadsAreNotHeld()
    {
        const StageTape tape = handStage();
        const GradientFlow flow = gradientFlow(tape);
        const StageScript with = buildStageScript(tape, flow, 1 | 4, false),
                          without = buildStageScript(tape, flow, 1, false);
        QCOMPARE(told(tape, flow, with.forward), told(tape, flow, without.forward));
        QCOMPARE(told(tape, flow, with.backward), told(tape, flow, without.backward));
    }

    void valuesPassedToTwoBackwardsLiveUntilTheLast()
    {
        // down's backward reads a as well: a rerun of up for act alone would come too late.
        StageTape tape = handStage();
        tape.ops[2].backwardReads = {1, 2};
        const GradientFlow flow = gradientFlow(tape);
        QCOMPARE(told(tape, flow, buildStageScript(tape, flow, 2, false).backward),
            QString("+a 200, +scratch 7, up', -scratch 7, +d b 50, ~down, -b 50, -d y 100, +d a 200, ~act, -a 200, "
                    "-d b 50, +d x 100, +d w 30, ~up, -d a 200"));
    }
};

QTEST_APPLESS_MAIN(StageScriptTest)
#include "stage_script_test.moc"
