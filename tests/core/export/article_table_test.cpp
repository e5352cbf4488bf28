// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/cost/devices.h"
#include "core/export/article_table.h"
#include "core/plan/best_batch.h"

using namespace remat;
using namespace remat::literals;

/// The article's strategy table on a device.
class ArticleTableTest : public QObject {
    Q_OBJECT

private slots:
    /// Every row by a search of its own, batch by batch around the answer; the claims as the article prints them.
    void everyRowIsTheLargestBatchThatFits()
    {
        const Device device = devices().find("rtx-4090").value();
        const Bytes budget = 8_GiB;
        ArticleTable table = ArticleTable::make(device, budget, "").value();
        QCOMPARE(table.rows().size(), std::size_t{12});
        while (table.computeNext({})) { }
        QVERIFY(table.isComplete());
        double none = 0;
        for (const ArticleTableRow& row : table.rows()) {
            TrainingSetup setup;
            setup.sequence = 512;
            setup.device = device.name;
            const BatchSearch search{
                {row.shape, withDefaults(row.shape, setup), device, {}}, row.strategy, budget, std::nullopt};
            QVERIFY(row.largestBatch > 0);
            QVERIFY(leastPeakAt(search, row.largestBatch, {}).value() <= budget);
            QVERIFY(leastPeakAt(search, row.largestBatch + 1, {}).value() > budget);
            QVERIFY(row.peak <= budget);
            if (row.strategy.kind == Strategy::Kind::None)
                none = row.samplesPerSecond;
            // Samples a second by their definition: the batch over the step.
            const double rate = static_cast<double>(row.largestBatch) * 1e9 / static_cast<double>(row.step.value);
            QVERIFY(std::abs(row.samplesPerSecond - rate) < 1e-6 * rate);
            QVERIFY(std::abs(*row.relative - rate / none) < 1e-6);
            QVERIFY(!row.why.empty());
            for (const Message& why : row.why)
                QVERIFY(!englishText(why).empty());
        }
        // resources/article/claims.json: BERT-base full 96 at 0.58 s, claimed 1.29; no row for BERT-large.
        const ArticleTableRow& full = table.rows()[1];
        QCOMPARE(full.shape.name, std::string("bert-base"));
        QCOMPARE(full.claim->batch, std::int64_t{96});
        QVERIFY(std::abs(*full.claimBatchOverSeconds - (96 / 0.58) / (32 / 0.42)) < 1e-12);
        QVERIFY(!table.rows()[4].claim);
        // More is recomputed, more fits; the planner fits at least as much as any rule.
        for (std::size_t model = 0; model < 12; model += 4) {
            const auto batch = [&](std::size_t row) { return table.rows()[model + row].largestBatch; };
            QVERIFY(batch(0) < batch(2) && batch(2) < batch(1) && batch(1) <= batch(3));
        }
    }

    void whatFitsNothingSaysWhatItNeeds()
    {
        ArticleTable table = ArticleTable::make(devices().find("rtx-4090").value(), 1_GiB, "").value();
        QVERIFY(table.computeNext({}));
        const ArticleTableRow& row = table.rows().front();
        QCOMPARE(row.largestBatch, std::int64_t{0});
        QVERIFY(row.peak > 1_GiB);
        QCOMPARE(row.why.size(), std::size_t{1});
    }

    void aCancelledRowIsStillTheNext()
    {
        ArticleTable table = ArticleTable::make(devices().find("rtx-4090").value(), 8_GiB, "").value();
        std::stop_source stop;
        stop.request_stop();
        FlatLimits limits;
        limits.cancel = stop.get_token();
        QVERIFY(!table.computeNext(limits));
        QCOMPARE(table.computed(), std::size_t{0});
        QVERIFY(table.computeNext({}));
        QCOMPARE(table.computed(), std::size_t{1});
    }
};

QTEST_APPLESS_MAIN(ArticleTableTest)
#include "article_table_test.moc"
