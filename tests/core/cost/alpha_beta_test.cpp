// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>
#include <vector>

#include "core/cost/alpha_beta.h"
#include "core/cost/device.h"
#include "core/model/step_bounds.h"

using namespace remat;

namespace {

bool isNear(double value, double expected)
{
    return std::abs(value - expected) <= 1e-9 * expected;
}

} // namespace

/// Expected values are worked out by hand in each test.
class AlphaBetaTest : public QObject {
    Q_OBJECT
private slots:
    /// 500 ns and 2 units of work a nanosecond.
    void aLineIsFound()
    {
        const std::vector<WorkSample> samples{{1000, {1000}}, {4000, {2500}}, {2e6, {1'000'500}}};
        const AlphaBeta fit = fitAlphaBeta(samples, {300});
        QCOMPARE(fit.overhead, Nanoseconds{500});
        QVERIFY(isNear(fit.perSecond, 2e9));
    }

    /// Two samples of one work, t = 1000 and 3000, and one far away: the line goes through the last one and through the
    /// m of least ((m - 1000) / 1000)^2 + ((m - 3000) / 3000)^2, which is (1/1000 + 1/3000) / (1/1000^2 + 1/3000^2)
    /// = 1200.  So the slope is (10^6 - 1200) / (10^9 - 10^6), and alpha = 1200 - 10^6 slope = 200.2.
    void relativeErrorsAreWeighed()
    {
        const std::vector<WorkSample> samples{{1e6, {1000}}, {1e6, {3000}}, {1e9, {1'000'000}}};
        const AlphaBeta fit = fitAlphaBeta(samples, {300});
        QCOMPARE(fit.overhead, Nanoseconds{200});
        QVERIFY(std::abs(fit.perSecond / (1e9 * (1e9 - 1e6) / (1e6 - 1200)) - 1) < 1e-3);
    }

    /// Times that grow faster than the work: the best alpha is negative, so it is 0 and the slope
    /// sum(w / t) / sum((w / t)^2), with w / t = 10, 5, 2.5.
    void noOverheadIsNegative()
    {
        const std::vector<WorkSample> samples{{1e4, {1000}}, {2e4, {4000}}, {4e4, {16'000}}};
        const AlphaBeta fit = fitAlphaBeta(samples, {300});
        QCOMPARE(fit.overhead, Nanoseconds{0});
        QVERIFY(isNear(fit.perSecond, 1e9 * (100 + 25 + 6.25) / (10 + 5 + 2.5)));
    }

    /// Times that do not depend on the work fit alpha = 10 and a slope of 0, which is no rate: with alpha 0 the slope
    /// is sum(w t) / sum(w^2) = 60 / 14, all weights being equal.
    void noRateIsInfinite()
    {
        const std::vector<WorkSample> samples{{1, {10}}, {2, {10}}, {3, {10}}};
        const AlphaBeta fit = fitAlphaBeta(samples, {0});
        QCOMPARE(fit.overhead, Nanoseconds{0});
        QVERIFY(isNear(fit.perSecond, 1e9 * 14 / 60));
    }

    /// Samples on the line 5 ms + work / 10^9: alpha stops at kLongestLaunch = 1 ms.
    void noOverheadIsAboveTheLongest()
    {
        const std::vector<WorkSample> samples{{1e6, {6'000'000}}, {2e6, {7'000'000}}, {3e6, {8'000'000}}};
        const AlphaBeta fit = fitAlphaBeta(samples, {300});
        QCOMPARE(fit.overhead, kLongestLaunch);
        QVERIFY(fit.perSecond > 0 && fit.perSecond < 1e9);
    }

    void tooLittleTellsNoOverhead_data()
    {
        QTest::addColumn<std::vector<WorkSample>>("samples");
        QTest::addColumn<double>("perSecond");
        // 10300 ns of which 300 are the launch's: 1 unit a nanosecond.
        QTest::newRow("one") << std::vector<WorkSample>{{1e4, {10'300}}} << 1e9;
        QTest::newRow("two") << std::vector<WorkSample>{{1e4, {10'300}}, {2e4, {20'300}}} << 1e9;
        QTest::newRow("one size") << std::vector<WorkSample>{{1e4, {10'300}}, {1e4, {10'300}}, {1e4, {10'300}}} << 1e9;
    }
    void tooLittleTellsNoOverhead()
    {
        QFETCH(std::vector<WorkSample>, samples);
        QFETCH(double, perSecond);
        const AlphaBeta fit = fitAlphaBeta(samples, {300});
        QCOMPARE(fit.overhead, Nanoseconds{300});
        QVERIFY(isNear(fit.perSecond, perSecond));
    }

    /// An op that took less than a launch: all of its time is work.
    void anOpFasterThanALaunchHasNoOverhead()
    {
        const AlphaBeta fit = fitAlphaBeta(std::vector<WorkSample>{{1e4, {100}}}, {300});
        QCOMPARE(fit.overhead, Nanoseconds{0});
        QVERIFY(isNear(fit.perSecond, 1e11));
    }

    void nothingIsNotMeasured() { QCOMPARE(fitAlphaBeta({}, {300}), AlphaBeta{}); }
};

QTEST_APPLESS_MAIN(AlphaBetaTest)
#include "alpha_beta_test.moc"
