// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QChart>
#include <QLineSeries>
#include <QSignalSpy>
#include <QValueAxis>
#include <QtTest/QTest>

#include "ui/charts/tradeoff_chart.h"
#include "widget_pictures.h"

using namespace remat;
using namespace remat::ui;

namespace {

Bytes gib(double value)
{
    return {std::llround(value * 1073741824.0)};
}

/// A convex frontier from 1.45 GiB at +33 % to 5.69 GiB at 0 %, and the rivals of the
/// design's picture with more beside.
TradeoffView gpt2(int points = 60)
{
    TradeoffView view;
    for (int i = 0; i < points; ++i) {
        const double t = static_cast<double>(i) / (points - 1);
        view.frontier.push_back({gib(1.45 + (5.69 - 1.45) * t), 0.33 * std::pow(1 - t, 2.2)});
    }
    view.rivals = {{QStringLiteral("full"), QStringLiteral("full layer"), {gib(1.72), 0.38}, true},
        {QStringLiteral("ffn-only"), QStringLiteral("FFN only"), {gib(3.6), 0.19}, false},
        {QStringLiteral("attention-only"), QStringLiteral("attention only"), {gib(3.9), 0.13}, false},
        {QStringLiteral("chen-sqrt"), QStringLiteral("Chen √n"), {gib(2.0), 0.36}, true},
        {QStringLiteral("chen-greedy"), QStringLiteral("Chen greedy"), {gib(2.1), 0.35}, true},
        {QStringLiteral("every-2"), QStringLiteral("every 2nd layer"), {gib(3.3), 0.18}, true},
        {QStringLiteral("knapsack"), QStringLiteral("knapsack"), {gib(3.62), 0.05}, false},
        {QStringLiteral("none"), QStringLiteral("keep everything"), {gib(5.69), 0}, false}};
    view.budget = gib(3.5);
    view.plan = TradeoffPoint{gib(3.44), 0.0881};
    return view;
}

QWidget* viewport(TradeoffChart& chart)
{
    return pictures::viewportOf(chart);
}

const QLineSeries& curveOf(const TradeoffChart& chart)
{
    return *qobject_cast<QLineSeries*>(chart.chart().series().value(0));
}

QValueAxis* axisOf(const TradeoffChart& chart, Qt::Orientation orientation)
{
    return qobject_cast<QValueAxis*>(chart.chart().axes(orientation).value(0));
}

} // namespace

/// Facts of the chart's data; expected numbers are those of the view that is set.
class TradeoffChartTest : public QObject {
    Q_OBJECT
private slots:
    void theCurveIsAStepFunctionInPerCent()
    {
        TradeoffChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        chart.setTradeoffView(gpt2());
        const QList<QPointF> points = curveOf(chart).points();
        // 60 levels and 59 drops; the last level ends at the last peak, which
        // nothing passes.
        QCOMPARE(points.size(), 2 * 60 - 1);
        QVERIFY(qAbs(points.first().y() - 33.0) < 1e-9);
        QVERIFY(qAbs(points.first().x() - 1.45) < 1e-6);
        for (qsizetype i = 1; i < points.size(); ++i)
            QVERIFY(points[i].x() == points[i - 1].x() || points[i].y() == points[i - 1].y());
        QVERIFY(axisOf(chart, Qt::Horizontal)->min() < 1.45 && axisOf(chart, Qt::Horizontal)->max() > 5.69);
        QVERIFY(qAbs(axisOf(chart, Qt::Vertical)->max() - 38 * 1.12) < 1e-9);
        QVERIFY(axisOf(chart, Qt::Vertical)->min() < 0);
        QVERIFY(chart.summary().contains(QStringLiteral("This plan peaks at 3.44 GiB")));
    }

    void labelsCoverNeitherEachOtherNorTheCurve()
    {
        TradeoffChart chart(pictures::themed(Lightness::Light));
        for (const QSize size : {QSize(300, 180), QSize(440, 224), QSize(740, 170), QSize(1000, 600)}) {
            chart.resize(size);
            chart.setTradeoffView(gpt2());
            const std::vector<QRectF> boxes = chart.labelBoxes();
            QVERIFY(boxes.size() >= (size.width() < 400 ? 4U : 7U));
            for (std::size_t i = 0; i < boxes.size(); ++i) {
                QVERIFY(QRectF(chart.rect()).contains(boxes[i]));
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY(!boxes[i].intersects(boxes[j]));
                for (const QPointF& p : curveOf(chart).points())
                    QVERIFY(!boxes[i].contains(chart.ChartPanel::toWidget(p.x(), p.y())));
            }
        }
    }

    void dragOnTheCurveRequestsABudget()
    {
        TradeoffChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        chart.setTradeoffView(gpt2());
        chart.show();
        QSignalSpy requested(&chart, &TradeoffChart::budgetRequested);
        // On the curve at 2.5 GiB: t = (2.5 - 1.45) / 4.24, extra = 33 (1 - t)^2.2
        // = 17.2 %.
        const QPointF onCurve = chart.ChartPanel::toWidget(2.5, 17.2);
        QTest::mousePress(viewport(chart), Qt::LeftButton, {}, onCurve.toPoint());
        QCOMPARE(requested.count(), 1);
        QVERIFY(!requested.last()[1].toBool());
        pictures::moveMouse(chart, chart.ChartPanel::toWidget(4.0, 5), Qt::LeftButton);
        QTest::mouseRelease(viewport(chart), Qt::LeftButton, {}, chart.ChartPanel::toWidget(4.0, 5).toPoint());
        QVERIFY(requested.last()[1].toBool());
        const auto last = requested.last()[0].value<remat::Bytes>();
        QVERIFY(std::abs(static_cast<double>(last.value) / 1073741824.0 - 4.0) < 0.02);
        QVERIFY(!chart.isZoomed());
    }

