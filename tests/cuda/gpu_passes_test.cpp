// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>

#include "core/run/local_plan.h"
#include "cuda/emulator/emulated_gpu.h"
#include "cuda/machine/gpu_passes.h"
#include "tests/cuda/step_laws.h"

using namespace remat;
using namespace remat::literals;
using namespace remat::testing;

namespace {

Plan planOf(const Variety& variety, bool isHalf, Strategy::Kind kind)
{
    const StepTape tape = tapeOf({variety, isHalf}, smallShape(variety, 2, 2, 4, 12, 13, 8), 2, 7);
    Plan plan = derivePlan(tape, roundGpu(), keepSetsOf({kind}, tape, {}, {0}));
    plan.strategy = {kind};
    return plan;
}

PassSetup setupFor(Plan plan)
{
    return {std::move(plan), 1, 1, std::nullopt};
}

/// Fails at some stamp, as after a fault.
class DumbGpu : public cuda::EmulatedGpu {
public:
    int stampsLeft = 0;
    void stamp() override
    {
        if (stampsLeft-- <= 0)
            throw std::runtime_error("no event");
        EmulatedGpu::stamp();
    }
};

} // namespace

/// The passes of a run on an emulated GPU: what its pool counts is the independent measure of the step (law 8).
class GpuPassesTest : public QObject {
    Q_OBJECT

private slots:
    /// Every block rounded up to 512 B by hand.
    void thePoolCountsRoundedBlocks()
    {
        cuda::EmulatedGpu gpu(Bytes{4096});
        std::byte* const a = gpu.allocate({1});
        std::byte* const b = gpu.allocate({513});
        QCOMPARE(gpu.peak(), (PoolPeak{1536_B, 1536_B}));
        gpu.release(b);
        gpu.resetPeak();
        QCOMPARE(gpu.peak(), (PoolPeak{512_B, 1536_B}));
        QVERIFY(!gpu.allocate({4096 - 512 + 1}));
        std::byte* const c = gpu.allocate({4096 - 512});
        QVERIFY(c);
        QCOMPARE(gpu.peak(), (PoolPeak{4096_B, 4096_B}));
        gpu.release(a);
        gpu.release(c);
        gpu.resetPeak();
        QCOMPARE(gpu.peak(), (PoolPeak{0_B, 4096_B}));
    }

    void predictedTrackedAndPoolAgree_data()
    {
        QTest::addColumn<int>("family");
        QTest::addColumn<bool>("isHalf");
        QTest::addColumn<int>("kind");
        for (int family = 0; family < 3; ++family)
            for (const bool isHalf : {false, true})
                for (const Strategy::Kind kind : {Strategy::Kind::None, Strategy::Kind::Full})
                    QTest::addRow("%s, %s, %s", familyName(family), isHalf ? "bf16" : "fp32", toName({kind}).c_str())
                        << family << isHalf << static_cast<int>(kind);
    }
    void predictedTrackedAndPoolAgree()
    {
        QFETCH(int, family);
        QFETCH(bool, isHalf);
        QFETCH(int, kind);
        // Two micro-batches, so that phases come twice.
        const Plan plan = planOf({.isBert = family == 1, .microBatches = 1 + family % 2, .isLlama = family == 2},
            isHalf, static_cast<Strategy::Kind>(kind));
        cuda::EmulatedGpu gpu;
        const Result<MemoryFound> found = cuda::runMemoryPass(gpu, setupFor(plan), {});
        QVERIFY2(found, found ? "" : englishSentence(found.error()).c_str());
        QCOMPARE(found->tracked, plan.prediction.peak);
        const PhaseBytes predicted = phasePeaks(lower(*plan.step, plan.schedule), plan.step->tape);
        QCOMPARE(found->phases, predicted);
        QVERIFY(found->pool && found->pool->isRepeated);
        for (std::size_t i = 0; i < kStepPhases; ++i)
            QCOMPARE(found->pool->phases[i].used, predicted[i]);
        QCOMPARE(found->system, std::optional(plan.prediction.peak));
        QVERIFY(!found->pool->processAfter && !found->pool->freeShrank);
        // All went back.
        gpu.resetPeak();
        QCOMPARE(gpu.peak().used, 0_B);
    }

