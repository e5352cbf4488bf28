// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>

#include "core/chain/keep_options.h"
#include "core/chain/step_chain.h"
#include "tests/support/hand_stage.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::testing;

namespace {

/// Whether a is of no more use than b in any of the five costs: b saves no more, peaks no higher and takes no longer.
bool isBeatenBy(const Option& a, const Option& b)
{
    return b.savedBytes <= a.savedBytes && b.savedBytes + b.forwardTempBytes <= a.savedBytes + a.forwardTempBytes
        && b.savedBytes + b.backwardTempBytes <= a.savedBytes + a.backwardTempBytes && b.backwardTime <= a.backwardTime
        && b.reruns <= a.reruns;
}

} // namespace

class KeepOptionsTest : public QObject {
    Q_OBJECT

private slots:
    /// Numbers from the hand-written scripts of stage_script_test.cpp, with the times below.
    void optionsOfTheHandStage_data()
    {
        QTest::addColumn<int>("keep");
        QTest::addColumn<int>("saved");
        QTest::addColumn<int>("forwardTemp");
        QTest::addColumn<int>("backwardTemp");
        QTest::addColumn<int>("time");
        QTest::addColumn<int>("reruns");
        const int backward = 11 + 22 + 33;
        QTest::newRow("nothing") << 0 << 0 << 250 - 100 << 350 << backward + 10 + 20 << 2;
        QTest::newRow("up") << 1 << 200 << 350 - 300 << 150 << backward + 20 << 1;
        QTest::newRow("act") << 2 << 50 << 250 - 150 << 300 << backward + 10 << 1;
        QTest::newRow("all") << 3 << 250 << 0 << 100 << backward << 0;
    }

    void optionsOfTheHandStage()
    {
        QFETCH(int, keep);
        QFETCH(int, saved);
        QFETCH(int, forwardTemp);
        QFETCH(int, backwardTemp);
        QFETCH(int, time);
        QFETCH(int, reruns);
        const Option option = makeOption(facts(), static_cast<KeepSet>(keep)).option;
        QCOMPARE(option.savedBytes, Bytes{saved});
        QCOMPARE(option.forwardTempBytes, Bytes{forwardTemp});
        QCOMPARE(option.backwardTempBytes, Bytes{backwardTemp});
        QCOMPARE(option.backwardTime, Nanoseconds{time});
        QCOMPARE(option.reruns, std::int64_t{reruns});
    }

    /// Keeping act beats keeping up: 50 against 200 bytes, 150 against 250 in forward, 350 in backward both, 76 against
    /// 86 ns, one rerun both.
    void uselessOptionsAreLeftOut()
    {
        const auto names = [&](KeepRule rule) {
            QStringList result;
            for (const KeepOption& option : enumerateOptions(facts(), rule))
                result << QString::fromStdString(option.option.name);
            return result;
        };
        QCOMPARE(names({}), (QStringList{"nothing", "act", "all"}));
        QCOMPARE(names({.mustKeep = 1}), (QStringList{"up", "all"}));
        QCOMPARE(names({.mustDrop = 2}), (QStringList{"nothing", "up"}));
        QCOMPARE(names({.mustKeep = 1, .mustDrop = 2}), QStringList{"up"});
    }

    /// On real tapes, pair by pair: what is left out is beaten by what is listed, and nothing listed by another.
    void listIsTheUndominatedSet()
    {
        std::mt19937 random(5);
        for (int round = 0; round < 6; ++round) {
            const Variety variety{.isBert = round % 2 == 1,
                .attention = round < 3 ? AttentionKind::Blocked : AttentionKind::Stored,
                .headChunks = round == 2 ? 3 : 1,
                .hasDropout = round % 3 == 0};
            const StepTape tape = buildStepTape(randomShape(variety, random), randomSetup(variety, random), {});
            const StepChain step = buildStepChain(tape, roundCpu(), {});
            for (const int stage : {0, 1, static_cast<int>(tape.stages.size()) - 1}) {
                const StageFacts facts = step.factsOf(stage);
                const std::vector<KeepOption> listed = enumerateOptions(facts, {});
                const std::vector<int> candidates = facts.tape.candidates();
                for (std::uint64_t bits = 0; bits < std::uint64_t{1} << candidates.size(); ++bits) {
                    KeepSet keep = 0;
                    for (std::size_t i = 0; i < candidates.size(); ++i)
                        if (bits >> i & 1)
                            keep |= KeepSet{1} << candidates[i];
                    const Option option = makeOption(facts, keep).option;
                    QVERIFY(std::any_of(listed.begin(), listed.end(),
                        [&](const KeepOption& other) { return isBeatenBy(option, other.option); }));
                }
                for (const KeepOption& a : listed)
                    for (const KeepOption& b : listed)
                        QVERIFY(a.keep == b.keep || !isBeatenBy(a.option, b.option));
            }
        }
    }

private:
    StageFacts facts() const { return {m_tape, m_flow, m_times, false}; }

    const StageTape m_tape = handStage();
    const GradientFlow m_flow = gradientFlow(m_tape);
    const std::vector<OpTimes> m_times{{{10}, {11}}, {{20}, {22}}, {{30}, {33}}};
};

QTEST_APPLESS_MAIN(KeepOptionsTest)
#include "keep_options_test.moc"
