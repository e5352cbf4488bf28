// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/chain/chain_replay.h"
#include "core/plan/best_batch.h"
#include "core/plan/explanation.h"
#include "core/program/lowering.h"
#include "core/program/timeline.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::literals;
using namespace remat::testing;

namespace {

StudyRequest request(bool isBert, std::vector<Pin> pins = {})
{
    const Variety variety{.isBert = isBert};
    return {smallShape(variety, 4, 2, 16, 128, 300, 32), setupOf(variety, 4, 8), roundCpu(), std::move(pins)};
}

/// What the op that reaches the peak makes and needs, by its row in the chain (docs/planner.md, "Operations").
Bytes workOf(const Chain& chain, const Schedule& schedule, const ScheduleOp& binding)
{
    const Stage& stage = chain.stages[static_cast<std::size_t>(binding.stage)];
    if (binding.kind == ScheduleOp::Kind::Forward && binding.option == ScheduleOp::kNoOption)
        return stage.outBytes + stage.forwardTempBytes;
    int option = binding.option;
    for (const ScheduleOp& op : schedule)
        if (binding.kind == ScheduleOp::Kind::Backward && op.stage == binding.stage
            && op.kind == ScheduleOp::Kind::Forward && op.option != ScheduleOp::kNoOption)
            option = op.option;
    const Option& kept = stage.options[static_cast<std::size_t>(option)];
    return binding.kind == ScheduleOp::Kind::Backward ? kept.backwardTempBytes
                                                      : stage.outBytes + kept.savedBytes + kept.forwardTempBytes;
}

Nanoseconds dryTime(const Plan& plan)
{
    return replayDry(lower(*plan.step, plan.schedule), plan.step->tape).time;
}

} // namespace

class ExplanationTest : public QObject {
    Q_OBJECT

private slots:
    /// By hand: base 1000; before the last backward the output of stage 1 (20), both interiors (70 + 50) and nothing
    /// else are there; that backward needs 300 more.
    void partsOfAPeakByHand()
    {
        Chain chain{"two", 1000_B, 0_B, {}};
        chain.stages.push_back({"a", "", 20_B, 20_B, 5_B, {1}, 0_B, {{"all", 70_B, true, false, 0_B, {2}, 30_B, 0}}});
        chain.stages.push_back({"b", "", 4_B, 0_B, 7_B, {1}, 0_B, {{"all", 50_B, true, false, 0_B, {2}, 300_B, 0}}});
        using Op = ScheduleOp::Kind;
        const Schedule schedule{{Op::Forward, 0, 0}, {Op::Forward, 1, 0}, {Op::FreeOutput, 1}, {Op::Backward, 1},
            {Op::FreeOutput, 0}, {Op::Backward, 0}};
        using Kind = PeakPart::Kind;
        QCOMPARE(peakParts(chain, schedule),
            (std::vector<PeakPart>{{Kind::Base, 1000_B}, {Kind::Boundaries, 20_B}, {Kind::Interiors, 120_B},
                {Kind::Gradient, 0_B}, {Kind::WeightGradients, 0_B}, {Kind::Work, 300_B}}));
        // With less of it the end of the first backward's successor binds: gradient 20 and weight gradient 7 are there.
        chain.stages[1].options[0].backwardTempBytes = 0_B;
        chain.stages[0].options[0].backwardTempBytes = 500_B;
        QCOMPARE(peakParts(chain, schedule),
            (std::vector<PeakPart>{{Kind::Base, 1000_B}, {Kind::Boundaries, 0_B}, {Kind::Interiors, 70_B},
                {Kind::Gradient, 20_B}, {Kind::WeightGradients, 7_B}, {Kind::Work, 500_B}}));
    }

    /// One stage that needs its own output, which nobody may free after its backward: at the step's end base 10, the
    /// weight gradient 100 and 100 more count, and the 50 left over do not.
    void leftOversDoNotCountAtTheStepsEnd()
    {
        Chain chain{"one", 10_B, 100_B, {}};
        chain.stages.push_back({"a", "", 50_B, 0_B, 100_B, {1}, 0_B, {{"all", 0_B, true, true, 0_B, {2}, 100_B, 0}}});
        using Op = ScheduleOp::Kind;
        using Kind = PeakPart::Kind;
        QCOMPARE(peakParts(chain, {{Op::Forward, 0, 0}, {Op::Backward, 0}}),
            (std::vector<PeakPart>{{Kind::Base, 10_B}, {Kind::Boundaries, 0_B}, {Kind::Interiors, 0_B},
                {Kind::Gradient, 0_B}, {Kind::WeightGradients, 100_B}, {Kind::Work, 100_B}}));
    }

