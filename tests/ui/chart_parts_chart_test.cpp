// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <random>

#include <QtTest/QTest>

#include "ui/charts/axis_scale.h"
#include "ui/charts/label_placement.h"
#include "ui/charts/step_curve.h"

using namespace remat;
using namespace remat::ui;

/// The pure parts under the charts.  Expected values are worked out by hand
/// beside each case; the properties are checked against a walk over all points.
class ChartPartsChartTest : public QObject {
    Q_OBJECT
private slots:
    void stepsAreRound_data()
    {
        QTest::addColumn<double>("span");
        QTest::addColumn<double>("intervals");
        QTest::addColumn<double>("step");
        QTest::addRow("3.7 in 4") << 3.7 << 4.0 << 1.0;
        QTest::addRow("5.69 in 4") << 5.69 << 4.0 << 2.0;
        QTest::addRow("600 in 3") << 600.0 << 3.0 << 200.0;
        QTest::addRow("600 in 5") << 600.0 << 5.0 << 200.0;
        QTest::addRow("0.03 in 3") << 0.03 << 3.0 << 0.01;
        QTest::addRow("empty") << 0.0 << 4.0 << 1.0;
    }
    void stepsAreRound()
    {
        QFETCH(double, span);
        QFETCH(double, intervals);
        QFETCH(double, step);
        QCOMPARE(niceStep(span, intervals), step);
    }

    void ticksIncludeBothEnds()
    {
        QCOMPARE(ticksIn(0, 3.0, 1.0), (std::vector<double>{0, 1, 2, 3}));
        QCOMPARE(ticksIn(-0.5, 11.5, 4.0), (std::vector<double>{0, 4, 8}));
        // 0.1 has no exact double: the last tick must not fall off by rounding.
        QCOMPARE(ticksIn(0, 0.3, 0.1).size(), std::size_t{4});
        QVERIFY(ticksIn(0, 1, 0).empty());
        QVERIFY(ticksIn(0, 1e12, 1e-3).size() <= 200);
    }

    void tickTextsShowWhatTheStepNeeds()
    {
        QCOMPARE(tickText(2.5, 0.5), QStringLiteral("2.5"));
        QCOMPARE(tickText(300, 100), QStringLiteral("300"));
        QCOMPARE(tickText(-20, 20), QStringLiteral("\u221220"));
        QCOMPARE(tickText(0, 0.05), QStringLiteral("0.00"));
        QCOMPARE(tickText(12000, 2000), QStringLiteral("12000"));
    }

