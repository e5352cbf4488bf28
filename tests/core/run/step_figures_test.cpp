// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>

#include "core/run/step_figures.h"

using namespace remat;
using namespace remat::literals;

/// Figures of two steps side by side; expected values by hand.
class StepFiguresTest : public QObject {
    Q_OBJECT

private slots:
    void changesAreDifferencesAndSharesOfTheFirst()
    {
        StepFigures a, b;
        a.peak = 100_MiB;
        b.peak = 75_MiB;
        a.step = {2'000'000};
        b.step = {2'500'000};
        a.saved = 0_B;
        b.saved = 10_MiB;
        a.extraTime = 0.0;
        b.extraTime = 0.25;
        b.system = 80_MiB; // of a run; a is a plan
        a.samplesPerSecond = 500;
        b.samplesPerSecond = 400;
        const std::vector<FigurePair> pairs = compareFigures(a, b);
        const auto of = [&](FigurePair::Figure figure) {
            return *std::find_if(
                pairs.begin(), pairs.end(), [&](const FigurePair& pair) { return pair.figure == figure; });
        };
        using Figure = FigurePair::Figure;
        QCOMPARE(*of(Figure::Peak).difference, -25.0 * 1048576);
        QCOMPARE(*of(Figure::Peak).share, -0.25);
        QCOMPARE(*of(Figure::Step).difference, 500'000.0);
        QCOMPARE(*of(Figure::Step).share, 0.25);
        QCOMPARE(*of(Figure::SamplesPerSecond).share, -0.2);
        // No share of nothing, none of a share, and no difference where one side has no figure: never NaN.
        QCOMPARE(*of(Figure::Saved).difference, 10.0 * 1048576);
        QVERIFY(!of(Figure::Saved).share);
        QCOMPARE(*of(Figure::ExtraTime).difference, 0.25);
        QVERIFY(!of(Figure::ExtraTime).share);
        QVERIFY(!of(Figure::System).a && of(Figure::System).b && !of(Figure::System).difference);
        // What neither has is no line.
        b.system.reset();
        for (const FigurePair& pair : compareFigures(a, b))
            QVERIFY(pair.figure != Figure::System);
    }

    void ofARunItIsWhatWasMeasured()
    {
        RunReport report;
        report.setup.batch = 4;
        report.setup.microBatches = 2;
        report.setup.sequence = 10;
        report.peak.tracked = 30_MiB;
        report.peak.system = 31_MiB;
        report.peak.base = 20_MiB;
        report.time.step = {500'000'000};
        report.reruns.measured = 7;
        const StepFigures figures = figuresOf(report);
        QCOMPARE(figures.peak.value, (30_MiB).value);
        QCOMPARE(figures.system->value, (31_MiB).value);
        QCOMPARE(figures.samplesPerSecond, 16.0); // 4 x 2 samples in half a second
        QCOMPARE(figures.tokensPerSecond, 160.0);
        QCOMPARE(figures.reruns.value_or(0), std::int64_t{7});
        QVERIFY(!figures.extraTime && !figures.saved);
    }
};

QTEST_APPLESS_MAIN(StepFiguresTest)
#include "step_figures_test.moc"
