// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <set>

#include "core/plan/study.h"
#include "core/program/instants.h"
#include "core/program/lowering.h"
#include "core/program/timeline.h"
#include "tests/support/small_models.h"

using namespace remat;

/// The step as it is played: what comes and goes between ops adds up to what the dry replay counts by itself.
class InstantsTest : public QObject {
    Q_OBJECT

private slots:
    void aProgramByHand()
    {
        // Two ops over three buffers: x for both, a scratch of the first op alone, y of the second.
        using Kind = Instruction::Kind;
        Program program;
        program.buffers = {{"x", {10}, BufferRole::Boundary, 0, 0}, {"scratch", {5}, BufferRole::Workspace, 0, -1},
            {"y", {7}, BufferRole::Saved, 0, 1}};
        const auto allocate
            = [&](int buffer) { program.instructions.push_back({.kind = Kind::Allocate, .buffer = buffer}); };
        const auto release
            = [&](int buffer) { program.instructions.push_back({.kind = Kind::Release, .buffer = buffer}); };
        allocate(0);
        allocate(1);
        program.instructions.push_back({.kind = Kind::Forward, .stage = 0, .op = 0});
        release(1);
        allocate(2);
        program.instructions.push_back({.kind = Kind::Backward, .stage = 0, .op = 0});
        release(0);
        const std::vector<Instant> instants = instantsOf(program);
        QCOMPARE(instants.size(), 2u);
        QCOMPARE(instants[0].instruction, 2);
        QCOMPARE(instants[0].appeared, (std::vector<int>{0, 1}));
        QVERIFY(instants[0].left.empty());
        QCOMPARE(instants[1].instruction, 5);
        QCOMPARE(instants[1].appeared, std::vector<int>{2});
        QCOMPARE(instants[1].left, std::vector<int>{1});
    }

    /// For plans from the least memory to keeping everything: the walk over instants and the replay agree to the byte.
    void everyInstantAddsUp()
    {
        const ModelShape shape = remat::testing::smallShape({}, 3, 2, 8, 32, 40, 24);
        TrainingSetup setup;
        setup.batch = 2;
        setup.sequence = 16;
        const Device device = remat::testing::roundCpu(2);
        const Study study = Study::solve({shape, withDefaults(shape, setup), device, {}}).value();
        std::int64_t reruns = 0;
        for (const std::size_t point : {std::size_t{0}, study.points().size() / 2, study.points().size() - 1}) {
            const Plan plan = study.planAt(point);
            const Program program = lower(*plan.step, plan.schedule);
            const Timeline timeline = replayDry(program, plan.step->tape);
            Bytes live = plan.step->tape.base.total();
            std::set<int> alive;
            for (const Instant& instant : instantsOf(program)) {
                for (const int buffer : instant.left) {
                    QVERIFY(alive.erase(buffer) == 1);
                    live -= program.buffers[static_cast<std::size_t>(buffer)].bytes;
                }
                for (const int buffer : instant.appeared) {
                    QVERIFY(alive.insert(buffer).second);
                    live += program.buffers[static_cast<std::size_t>(buffer)].bytes;
                }
                QCOMPARE(timeline.points[static_cast<std::size_t>(instant.instruction)].live, live);
                reruns += program.instructions[static_cast<std::size_t>(instant.instruction)].isRerun;
            }
        }
        QVERIFY(reruns > 0); // the leanest of them recomputes
    }
};

QTEST_GUILESS_MAIN(InstantsTest)
#include "instants_test.moc"
