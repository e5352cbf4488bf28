// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QAreaSeries>
#include <QBuffer>
#include <QChart>
#include <QLineSeries>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QValueAxis>
#include <QtTest/QTest>

#include "ui/charts/timeline_chart.h"
#include "widget_pictures.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::literals;

namespace {

Bytes gib(double value)
{
    return {std::llround(value * 1073741824.0)};
}

Nanoseconds ms(double value)
{
    return {std::llround(value * 1e6)};
}

/// A step of 37 ms: live bytes climb by layer, swing, and fall; the highest is 3.44 GiB at 14 ms.
TimelineView step(int layers = 12, double scale = 1.0)
{
    TimelineView view;
    view.opName = [](int op) { return op == 0 ? QStringLiteral("attention forward") : QStringLiteral("FFN backward"); };
    double live = 0.8;
    double time = 0;
    const double forward = 14.0 / (layers * 3);
    for (int i = 0; i < layers * 3; ++i) {
        view.predicted.push_back({ms(time), gib((live + (i % 3 == 1 ? 0.21 : 0.0)) * scale), 0});
        live += 2.4 / (layers * 3);
        time += forward;
    }
    view.peak = TimelineSample{ms(14), gib(3.44 * scale), 1};
    view.predicted.push_back(*view.peak);
    for (int i = 1; i < layers * 3; ++i) {
        live -= 2.2 / (layers * 3);
        view.predicted.push_back(
            {ms(14 + i * 22.0 / (layers * 3)), gib((live + (i % 3 == 0 ? 0.21 : 0.0)) * scale), 1});
    }
    for (const TimelineSample& s : view.predicted)
        view.measured.push_back({s.at + ms(0.2), s.live + gib(0.02 * scale), -1});
    view.measuredStep = ms(9100);
    view.end = ms(37);
    view.budget = gib(3.5 * scale);
    view.phases = {{QStringLiteral("forward"), ms(0), ms(12.8)}, {QStringLiteral("loss"), ms(12.8), ms(14)},
        {QStringLiteral("backward"), ms(14), ms(34)}, {QStringLiteral("optimizer"), ms(34), ms(37)}};
    return view;
}

int reddishPixels(const QImage& image)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += qRed(image.pixel(x, y)) > qBlue(image.pixel(x, y)) + 60;
    return count;
}

template <class Series> QList<Series*> seriesOf(const TimelineChart& chart)
{
    QList<Series*> found;
    for (QAbstractSeries* series : chart.chart().series())
        if (auto* wanted = qobject_cast<Series*>(series))
            found.append(wanted);
    return found;
}

QValueAxis* axisOf(const TimelineChart& chart, Qt::Orientation orientation)
{
    return qobject_cast<QValueAxis*>(chart.chart().axes(orientation).value(0));
}

QWidget* viewport(TimelineChart& chart)
{
    return pictures::viewportOf(chart);
}

} // namespace