    void timeUnitsHaveOneToThreeDigits()
    {
        QCOMPARE(timeUnit({37'000'000}).name, QStringLiteral("ms"));
        QCOMPARE(timeUnit({37'000'000}).size, 1e6);
        QCOMPARE(timeUnit({28'500}).name, QStringLiteral("µs"));
        QCOMPARE(timeUnit({4'200'000'000}).size, 1e9);
        QCOMPARE(timeUnit({0}).size, 1.0);
    }

    void thinningKeepsThePeakAndTheEnds()
    {
        std::mt19937 random(7);
        std::uniform_real_distribution<double> value(0, 100);
        for (std::size_t count : {3000U, 20'000U, 100'000U}) {
            std::vector<QPointF> points;
            for (std::size_t i = 0; i < count; ++i)
                points.emplace_back(static_cast<double>(i), value(random));
            const std::size_t peak = random() % count;
            points[peak].setY(1000);
            const std::vector<QPointF> thin = thinCurve(points, 2500);
            QVERIFY(thin.size() <= 2500);
            QVERIFY(thin.size() > 1000);
            QCOMPARE(thin.front(), points.front());
            QCOMPARE(thin.back(), points.back());
            QVERIFY(std::count(thin.begin(), thin.end(), points[peak]) == 1);
            QVERIFY(std::is_sorted(
                thin.begin(), thin.end(), [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); }));
        }
    }

    void thinningSurvivesPointsAtOneInstant()
    {
        const std::vector<QPointF> points(6000, QPointF(3, 5));
        const std::vector<QPointF> thin = thinCurve(points, 100);
        QVERIFY(!thin.empty() && thin.size() <= 100);
    }

    void stepsHoldUntilTheNextPoint()
    {
        const std::vector<QPointF> points{{0, 1}, {2, 4}, {3, 2}};
        QCOMPARE(stepCorners(points, 5), (QList<QPointF>{{0, 1}, {2, 1}, {2, 4}, {3, 4}, {3, 2}, {5, 2}}));
        // A hold of 1 is no wider than a pixel here, one of 2 is.
        QCOMPARE(stepCorners(points, 5, 1), (QList<QPointF>{{0, 1}, {2, 1}, {2, 4}, {3, 2}, {5, 2}}));
        QCOMPARE(stepCorners(std::vector<QPointF>{{1, 7}}, 4), (QList<QPointF>{{1, 7}, {4, 7}}));
        QVERIFY(stepCorners(std::vector<QPointF>{}, 4).isEmpty());
    }

    void aWindowEntersWithTheValueBeforeIt()
    {
        const std::vector<QPointF> points{{0, 1}, {2, 4}, {3, 2}, {9, 8}};
        QCOMPARE(clipSteps(points, 2.5, 5), (std::vector<QPointF>{{2.5, 4}, {3, 2}}));
        QCOMPARE(clipSteps(points, 4, 5), (std::vector<QPointF>{{4, 2}}));
        QVERIFY(clipSteps(points, -5, -1).empty());
    }

    void labelsNeverOverlap()
    {
        std::mt19937 random(11);
        const auto upTo = [&](double most) { return std::uniform_real_distribution<double>(0, most)(random); };
        const QRectF bounds(0, 0, 420, 180);
        for (int round = 0; round < 50; ++round) {
            std::vector<LabelRequest> requests;
            requests.reserve(16);
            for (int i = 0; i < 16; ++i)
                requests.push_back({QPointF(upTo(420), upTo(180)), 5, QSizeF(40 + upTo(60), 14)});
            const std::vector<QRectF> obstacles{{100, 40, 60, 60}};
            const auto places = placeLabels(requests, obstacles, bounds);
            QCOMPARE(places.size(), requests.size());
            for (std::size_t i = 0; i < places.size(); ++i) {
                if (!places[i])
                    continue;
                QVERIFY(bounds.contains(*places[i]));
                QVERIFY(!places[i]->intersects(obstacles[0]));
                for (std::size_t j = 0; j < places.size(); ++j) {
                    QVERIFY(j == i || !places[j] || !places[i]->intersects(*places[j]));
                    const QPointF a = requests[j].anchor;
                    QVERIFY(!places[i]->intersects(QRectF(a.x() - 5, a.y() - 5, 10, 10)));
                }
            }
        }
    }

    void aLoneLabelStandsAtTheRight()
    {
        const std::vector<LabelRequest> requests{{{50, 50}, 5, {30, 10}}};
        const auto places = placeLabels(requests, {}, {0, 0, 200, 100});
        QVERIFY(places[0].has_value());
        QCOMPARE(places[0]->left(), 56.0);
        QCOMPARE(places[0]->center().y(), 50.0);
    }

    void aLabelWithoutRoomIsDropped()
    {
        const std::vector<LabelRequest> requests{{{50, 50}, 5, {300, 10}}};
        QVERIFY(!placeLabels(requests, {}, {0, 0, 200, 100})[0].has_value());
    }

    void textsAlongAnEdgeAreSpread()
    {
        const std::vector<double> wished{50, 50, 52, 190};
        const std::vector<double> centres = spreadVertically(wished, 14, 0, 200);
        for (std::size_t i = 0; i < centres.size(); ++i) {
            QVERIFY(centres[i] >= 7 && centres[i] <= 193);
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(std::abs(centres[i] - centres[j]) >= 14 - 1e-9);
        }
        QCOMPARE(centres[0], 50.0);
        QCOMPARE(centres[3], 190.0);
    }
};

QTEST_APPLESS_MAIN(ChartPartsChartTest)
#include "chart_parts_chart_test.moc"
