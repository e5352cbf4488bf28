// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/plan/largest_batch.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::literals;
using namespace remat::testing;

namespace {

StudyRequest request(std::int64_t batch, std::int64_t headChunks = 1)
{
    const Variety variety{.headChunks = headChunks};
    return {smallShape(variety, 3, 2, 16, 128, 300, 32), setupOf(variety, batch, 8), roundCpu(), {}};
}

/// What the strategy needs at a batch, planned for that batch alone.
Bytes peakAt(Strategy strategy, std::int64_t batch, Bytes budget)
{
    const Study study = Study::solve(request(batch)).value();
    return strategy.kind == Strategy::Kind::Optimal ? study.leastPeak() : study.plan(strategy, budget)->prediction.peak;
}

} // namespace

class LargestBatchTest : public QObject {
    Q_OBJECT

private slots:
    void isTheLastThatFits_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("start");
        for (const auto kind : {Strategy::Kind::None, Strategy::Kind::Full, Strategy::Kind::Optimal})
            for (const int start : {1, 5, 6, 40})
                QTest::addRow("%s from %d", toName({kind}).c_str(), start) << static_cast<int>(kind) << start;
    }

    /// Against trying batch after batch.
    void isTheLastThatFits()
    {
        QFETCH(int, kind);
        QFETCH(int, start);
        const Strategy strategy{static_cast<Strategy::Kind>(kind)};
        const Bytes budget = peakAt(strategy, 6, 0_B) - 1_B;
        std::int64_t expected = 0;
        while (peakAt(strategy, expected + 1, budget) <= budget)
            ++expected;
        QCOMPARE(expected, std::int64_t{5});
        QCOMPARE(largestBatch({request(start), strategy, budget, {}}, {}), std::optional(expected));
        FlatLimits thinned;
        thinned.gapTarget = 1.0;
        QCOMPARE(largestBatch({request(start), strategy, budget, {}}, thinned), std::optional(expected));
    }

    void nothingFitsIntoNothing()
    {
        QCOMPARE(largestBatch({request(4), {Strategy::Kind::Optimal}, 1_B, {}}, {}), std::optional<std::int64_t>(0));
    }

    /// 64 chunks of a batch of 8 sequences of 8 tokens; a batch of 1 has 8 tokens, hence 8 chunks.
    void chunksNeverOutnumberTokens()
    {
        const Bytes budget = Study::solve(request(1, 8))->leastPeak();
        const auto batch = largestBatch({request(8, 64), {Strategy::Kind::Optimal}, budget, {}}, {});
        QVERIFY(batch && *batch >= 1);
    }

    /// A budget that fixes nothing in the rule of a strategy that ignores it; article-greedy frees more for a smaller
    /// one.
    void ruleBudgetSteersArticleGreedy()
    {
        const Strategy greedy{Strategy::Kind::ArticleGreedy};
        const Bytes budget = peakAt({Strategy::Kind::None}, 6, 0_B);
        const auto own = largestBatch({request(40), greedy, budget, {}}, {});
        const auto strict = largestBatch({request(40), greedy, budget, 1_B}, {});
        QVERIFY(own && strict);
        QVERIFY(*strict >= *own);
        QVERIFY(peakAt(greedy, *strict, 1_B) <= budget);
        QVERIFY(peakAt(greedy, *strict + 1, 1_B) > budget);
    }

    void cancelledSearchHasNoAnswer()
    {
        std::stop_source stop;
        stop.request_stop();
        FlatLimits limits;
        limits.cancel = stop.get_token();
        QVERIFY(!largestBatch({request(4), {Strategy::Kind::Optimal}, 1_GiB, {}}, limits));
    }
};

QTEST_APPLESS_MAIN(LargestBatchTest)
#include "largest_batch_test.moc"
