// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/plan/best_batch.h"
#include "core/plan/explanation.h"
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

Bytes sumOf(const std::vector<PeakPart>& parts)
{
    Bytes sum;
    for (const PeakPart& part : parts)
        sum += part.bytes;
    return sum;
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

    void everyPlanIsExplained()
    {
        for (const bool isBert : {false, true}) {
            const Study study = Study::solve(request(isBert)).value();
            for (const ComparedStrategy& row : study.compare(comparedStrategies(), study.keepAllPeak() - 1_B)) {
                if (!row.plan)
                    continue;
                const Explanation explanation = explain(*row.plan);
                QCOMPARE(sumOf(explanation.peak), row.plan->prediction.peak);
                int next = 0;
                for (const StageReason& reason : explanation.stages) {
                    QCOMPARE(reason.first, next);
                    next = reason.last + 1;
                }
                QCOMPARE(next, static_cast<int>(row.plan->keep.size()));
            }
        }
    }

    /// What is said of an op is what the chain's own options say: both ways to run the stage, replayed.
    void reasonsAreDifferencesOfOptions()
    {
        const Study study = Study::solve(request(false, {parsePin("L1.gelu=recompute").value()})).value();
        const Plan plan = study.plan({Strategy::Kind::None}, std::nullopt).value();
        const Explanation explanation = explain(plan);
        QCOMPARE(explanation.stages.size(), std::size_t{5}); // embedding, layer 0, layer 1, layers 2 and 3, head
        const StageReason& pinned = explanation.stages[2];
        const StageFacts facts = plan.step->factsOf(2);
        for (const OpReason& reason : pinned.ops) {
            QCOMPARE(reason.isPinned, reason.op == "gelu");
            QCOMPARE(reason.isKept, reason.op != "gelu");
            for (const int op : facts.tape.candidates())
                if (facts.tape.ops[static_cast<std::size_t>(op)].name == reason.op) {
                    const Option with = makeOption(facts, plan.keep[2] | KeepSet{1} << op).option;
                    const Option without = makeOption(facts, plan.keep[2] & ~(KeepSet{1} << op)).option;
                    QCOMPARE(reason.bytes, with.savedBytes - without.savedBytes);
                    QCOMPARE(reason.time, without.backwardTime - with.backwardTime);
                }
        }
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
};

QTEST_APPLESS_MAIN(ExplanationTest)
#include "explanation_test.moc"