    /// The pool's cap is the budget's: with as much as the peak the step runs, with a granule less an allocation fails,
    /// and who watches learns where.
    void aCappedPoolRefuses()
    {
        const Plan plan = planOf({}, false, Strategy::Kind::None);
        cuda::EmulatedGpu enough(plan.prediction.peak);
        QVERIFY(cuda::runMemoryPass(enough, setupFor(plan), {}));
        cuda::EmulatedGpu tooLittle(plan.prediction.peak - 512_B);
        Bytes asked, live;
        int instruction = 0;
        RefusedAt place;
        PassWatch watch;
        watch.onRefused = [&](const Refusal& refused, const RefusedAt& at) {
            asked = refused.requested;
            live = refused.live;
            instruction = refused.instruction;
            place = at;
        };
        const Result<MemoryFound> found = cuda::runMemoryPass(tooLittle, setupFor(plan), watch);
        QVERIFY(!found);
        QCOMPARE(static_cast<int>(found.error().exitCode()), 10);
        QCOMPARE(found.error().code->name, std::string_view("gpu-out-of-memory"));
        QVERIFY(live + asked > plan.prediction.peak - 512_B);
        // The dry replay's peak is where it must happen.
        const Program program = lower(*plan.step, plan.schedule);
        const Timeline dry = replayDry(program, plan.step->tape);
        QCOMPARE(instruction, dry.peakInstruction);
        const Instruction& op = program.instructions[static_cast<std::size_t>(dry.peakOp)];
        QCOMPARE(place.phase, std::string(op.kind == Instruction::Kind::Backward ? "backward" : "forward"));
        QCOMPARE(place.op,
            plan.step->tape.stages[static_cast<std::size_t>(op.stage)].name + ": "
                + plan.step->tape.tapeOf(op.stage).ops[static_cast<std::size_t>(op.op)].name);
        tooLittle.resetPeak();
        QCOMPARE(tooLittle.peak().used, 0_B);
        // What is resident for the whole step has no phase yet.
        cuda::EmulatedGpu tiny(Bytes{4096});
        QVERIFY(!cuda::runMemoryPass(tiny, setupFor(plan), watch));
        QCOMPARE(place.phase, std::string("preparation"));
        QVERIFY(place.op.empty());
    }

    /// Times by the GPU's own stamps: every op ran as often as the dry replay says, and the stages take less than the
    /// step.
    void opsAreTimedByTheGpu()
    {
        const Plan plan = planOf({.microBatches = 2}, true, Strategy::Kind::Full);
        cuda::EmulatedGpu gpu;
        const Result<TimingFound> found = cuda::runTimingPass(gpu, setupFor(plan), 2, {});
        QVERIFY(found);
        QCOMPARE(found->machine, std::string("emulated GPU"));
        QCOMPARE(found->steps.size(), std::size_t{2});
        QCOMPARE(found->tracked, plan.prediction.peak);
        std::int64_t forwards = 0, backwards = 0, expected = 0, ops = 0;
        for (const OpTime& op : found->ops) {
            forwards += op.forwards;
            backwards += op.backwards;
        }
        const Timeline dry = replayDry(lower(*plan.step, plan.schedule), plan.step->tape);
        for (int s = 0; s < static_cast<int>(plan.step->tape.stages.size()); ++s)
            ops += static_cast<std::int64_t>(plan.step->tape.tapeOf(s).ops.size());
        expected = ops + dry.reruns;
        QCOMPARE(forwards, 2 * 2 * expected); // two steps of two micro-batches
        QCOMPARE(backwards, 2 * 2 * ops);
        Nanoseconds stages;
        for (const StageTime& stage : found->stages) {
            QVERIFY(stage.forward.value > 0 && stage.backward.value > 0);
            stages += stage.forward + stage.rerun + stage.backward;
        }
        // Each is the least of two steps; one micro-batch of two.
        QVERIFY(stages < *std::min_element(found->steps.begin(), found->steps.end()));
        QVERIFY(std::is_sorted(found->timeline.begin(), found->timeline.end(),
            [](const TimelinePoint& a, const TimelinePoint& b) { return a.time < b.time; }));
    }

    /// A plan's gradients have the bits of keeping everything, with dropped values poisoned.
    void gradientsAreBitEqual()
    {
        cuda::EmulatedGpu gpu;
        const auto hashes = [&](Strategy::Kind kind, bool poisons) {
            return cuda::runGradientPass(gpu, setupFor(planOf({.hasDropout = true}, true, kind)), poisons, {});
        };
        const auto all = hashes(Strategy::Kind::None, false), full = hashes(Strategy::Kind::Full, true);
        QVERIFY(all && full);
        QCOMPARE(full->hashes, all->hashes);
        QCOMPARE(full->lossBits, all->lossBits);
    }

    void aGpuThatNotesNoMomentsStillEndsTheStep()
    {
        DumbGpu gpu;
        gpu.stampsLeft = 7;
        const Result<TimingFound> found
            = cuda::runTimingPass(gpu, setupFor(planOf({}, false, Strategy::Kind::None)), 1, {});
        QVERIFY(!found);
        QCOMPARE(static_cast<int>(found.error().exitCode()), 11);
    }
};

QTEST_GUILESS_MAIN(GpuPassesTest)
#include "gpu_passes_test.moc"