    void dragElsewhereZoomsAndDoubleClickResets()
    {
        TradeoffChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        chart.setTradeoffView(gpt2());
        chart.show();
        QSignalSpy requested(&chart, &TradeoffChart::budgetRequested);
        const double before = axisOf(chart, Qt::Horizontal)->max();
        QTest::mousePress(viewport(chart), Qt::LeftButton, {}, chart.ChartPanel::toWidget(4.2, 30).toPoint());
        pictures::moveMouse(chart, chart.ChartPanel::toWidget(4.5, 30), Qt::LeftButton);
        pictures::moveMouse(chart, chart.ChartPanel::toWidget(5.2, 30), Qt::LeftButton);
        QTest::mouseRelease(viewport(chart), Qt::LeftButton, {}, chart.ChartPanel::toWidget(5.2, 30).toPoint());
        QVERIFY(chart.isZoomed());
        QVERIFY(qAbs(axisOf(chart, Qt::Horizontal)->min() - 4.2) < 0.05);
        QTest::mouseDClick(
            viewport(chart), Qt::LeftButton, {}, chart.frameLayout().plot.topRight().toPoint() + QPoint(-30, 20));
        QCOMPARE(axisOf(chart, Qt::Horizontal)->max(), before);
        QCOMPARE(requested.count(), 0);
    }

    void arrowsStepAlongTheFrontier()
    {
        TradeoffChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        TradeoffView view = gpt2();
        view.budget = view.frontier[10].peak;
        chart.setTradeoffView(view);
        chart.show();
        QSignalSpy requested(&chart, &TradeoffChart::budgetRequested);
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(requested.takeFirst()[0].value<remat::Bytes>(), view.frontier[11].peak);
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(requested.takeFirst()[0].value<remat::Bytes>(), view.frontier[9].peak);
        chart.setBudget(view.frontier.front().peak);
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(requested.count(), 0);
    }

    void rivalsAnswerToMouse()
    {
        TradeoffChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        chart.setTradeoffView(gpt2());
        chart.show();
        QSignalSpy activated(&chart, &TradeoffChart::rivalActivated);
        const QPoint at = chart.ChartPanel::toWidget(3.9, 13).toPoint();
        pictures::moveMouse(chart, at);
        QCOMPARE(chart.readout(),
            (QStringList{QStringLiteral("attention only"), QStringLiteral("peak 3.90 GiB"),
                QStringLiteral("+13 % time"), QStringLiteral("does not fit")}));
        QTest::mouseClick(viewport(chart), Qt::LeftButton, {}, at);
        QCOMPARE(activated.takeFirst(), QVariantList{QStringLiteral("attention-only")});
    }

    void emptyOnePointAndHugeAreStates()
    {
        TradeoffChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        QVERIFY(pictures::colourCount(pictures::of(chart)) > 2);
        TradeoffView one;
        one.frontier = {{gib(2), 0}};
        one.plan = one.frontier.front();
        chart.setTradeoffView(one);
        QVERIFY(qAbs(axisOf(chart, Qt::Horizontal)->min() - 1.9) < 1e-6);
        QVERIFY(qAbs(axisOf(chart, Qt::Horizontal)->max() - 2.1) < 1e-6);
        QCOMPARE(axisOf(chart, Qt::Vertical)->max(), 1.0);
        chart.setTradeoffView(gpt2(200'000));
        QVERIFY(curveOf(chart).count() <= static_cast<int>(ChartPanel::kMostPoints));
        // At least one point for every column of pixels.
        const ChartPanel& panel = chart;
        const double least = axisOf(chart, Qt::Horizontal)->min(), most = axisOf(chart, Qt::Horizontal)->max();
        QVERIFY(curveOf(chart).count() >= panel.toWidget(most, 0).x() - panel.toWidget(least, 0).x() - 30);
        chart.setTradeoffView({});
        QVERIFY(chart.legendTexts().isEmpty());
    }

    void redrawsFastEnoughForADrag()
    {
        TradeoffChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 224);
        const TradeoffView view = gpt2(2000);
        QImage image(440, 224, QImage::Format_ARGB32_Premultiplied);
        QBENCHMARK
        {
            chart.setTradeoffView(view);
            chart.render(&image);
        }
    }

    void pictures()
    {
        for (const auto& [lightness, ratio, suffix] : pictures::looks()) {
            TradeoffChart chart(pictures::themed(lightness));
            chart.resize(440, 224);
            chart.setTradeoffView(gpt2());
            QVERIFY(pictures::colourCount(pictures::of(chart, ratio)) > 20);
            pictures::save(pictures::of(chart, ratio), QStringLiteral("tradeoff") + suffix);
            chart.show();
            pictures::moveMouse(chart, chart.ChartPanel::toWidget(3.9, 13));
            pictures::save(pictures::of(chart, ratio), QStringLiteral("tradeoff-hover") + suffix);
            chart.resize(740, 170);
            TradeoffView below = gpt2();
            below.budget = gib(1.2);
            chart.setTradeoffView(below);
            pictures::moveMouse(chart, QPoint(1, 1));
            pictures::save(pictures::of(chart, ratio), QStringLiteral("tradeoff-over") + suffix);
        }
    }
};

QTEST_MAIN(TradeoffChartTest)
#include "tradeoff_chart_test.moc"
