// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/files.h"
#include "core/export/published_figures.h"

using namespace remat;

/// The program beside what others published: the figures, and the bars of the project for them.
class PublishedFiguresTest : public QObject {
    Q_OBJECT

    static std::vector<PublishedTable> tables() { return *publishedFigures(); }
    static const PublishedTable* find(const std::vector<PublishedTable>& all, const char* start)
    {
        for (const PublishedTable& table : all)
            if (table.title.starts_with(start))
                return &table;
        return nullptr;
    }

private slots:
    void exactOnesAreExactToThePrintedDigit()
    {
        const std::vector<PublishedTable> all = tables();
        int count = 0;
        for (const char* title : {"Activations of 16 layers", "\"Tried to allocate\""})
            for (const PublishedFigure& figure : find(all, title)->figures) {
                const int decimals = find(all, title)->decimals;
                QCOMPARE(
                    QString::number(figure.predicted, 'f', decimals), QString::number(figure.published, 'f', decimals));
                ++count;
            }
        QCOMPARE(count, 7);
    }

    void peaksAreWithinThreePercentOnAverage()
    {
        const std::vector<PublishedTable> all = tables();
        double sum = 0;
        std::size_t count = 0;
        for (const char* title : {"Peak allocated", "The same in fp32"}) {
            const PublishedTable& table = *find(all, title);
            sum += table.meanError() * static_cast<double>(table.figures.size());
            count += table.figures.size();
        }
        QCOMPARE(count, std::size_t{13});
        QVERIFY2(
            sum / static_cast<double>(count) <= 0.03, qPrintable(QString::number(sum / static_cast<double>(count))));
    }

    void timesAreWithinAFifth()
    {
        const std::vector<PublishedTable> all = tables();
        const auto check = [&](const char* title, const std::vector<std::string>& steps) {
            for (const PublishedFigure& figure : find(all, title)->figures)
                if (std::find(steps.begin(), steps.end(), figure.step) != steps.end())
                    QVERIFY2(std::abs(figure.errorOf(figure.predicted)) <= 0.2,
                        qPrintable(QString::fromStdString(figure.step) + QString(": %1").arg(figure.predicted)));
        };
        check("Forward and backward", {"batch 16, eager", "batch 16, SDPA"});
        check("A layer of Megatron-LM's", {"forward", "backward"});
        check("What recomputation costs", {"the layer again: time", "scores, softmax and context again: time"});
    }

    void otherCalculatorsAreComputedByTheirFormulas()
    {
        // By hand for batch 4 x 512, eager.  EleutherAI: 12 x 4 x 512 x 768 x 74 bytes, and 4 bytes for each of
        // 132,284,928 weights; vram-calculator: the same activations, 8 bytes a logit, 4 bytes for each of 109,514,298
        // weights.
        const std::vector<PublishedTable> all = tables();
        const PublishedFigure& figure = find(all, "Peak allocated")->figures[2];
        QCOMPARE(figure.step, std::string("batch 4 x 512, eager"));
        QVERIFY(std::abs(figure.others[0] - (1396.703232 + 529.139712)) < 1e-6);
        QVERIFY(std::abs(figure.others[1] - (1396.703232 + 500.072448 + 438.057192)) < 1e-6);
        QVERIFY(std::abs(figure.others[2] - 438.057192) < 1e-6);
    }

    void theDocumentHasTheseTables()
    {
        const Result<std::string> page = readFile(REMAT_TEST_DATA "/../../docs/memory-model.md");
        QVERIFY(page);
        QVERIFY2(page->find(publishedMarkdown(tables())) != std::string::npos,
            "build/bin/remat reference --to published prints the tables of docs/memory-model.md");
    }
};

QTEST_APPLESS_MAIN(PublishedFiguresTest)
#include "published_figures_test.moc"
