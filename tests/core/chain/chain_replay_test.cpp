// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/chain_replay.h"

#include <QtTest/QTest>

#include "core/base/units.h"

using namespace remat;
using namespace remat::literals;
using Kind = ScheduleOp::Kind;

Q_DECLARE_METATYPE(remat::Schedule)

namespace {

constexpr int kNone = ScheduleOp::kNoOption;

/// Two stages, the first with two options.
Chain example()
{
    Chain chain;
    chain.baseBytes = 1000_B;
    Stage layer{"layer 0", "", 100_B, 100_B, 40_B, 10_ns, 20_B, {}};
    layer.options.push_back({"all", 300_B, true, false, 0_B, 20_ns, 250_B, 0});
    layer.options.push_back({"lean", 120_B, true, false, 90_B, 24_ns, 430_B, 2});
    Stage loss{"loss", "", 4_B, 0_B, 0_B, 3_ns, 0_B, {}};
    loss.options.push_back({"all", 50_B, true, false, 0_B, 6_ns, 150_B, 0});
    chain.stages = {layer, loss};
    return chain;
}

ScheduleOp forward(int stage, int option)
{
    return {Kind::Forward, stage, option};
}
ScheduleOp backward(int stage)
{
    return {Kind::Backward, stage};
}
ScheduleOp freeOutput(int stage)
{
    return {Kind::FreeOutput, stage};
}
ScheduleOp freeSaved(int stage)
{
    return {Kind::FreeSaved, stage};
}

} // namespace

class ChainReplayTest : public QObject {
    Q_OBJECT
private slots:
    /// Every number below was added up by hand from the table in docs/planner.md, "Operations".
    void addsUpTheExample()
    {
        const Schedule schedule{forward(0, 0), forward(1, 0), freeOutput(1), backward(1), freeOutput(0), backward(0)};
        const auto result = replay(example(), schedule, ReplayTrace::EveryOp);
        QVERIFY(static_cast<bool>(result));
        // 1000 + s 300 + y 100 = 1400 before the last backward, and 250 on top.
        QCOMPARE(result->peak, 1650_B);
        QCOMPARE(result->peakMoment, PeakMoment::DuringOp);
        QCOMPARE(result->peakOp, std::size_t{5});
        QCOMPARE(result->time, 39_ns);
        QCOMPARE(result->overhead, 0_ns);
        QCOMPARE(result->reruns, 0);
        QCOMPARE(result->savedBytes, 454_B);
        const std::vector<std::array<std::int64_t, 3>> expected{{1000, 1400, 1400}, {1400, 1454, 1454},
            {1454, 1454, 1450}, {1450, 1600, 1500}, {1500, 1500, 1400}, {1400, 1650, 1040}};
        QCOMPARE(result->trace.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(result->trace[i].residentBefore.value, expected[i][0]);
            QCOMPARE(result->trace[i].peak.value, expected[i][1]);
            QCOMPARE(result->trace[i].residentAfter.value, expected[i][2]);
        }
    }

    void countsRerunsOfForwardsAndOptions()
    {
        const Schedule schedule{forward(0, kNone), forward(1, 0), freeOutput(0), freeOutput(1), forward(0, 1),
            backward(1), freeOutput(0), backward(0)};
        const auto result = replay(example(), schedule);
        QVERIFY(static_cast<bool>(result));
        QCOMPARE(result->reruns, 3);   // one forward more, and two ops inside "lean"
        QCOMPARE(result->time, 53_ns); // 10 + 3 + 10 + 6 + 24
        QCOMPARE(result->overhead, 14_ns);
        QCOMPARE(result->savedBytes, 154_B); // x_1 100, x_2 4, s_2 50
        QVERIFY(result->trace.empty());
    }

    void countsTheStepEnd()
    {
        Chain chain = example();
        chain.stepEndBytes = 700_B;
        const Schedule schedule{forward(0, 0), forward(1, 0), freeOutput(1), backward(1), freeOutput(0), backward(0)};
        const auto result = replay(chain, schedule);
        QVERIFY(static_cast<bool>(result));
        QCOMPARE(result->peak, 1740_B); // 1000 + 40 + 700
        QCOMPARE(result->peakMoment, PeakMoment::StepEnd);
    }

    void keepsAnOptionThatSavesNothing()
    {
        Chain chain = example();
        chain.stages[0].options[0].savedBytes = 0_B;
        const Schedule without{forward(0, kNone), forward(1, 0), backward(1), backward(0)};
        QCOMPARE(std::string(replay(chain, without).error().code->name), std::string("replay-missing-saved"));
        const Schedule with{forward(0, 0), forward(1, 0), backward(1), backward(0)};
        QVERIFY(static_cast<bool>(replay(chain, with)));
    }