/// Facts of the chart's data; expected numbers are those of the view that is set.
class TimelineChartTest : public QObject {
    Q_OBJECT
private slots:
    void axesAndPointsFollowTheView()
    {
        TimelineChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 230);
        chart.setTimelineView(step());
        QCOMPARE(axisOf(chart, Qt::Horizontal)->min(), 0.0);
        QCOMPARE(axisOf(chart, Qt::Horizontal)->max(), 37.0);
        QCOMPARE(axisOf(chart, Qt::Vertical)->min(), 0.0);
        // The budget, 3.5 GiB, is the highest thing; 8 % of air above it.
        QCOMPARE(axisOf(chart, Qt::Vertical)->max(), 3.5 * 1.08);
        const auto lines = seriesOf<QLineSeries>(chart);
        QCOMPARE(lines.size(), 2);
        // 72 samples, each a level and a riser, the last level held to the end.
        QCOMPARE(lines[0]->count(), 2 * 72);
        double highest = 0;
        for (const QPointF& p : lines[0]->points())
            highest = std::max(highest, p.y());
        QVERIFY(qAbs(highest - 3.44) < 1e-6);
        QCOMPARE(seriesOf<QAreaSeries>(chart)[0]->pen().style(), Qt::NoPen);
        QCOMPARE(chart.legendTexts(),
            (QStringList{
                QStringLiteral("predicted"), QStringLiteral("measured (9.10 s)"), QStringLiteral("budget 3.50 GiB")}));
        QVERIFY(chart.summary().contains(QStringLiteral("3.44 GiB")));
        QCOMPARE(chart.chart().animationOptions(), QChart::NoAnimation);
    }

    void hugeStepsAreThinnedWithoutLosingThePeak()
    {
        TimelineChart chart(pictures::themed(Lightness::Light));
        chart.resize(900, 230);
        TimelineView view = step(40'000);
        QVERIFY(view.predicted.size() > 200'000);
        chart.setTimelineView(view);
        for (QLineSeries* line : seriesOf<QLineSeries>(chart)) {
            QVERIFY(line->count() <= static_cast<int>(ChartPanel::kMostPoints));
            QVERIFY(line->count() > 2000);
        }
        double highest = 0;
        for (const QPointF& p : seriesOf<QLineSeries>(chart)[0]->points())
            highest = std::max(highest, p.y());
        QVERIFY(qAbs(highest - 3.44) < 1e-6);
    }

    void theLegendIsOneTextPerBoxWithoutOverlap()
    {
        TimelineChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 230);
        chart.setTimelineView(step());
        const auto boxes = legendBoxes(chart.frame(), chart.frameLayout(), pictures::theme(Lightness::Light));
        QCOMPARE(boxes.size(), std::size_t{3});
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            QVERIFY(QRectF(chart.rect()).contains(boxes[i]));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!boxes[i].intersects(boxes[j]));
        }
        QVERIFY(chart.frameLayout().plot.right() < boxes[0].left());
    }

    void thePeakOpensWhatIsAlive()
    {
        TimelineChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 230);
        chart.setTimelineView(step());
        chart.show();
        QSignalSpy activated(&chart, &TimelineChart::peakActivated);
        QTest::mouseClick(viewport(chart), Qt::LeftButton, {}, chart.peakPosition().toPoint());
        QCOMPARE(activated.count(), 1);
        QTest::mouseClick(viewport(chart), Qt::LeftButton, {}, chart.frameLayout().plot.bottomRight().toPoint());
        QCOMPARE(activated.count(), 1);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(activated.count(), 2);
    }

    void anInstantIsNamedChosenAndLeft()
    {
        TimelineChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 230);
        TimelineView view = step();
        view.stackAt = [](int sample) { return QStringList{QStringLiteral("alive at %1").arg(sample)}; };
        chart.setTimelineView(view);
        chart.show();
        QSignalSpy chosen(&chart, &TimelineChart::instantActivated);
        QSignalSpy hovered(&chart, &TimelineChart::opHovered);
        const auto last = [&] { return chosen.last().first().value<std::optional<int>>(); };
        connect(&chart, &TimelineChart::instantActivated, &chart, &TimelineChart::setInstant);

        // The peak: its stack while hovering, and its sample by a click.
        const auto highest = std::max_element(view.predicted.begin(), view.predicted.end(),
            [](const TimelineSample& a, const TimelineSample& b) { return a.live < b.live; });
        const int peak = static_cast<int>(highest - view.predicted.begin());
        pictures::moveMouse(chart, chart.peakPosition());
        QCOMPARE(chart.readout().last(), QStringLiteral("alive at %1").arg(peak));
        QCOMPARE(hovered.last().first().toInt(), highest->op);
        QTest::mouseClick(viewport(chart), Qt::LeftButton, {}, chart.peakPosition().toPoint());
        QCOMPARE(last(), std::optional(peak));
        const Theme look = pictures::theme(Lightness::Light);
        QVERIFY(pictures::pixelsOf(pictures::of(chart), look.colour(Role::Peak)) > 150); // a line over the plot

        // Escape leaves it; the arrow keys go from sample to sample, Enter chooses.
        QTest::keyClick(&chart, Qt::Key_Escape);
        QVERIFY(!last());
        QTest::keyClick(&chart, Qt::Key_Left);
        QTest::keyClick(&chart, Qt::Key_Left);
        QTest::keyClick(&chart, Qt::Key_Return);
        QVERIFY(last().has_value());
        const int before = *last();
        QVERIFY(before < peak);
        QTest::keyClick(&chart, Qt::Key_Right);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(last(), std::optional(before + 1));
        // The same again leaves.
        QTest::keyClick(&chart, Qt::Key_Return);
        QVERIFY(!last());
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(chart.findChild<QGraphicsView*>(), &leave);
        QCOMPARE(hovered.last().first().toInt(), -1);
    }

    void hoverReadsBothCurves()
    {
        TimelineChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 230);
        chart.setTimelineView(step());
        chart.show();
        pictures::moveMouse(chart, chart.toWidget(20.0, 1.0));
        QCOMPARE(chart.readout().size(), 4);
        QVERIFY(chart.readout()[0].contains(QStringLiteral("backward")));
        QCOMPARE(chart.readout()[1], QStringLiteral("FFN backward"));
        QVERIFY(chart.readout()[2].startsWith(QStringLiteral("predicted")));
        QVERIFY(chart.readout()[3].startsWith(QStringLiteral("measured")));
    }

    void dragZoomsTimeAndDoubleClickShowsAll()
    {
        TimelineChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 230);
        chart.setTimelineView(step());
        chart.show();
        QTest::mousePress(viewport(chart), Qt::LeftButton, {}, chart.toWidget(20, 1.5).toPoint());
        pictures::moveMouse(chart, chart.toWidget(25, 1.5));
        QMouseEvent move(
            QEvent::MouseMove, chart.toWidget(30, 1.5), chart.toWidget(30, 1.5), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(viewport(chart), &move);
        QTest::mouseRelease(viewport(chart), Qt::LeftButton, {}, chart.toWidget(30, 1.5).toPoint());
        QVERIFY(chart.isZoomed());
        QVERIFY(qAbs(axisOf(chart, Qt::Horizontal)->min() - 20) < 0.2);
        QVERIFY(qAbs(axisOf(chart, Qt::Horizontal)->max() - 30) < 0.2);
        // The line enters at the window's left edge.
        QCOMPARE(seriesOf<QLineSeries>(chart)[0]->points().first().x(), axisOf(chart, Qt::Horizontal)->min());
        QTest::mouseDClick(viewport(chart), Qt::LeftButton, {}, chart.toWidget(25, 1.5).toPoint());
        QVERIFY(!chart.isZoomed());
        QCOMPARE(axisOf(chart, Qt::Horizontal)->max(), 37.0);
    }

    void shortPlotsPutTheUnitIntoTheTopTick()
    {
        TimelineChart chart(pictures::themed(Lightness::Light));
        chart.setTimelineView(step());
        chart.show();
        chart.resize(440, 230);
        QVERIFY(!chart.frameLayout().isShort);
        QCOMPARE(chart.frameLayout().yTicks.back().text, QStringLiteral("3.5"));
        chart.resize(440, 140);
        QVERIFY(chart.frameLayout().isShort);
        QVERIFY(chart.frameLayout().yTicks.back().text.endsWith(QStringLiteral(" GiB")));
        QVERIFY(chart.frameLayout().xTicks.back().text.endsWith(QStringLiteral(" ms")));
    }

    void emptyOneSampleAndZeroAreStates()
    {
        TimelineChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 230);
        QVERIFY(pictures::colourCount(pictures::of(chart)) > 2); // the sentence
        QVERIFY(chart.legendTexts().isEmpty());
        TimelineView one;
        one.predicted = {{{0}, 512_MiB, -1}};
        one.end = ms(2);
        chart.setTimelineView(one);
        QCOMPARE(seriesOf<QLineSeries>(chart)[0]->count(), 2);
        QCOMPARE(axisOf(chart, Qt::Vertical)->max(), 512 * 1.08);
        TimelineView zero;
        zero.predicted = {{{0}, {0}, -1}};
        chart.setTimelineView(zero);
        QVERIFY(axisOf(chart, Qt::Vertical)->max() > 0);
        QVERIFY(axisOf(chart, Qt::Horizontal)->max() > 0);
        chart.setTimelineView({});
        QVERIFY(chart.legendTexts().isEmpty());
    }

    void overTheBudgetIsHatchedRed()
    {
        TimelineChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 230);
        TimelineView view = step();
        chart.setTimelineView(view);
        QCOMPARE(reddishPixels(pictures::of(chart)), 0);
        view.budget = gib(2.5);
        chart.setTimelineView(view);
        QVERIFY(reddishPixels(pictures::of(chart)) > 200);
    }

    void exportsAsAPictureOfItsOwnSize()
    {
        TimelineChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 230);
        chart.setTimelineView(step());
        QImage image(800, 400, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::magenta);
        {
            QPainter painter(&image);
            chart.exportTo(painter, QRectF(0, 0, 800, 400));
        }
        QCOMPARE(pictures::pixelsOf(image, Qt::magenta), 0);
        QVERIFY(pictures::colourCount(image) > 20);
        QVERIFY(chart.frameLayout().plot.right() < 440);
        QBuffer buffer;
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        {
            QPainter painter(&svg);
            chart.exportTo(painter, QRectF(0, 0, 800, 400));
        }
        QVERIFY(buffer.data().contains("predicted"));
        pictures::save(image, QStringLiteral("timeline-export"));
    }

    void aThemeChangeKeepsPens()
    {
        TimelineChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 230);
        chart.setTimelineView(step());
        const Theme dark = pictures::themed(Lightness::Dark);
        chart.setTheme(dark);
        QCOMPARE(seriesOf<QLineSeries>(chart)[0]->pen().color(), dark.colour(Role::Keep));
        QCOMPARE(seriesOf<QAreaSeries>(chart)[0]->pen().style(), Qt::NoPen);
        QVERIFY(pictures::pixelsOf(pictures::of(chart), dark.colour(Role::Panel)) > 1000);
    }

    void redrawsFastEnoughForADrag()
    {
        TimelineChart chart(pictures::themed(Lightness::Light));
        chart.resize(440, 230);
        TimelineView view = step(2000);
        QImage image(440, 230, QImage::Format_ARGB32_Premultiplied);
        QBENCHMARK
        {
            chart.setTimelineView(view);
            chart.render(&image);
        }
    }

    void pictures()
    {
        for (const auto& [lightness, ratio, suffix] : pictures::looks()) {
            TimelineChart chart(pictures::themed(lightness));
            chart.resize(440, 224);
            chart.setTimelineView(step());
            chart.setHighlighted({{ms(3), ms(4.2)}, {ms(27), ms(29)}});
            QVERIFY(pictures::colourCount(pictures::of(chart, ratio)) > 20);
            pictures::save(pictures::of(chart, ratio), QStringLiteral("timeline") + suffix);
            chart.show();
            pictures::moveMouse(chart, chart.toWidget(20.0, 1.0));
            pictures::save(pictures::of(chart, ratio), QStringLiteral("timeline-hover") + suffix);
            TimelineView over = step(126, 90);
            over.budget = gib(250);
            over.measured.clear();
            chart.resize(740, 170);
            chart.setTimelineView(over);
            pictures::save(pictures::of(chart, ratio), QStringLiteral("timeline-over") + suffix);
            chart.setTimelineView({});
            pictures::save(pictures::of(chart, ratio), QStringLiteral("timeline-empty") + suffix);
        }
        TimelineChart chart(pictures::themed(Lightness::Light, true));
        chart.resize(660, 300);
        chart.setTimelineView(step());
        pictures::save(pictures::of(chart), QStringLiteral("timeline-projector"));
    }
};

QTEST_MAIN(TimelineChartTest)
#include "timeline_chart_test.moc"
