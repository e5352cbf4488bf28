// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <bit>

#include "core/base/index.h"
#include "core/plan/batch_map.h"
#include "core/plan/largest_batch.h"
#include "core/plan/plan_difference.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::testing;

namespace {

StudyRequest request(std::int64_t batch = 4, bool isBert = false)
{
    const Variety variety{.isBert = isBert};
    return {smallShape(variety, 4, 2, 16, 128, 300, 32), setupOf(variety, batch, 8), roundCpu(), {}};
}

} // namespace

/// Two plans side by side, what flips when a budget moves, and budgets over batches.
class PlanDifferenceTest : public QObject {
    Q_OBJECT

private slots:
    /// The plans differ by what the test itself changed, and by nothing else.
    void flipsAreWhatWasChanged()
    {
        const Study study = Study::solve(request()).value();
        const StepTape& tape = study.tape();
        std::vector<KeepSet> keep;
        for (int stage = 0; stage < static_cast<int>(tape.stages.size()); ++stage)
            keep.push_back(keepAll(tape.tapeOf(stage)));
        const Plan all = derivePlan(tape, roundCpu(), keep);
        const auto gelu = std::find_if(
            tape.kinds[1].ops.begin(), tape.kinds[1].ops.end(), [](const Op& op) { return op.name == "gelu"; });
        QVERIFY(gelu != tape.kinds[1].ops.end());
        const KeepSet bit = KeepSet{1} << (gelu - tape.kinds[1].ops.begin());
        keep[2] &= ~bit;
        keep[3] &= ~bit;
        const Plan fewer = derivePlan(tape, roundCpu(), keep);
        const std::vector<OpFlip> flips = flipsBetween(all, fewer).value();
        QCOMPARE(flips.size(), std::size_t{1});
        QCOMPARE(flips[0].op, std::string("gelu"));
        QVERIFY(!flips[0].isKeptBySecond);
        QCOMPARE(flips[0].stages, (std::vector<int>{2, 3}));
        // gelu is B x T x 4C numbers of 4 bytes, in both layers: 4 x 8 x 128 x 4, twice.
        QCOMPARE(flips[0].bytes.value, 2 * 4 * 8 * 128 * 4);
        // The other way round it is kept by the second; with itself there is nothing.
        const std::vector<OpFlip> back = flipsBetween(fewer, all).value();
        QCOMPARE(back.size(), std::size_t{1});
        QVERIFY(back[0].isKeptBySecond);
        QCOMPARE(back[0].bytes, flips[0].bytes);
        QVERIFY(flipsBetween(all, all)->empty());
    }

    void otherLayersHaveNothingToCompare()
    {
        const Plan gpt = Study::solve(request()).value().planAt(0);
        const Plan bert = Study::solve(request(4, true)).value().planAt(0);
        QVERIFY(!flipsBetween(gpt, bert));
    }

    /// Against the frontier walked by hand: the first point above that saves half a percent, the first below that costs
    /// it, or the neighbours where none does.
    void movesAreTheNoticeableNeighbours()
    {
        const Study study = Study::solve(request()).value();
        const auto& points = study.points();
        const auto planWithin = [&](Bytes budget) { return study.cheapestWithin(budget); };
        for (std::size_t i = 0; i < points.size(); i += std::max<std::size_t>(1, points.size() / 40)) {
            const Plan plan = study.planAt(i);
            const BudgetMoves moves = budgetMoves(points, plan, planWithin);
            std::optional<Bytes> below;
            for (std::size_t j = i; j-- > 0;) {
                if (points[j].cost.time <= plan.prediction.time)
                    continue;
                if (study.extraTimeOf(points[j]) - plan.extraTime() >= 0.005) {
                    below = points[j].cost.peak;
                    break;
                }
            }
            for (std::size_t j = i; j-- > 0 && !below;)
                if (points[j].cost.time > plan.prediction.time)
                    below = points[j].cost.peak;
            QCOMPARE(moves.less.has_value(), below.has_value());
            if (below) {
                QCOMPARE(moves.less->peak.value, below->value);
                QVERIFY(moves.less->extraTime > plan.extraTime());
                QVERIFY(!moves.less->flips.empty());
            }
            const std::optional<MoreBudget> more = study.moreBudget(plan);
            QCOMPARE(moves.more.has_value(), more.has_value());
            if (more)
                QCOMPARE(moves.more->peak.value, more->point.cost.peak.value);
        }
    }

    /// Rows of the map against a study of each batch; the edge of what fits against the search for the largest batch.
    void mapRowsAreTheStudiesOfTheirBatches()
    {
        const std::vector<std::int64_t> batches = mapBatches(4);
        QCOMPARE(batches, (std::vector<std::int64_t>{1, 2, 3, 4, 6, 8, 12, 16}));
        QCOMPARE(mapBatches(5), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 8, 12, 16}));
        QCOMPARE(byNearness(batches, 4).front(), std::int64_t{4});
        QCOMPARE(byNearness(batches, 4).back(), std::int64_t{16});
        const Bytes budget = Study::solve(request(6)).value().leastPeak();
        std::int64_t largest = 0;
        StudyMemory memory;
        for (const std::int64_t batch : batches) {
            const BatchMapRow row = solveMapRow(request(), batch, {}, &memory).value();
            const Study study = Study::solve(request(batch)).value();
            QCOMPARE(row.batch, batch);
            QCOMPARE(row.leastPeak().value, study.leastPeak().value);
            QVERIFY(row.points.size() <= kBatchMapPoints);
            QCOMPARE(row.points.back().peak.value, study.points().back().cost.peak.value);
            QVERIFY(!row.extraTimeAt(row.leastPeak() - Bytes{1}));
            QCOMPARE(*row.extraTimeAt(row.leastPeak()), study.cheapestWithin(row.leastPeak()).value().extraTime());
            for (const double level : {0.0, 0.02, 0.1}) {
                const Bytes edge = row.leastBudgetFor(level).value();
                QVERIFY(*row.extraTimeAt(edge) <= level);
                QVERIFY(edge == row.leastPeak() || *row.extraTimeAt(edge - Bytes{1}) > level);
            }
            if (row.extraTimeAt(budget))
                largest = batch;
        }
        const BatchSearch search{request(), {Strategy::Kind::Optimal}, budget, std::nullopt};
        const std::int64_t found = largestBatch(search, {}).value();
        QVERIFY(largest <= found);
        QVERIFY(
            std::none_of(batches.begin(), batches.end(), [&](std::int64_t b) { return b > largest && b <= found; }));
        QVERIFY(!solveMapRow(request(), kMaxBatch + 1, {}));
    }

    /// Where layers may run again the map reaches the nested study's own least budget, and no budget costs more.
    void nestedRowsReachFurther()
    {
        const BatchMapRow flat = solveMapRow(request(), 4, {}).value();
        const BatchMapRow nested = solveNestedMapRow(request(), 4, {}, {}).value();
        const Study study = Study::solve(request(4)).value();
        const NestedStudy whole = NestedStudy::solve(study).value();
        QCOMPARE(nested.leastPeak().value, whole.leastPeak().value);
        QVERIFY(nested.leastPeak() <= flat.leastPeak());
        for (const BatchMapRow::Point& point : flat.points)
            QVERIFY(*nested.extraTimeAt(point.peak) <= point.extraTime + 1e-12);
    }
};

QTEST_APPLESS_MAIN(PlanDifferenceTest)
#include "plan_difference_test.moc"