    void allowsAForwardThatKeepsNothingWhileTheInteriorExists()
    {
        const Schedule schedule{
            forward(0, 0), forward(1, 0), freeOutput(0), forward(0, kNone), backward(1), backward(0)};
        const auto result = replay(example(), schedule);
        QVERIFY(static_cast<bool>(result));
        QCOMPARE(result->reruns, 1);
    }

    void refuses_data()
    {
        QTest::addColumn<Schedule>("schedule");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("index");
        const auto add = [](const char* name, const char* code, int index, const Schedule& schedule) {
            QTest::addRow("%s", name) << schedule << code << index;
        };
        add("nothing", "replay-incomplete", 0, {});
        add("no last backward", "replay-incomplete", 3, {forward(0, 0), forward(1, 0), backward(1)});
        add("stage below", "replay-no-such-stage", 0, {forward(-1, 0)});
        add("stage above", "replay-no-such-stage", 0, {forward(2, 0)});
        add("option above", "replay-no-such-option", 1, {forward(0, 0), forward(1, 1)});
        add("option below", "replay-no-such-option", 0, {forward(0, -2)});
        add("no input", "replay-missing-input", 0, {forward(1, 0)});
        add("input freed", "replay-missing-input", 2, {forward(0, 0), freeOutput(0), forward(1, 0)});
        add("output exists", "replay-output-exists", 1, {forward(0, kNone), forward(0, 0)});
        add("interior exists", "replay-saved-exists", 2, {forward(0, 0), freeOutput(0), forward(0, 1)});
        add("free nothing", "replay-missing-output", 0, {freeOutput(0)});
        add("free twice", "replay-missing-saved", 2, {forward(0, 0), freeSaved(0), freeSaved(0)});
        add("backward too soon", "replay-backward-order", 2, {forward(0, 0), forward(1, 0), backward(0)});
        add("backward twice", "replay-backward-twice", 3, {forward(0, 0), forward(1, 0), backward(1), backward(1)});
        add("backward without interior", "replay-missing-saved", 2, {forward(0, 0), forward(1, kNone), backward(1)});
        add("backward without input", "replay-missing-input", 3,
            {forward(0, 0), forward(1, 0), freeOutput(0), backward(1)});
        add("after the end", "replay-after-end", 4,
            {forward(0, 0), forward(1, 0), backward(1), backward(0), freeOutput(0)});
    }
    void refuses()
    {
        QFETCH(Schedule, schedule);
        QFETCH(int, index);
        const auto result = replay(example(), schedule);
        QVERIFY(!result);
        QTEST(QString::fromStdString(std::string(result.error().code->name)), "code");
        QCOMPARE(std::get<std::int64_t>(result.error().arguments.at(0)), index);
        QCOMPARE(result.error().exitCode(), ExitCode::BadInput);
    }

    void refusesASecondForwardOfAStageThatRunsOnce()
    {
        Chain chain = example();
        chain.stages[0].runsOnce = true;
        QVERIFY(static_cast<bool>(replay(chain, {forward(0, 0), forward(1, 0), backward(1), backward(0)})));
        const auto result
            = replay(chain, {forward(0, 0), forward(1, 0), freeOutput(0), forward(0, kNone), backward(1), backward(0)});
        QVERIFY(!result);
        QCOMPARE(std::string(result.error().code->name), std::string("replay-runs-once"));
        QCOMPARE(std::get<std::int64_t>(result.error().arguments.at(0)), 3);
    }

    void refusesABackwardThatReadsAFreedOutput()
    {
        Chain chain = example();
        chain.stages[0].options[0].needsOutput = true;
        const Schedule schedule{forward(0, 0), forward(1, 0), backward(1), freeOutput(0), backward(0)};
        const auto result = replay(chain, schedule);
        QVERIFY(!result);
        QCOMPARE(std::string(result.error().code->name), std::string("replay-missing-output"));
    }

    void refusesATimeAbove2To61()
    {
        Chain chain = example();
        chain.stages[0].forwardTime = {kMaxQuantity};
        Schedule schedule{forward(0, 0), freeOutput(0), forward(0, kNone)};
        QCOMPARE(std::string(replay(chain, schedule).error().code->name), std::string("replay-time-too-large"));
    }
};

QTEST_APPLESS_MAIN(ChainReplayTest)
#include "chain_replay_test.moc"
