// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Replays that are remembered serve stages with other sizes, and never one whose script is another.
#include <QTest>
#include <functional>

#include "core/chain/keep_options.h"
#include "tests/support/hand_stage.h"

using namespace remat;
using namespace remat::testing;

namespace {

/// A stage with what StageFacts refers to.
struct OwnedStage {
    StageTape tape = handStage();
    GradientFlow flow;
    std::vector<OpTimes> times{{{10}, {11}}, {{20}, {22}}, {{30}, {33}}};
    bool gradientsInBase = false;

    explicit OwnedStage(const std::function<void(OwnedStage&)>& change)
    {
        change(*this);
        flow = gradientFlow(tape);
    }
    StageFacts facts() const { return {tape, flow, times, gradientsInBase}; }
};

struct Change {
    const char* name;
    std::function<void(OwnedStage&)> apply;
    bool keepsReplays;
};

const Change kChanges[] = {
    {"another batch",
        [](OwnedStage& s) {
            for (Tensor& tensor : s.tape.tensors)
                tensor.bytes.value *= 3;
        },
        true},
    {"another weight", [](OwnedStage& s) { s.tape.parameters[0].bytes = {77}; }, true},
    {"another workspace", [](OwnedStage& s) { s.tape.ops[0].forwardWorkspace = {900}; }, true},
    {"another device",
        [](OwnedStage& s) {
            s.times[1] = {{400}, {500}};
        },
        true},
    {"a new workspace", [](OwnedStage& s) { s.tape.ops[1].forwardWorkspace = {900}; }, false},
    {"a backward that reads its output", [](OwnedStage& s) { s.tape.ops[1].backwardReads = {2}; }, false},
    {"a backward that reads both",
        [](OwnedStage& s) {
            s.tape.ops[2].backwardReads = {1, 2};
        },
        false},
    {"a sum of two values",
        [](OwnedStage& s) {
            s.tape.ops[2].reads = {2, 1};
        },
        false},
    {"a gradient that is made later", [](OwnedStage& s) { s.tape.parameters[0].gradientIsMadeLater = true; }, false},
    {"gradients in base", [](OwnedStage& s) { s.gradientsInBase = true; }, false},
};

} // namespace

class KeepReplayTest : public QObject {
    Q_OBJECT

private slots:
    void aChangedStageHasItsOwnOptions_data()
    {
        QTest::addColumn<int>("index");
        for (int i = 0; i < static_cast<int>(std::size(kChanges)); ++i)
            QTest::newRow(kChanges[i].name) << i;
    }

    void aChangedStageHasItsOwnOptions()
    {
        QFETCH(int, index);
        const Change& change = kChanges[index];
        const OwnedStage before([](OwnedStage&) {}), after(change.apply);
        KeepReplays remembered;
        enumerateOptions(before.facts(), {}, &remembered);
        QCOMPARE(remembered.of(before.facts()).size(), std::size_t{4});
        QCOMPARE(!remembered.of(after.facts()).empty(), change.keepsReplays);
        // The options without a memory are those of hand-written scripts: keep_options_test.cpp.
        for (const OwnedStage* stage : {&after, &before}) {
            const std::vector<KeepOption> fresh = enumerateOptions(stage->facts(), {});
            const std::vector<KeepOption> again = enumerateOptions(stage->facts(), {}, &remembered);
            QCOMPARE(again.size(), fresh.size());
            for (std::size_t i = 0; i < fresh.size(); ++i) {
                QCOMPARE(again[i].keep, fresh[i].keep);
                QVERIFY(again[i].option == fresh[i].option);
            }
        }
    }

    /// A rule that allows what earlier ones forbade finds the replays that are there and makes the others.
    void otherRulesAddTheirReplays()
    {
        const OwnedStage stage([](OwnedStage&) {});
        KeepReplays remembered;
        enumerateOptions(stage.facts(), {.mustKeep = 1}, &remembered);
        QCOMPARE(remembered.of(stage.facts()).size(), std::size_t{2});
        QCOMPARE(enumerateOptions(stage.facts(), {}, &remembered).size(), enumerateOptions(stage.facts(), {}).size());
        QCOMPARE(remembered.of(stage.facts()).size(), std::size_t{4});
    }

    /// Sixteen structures are remembered; the one that was used least recently goes first.
    void theLeastRecentlyUsedStructureGoes()
    {
        const auto longer = [](int ops) {
            return OwnedStage([=](OwnedStage& s) {
                for (int i = 0; i < ops; ++i)
                    s.tape.parameters.push_back(s.tape.parameters[0]);
            });
        };
        KeepReplays remembered;
        for (int i = 0; i < 16; ++i)
            enumerateOptions(longer(i).facts(), {}, &remembered);
        QVERIFY(!remembered.of(longer(0).facts()).empty());
        enumerateOptions(longer(16).facts(), {}, &remembered);
        QVERIFY(!remembered.of(longer(0).facts()).empty());
        QVERIFY(remembered.of(longer(1).facts()).empty());
    }
};

QTEST_APPLESS_MAIN(KeepReplayTest)
#include "keep_replay_test.moc"