    void everyPlanIsExplained()
    {
        for (const bool isBert : {false, true}) {
            const Study study = Study::solve(request(isBert)).value();
            for (const ComparedStrategy& row : study.compare(comparedStrategies(), study.keepAllPeak() - 1_B)) {
                if (!row.plan)
                    continue;
                const Explanation explanation = explain(*row.plan);
                const Chain& chain = row.plan->step->chain;
                const ReplayResult replayed = replay(chain, row.plan->schedule).value();
                QCOMPARE(replayed.peakMoment, PeakMoment::DuringOp);
                QCOMPARE(explanation.peak.back().bytes,
                    workOf(chain, row.plan->schedule, row.plan->schedule[replayed.peakOp]));
                int next = 0;
                for (const StageReason& reason : explanation.stages) {
                    QCOMPARE(reason.first, next);
                    next = reason.last + 1;
                }
                QCOMPARE(next, static_cast<int>(row.plan->keep.size()));
            }
        }
    }

    /// What is said of an op is what two whole steps differ by, one with it and one without, lowered and replayed dry.
    void reasonsAreDifferencesOfSteps()
    {
        const Study study = Study::solve(request(false, {parsePin("L1.gelu=recompute").value()})).value();
        const Plan plan = study.plan({Strategy::Kind::None}, std::nullopt).value();
        const Explanation explanation = explain(plan);
        QCOMPARE(explanation.stages.size(), std::size_t{5}); // embedding, layer 0, layer 1, layers 2 and 3, head
        const StageReason& pinned = explanation.stages[2];
        const StageFacts facts = plan.step->factsOf(2);
        int found = 0;
        for (const OpReason& reason : pinned.ops) {
            QCOMPARE(reason.isPinned, reason.op == "gelu");
            QCOMPARE(reason.isKept, reason.op != "gelu");
            // Batch 4, sequence 8, FFN 128, 4 bytes.
            if (reason.op == "gelu")
                QCOMPARE(reason.bytes, Bytes{4 * 8 * 128 * 4});
            for (const int op : facts.tape.candidates())
                if (facts.tape.ops[static_cast<std::size_t>(op)].name == reason.op) {
                    std::vector<KeepSet> with = plan.keep, without = plan.keep;
                    with[2] |= KeepSet{1} << op;
                    without[2] &= ~(KeepSet{1} << op);
                    const Plan more = derivePlan(study.tape(), plan.device, with);
                    const Plan less = derivePlan(study.tape(), plan.device, without);
                    QCOMPARE(reason.bytes, more.prediction.saved - less.prediction.saved);
                    QCOMPARE(reason.time, dryTime(less) - dryTime(more));
                    ++found;
                }
        }
        QCOMPARE(found, static_cast<int>(pinned.ops.size()));
    }

    /// Against planning every batch.
    void bestBatchHasMostSamplesASecond()
    {
        const Bytes budget = Study::solve(request(false))->keepAllPeak();
        for (const Strategy strategy : {Strategy{Strategy::Kind::None}, Strategy{Strategy::Kind::Full}, Strategy{}}) {
            const BatchSearch search{request(false), strategy, budget, std::nullopt};
            const std::int64_t largest = largestBatch(search, {}).value();
            QVERIFY(largest >= 4 && largest <= kMostBatches);
            const auto best = bestBatch(search, largest, {});
            QVERIFY(best && best->plan.fits());
            for (std::int64_t batch = 1; batch <= largest; ++batch) {
                const Result<PlannedBatch> other = planBatch(search, batch, {});
                QVERIFY(other && other->samplesPerSecond() <= best->samplesPerSecond());
            }
        }
        QVERIFY(!bestBatch({request(false), {}, 1_B, std::nullopt}, 0, {}));
    }

    /// More batches than are tried one by one: the ends and the neighbours of the best are, so no evenly spaced one is
    /// better.
    void manyBatchesAreSearchedCoarselyThenFinely()
    {
        const Bytes budget{4 * Study::solve(request(false))->keepAllPeak().value};
        const BatchSearch search{request(false), {Strategy::Kind::Full}, budget, std::nullopt};
        const std::int64_t largest = largestBatch(search, {}).value();
        QVERIFY(largest > 2 * kMostBatches);
        const auto best = bestBatch(search, largest, {});
        QVERIFY(best && best->plan.fits() && best->batch <= largest);
        for (std::int64_t i = 0; i < kMostBatches; ++i) {
            const auto other = planBatch(search, 1 + (largest - 1) * i / (kMostBatches - 1), {});
            QVERIFY(other && other->samplesPerSecond() <= best->samplesPerSecond());
        }
        for (const std::int64_t batch : {best->batch - 1, best->batch + 1})
            if (batch >= 1 && batch <= largest)
                QVERIFY(planBatch(search, batch, {})->samplesPerSecond() <= best->samplesPerSecond() * 1.05);
    }
};

QTEST_APPLESS_MAIN(ExplanationTest)
#include "explanation_test.moc"
