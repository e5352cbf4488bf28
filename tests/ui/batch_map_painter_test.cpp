// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QSignalSpy>
#include <QtTest/QTest>
#include <cmath>

#include "sample_views.h"
#include "ui/painters/batch_map_painter.h"
#include "ui/widgets/batch_map_widget.h"

using namespace samples;

namespace {

constexpr double kGiB = 1073741824.0;

Bytes gib(double value)
{
    return {std::llround(value * kGiB)};
}

/// By hand: a batch of b needs 1 + b/4 GiB at least, at +40 %, and 1 + b GiB to keep everything; in between the extra
/// time falls along a straight line.
BatchMapRow row(std::int64_t batch)
{
    BatchMapRow row{batch, {}};
    const double least = 1 + static_cast<double>(batch) / 4, all = 1 + static_cast<double>(batch);
    for (int i = 0; i <= 100; ++i)
        row.points.push_back({gib(least + (all - least) * i / 100), 0.4 * (100 - i) / 100});
    return row;
}

BatchMapView view(std::vector<std::int64_t> batches = {1, 2, 3, 4, 6, 8})
{
    BatchMapView view;
    view.batches = batches;
    for (const std::int64_t batch : batches)
        view.rows.push_back(row(batch));
    view.batch = 4;
    view.budget = gib(3);
    return view;
}

constexpr QSize kSize(440, 220);

QImage picture(const BatchMapView& shown, const Theme& look, double ratio = 1.0)
{
    return render(
        look, kSize, ratio, [&](QPainter& painter, QRectF rect) { paintBatchMap(painter, rect, shown, look); });
}

/// The share of pixels in which the red of "over budget" is plain: no band in the recompute colour is as poor in green.
double redShare(const QImage& image, const QRectF& rect)
{
    int red = 0, all = 0;
    const QRect pixels = rect.toRect();
    for (int y = pixels.top(); y <= pixels.bottom(); ++y)
        for (int x = pixels.left(); x <= pixels.right(); ++x, ++all) {
            const QColor colour = image.pixelColor(x, y);
            red += colour.red() - colour.green() > 90 && colour.blue() > colour.green() - 40;
        }
    return static_cast<double>(red) / std::max(1, all);
}

/// How orange a place is: the darker the band, the more.
int warmth(const QImage& image, QPointF at)
{
    const QColor colour = image.pixelColor(at.toPoint());
    return colour.red() - colour.blue();
}

} // namespace

/// The budget x batch map: expected places from the straight lines above.
class BatchMapPainterTest : public QObject {
    Q_OBJECT

private slots:
    void pictures()
    {
        for (const Lightness lightness : {Lightness::Light, Lightness::Dark})
            for (const double ratio : {1.0, 2.0})
                save(picture(view(), theme(lightness), ratio),
                    QStringLiteral("batch-map-%1-%2x")
                        .arg(lightness == Lightness::Light ? QStringLiteral("light") : QStringLiteral("dark"))
                        .arg(ratio));
    }

    void whereNothingFitsIsHatchedAndWhereAllIsKeptIsPlain()
    {
        for (const Lightness lightness : {Lightness::Light, Lightness::Dark}) {
            const Theme look = theme(lightness);
            BatchMapView shown = view();
            shown.budget = gib(8.5); // its ring and lines out of the way
            shown.batch = 1;
            const BatchMapLayout layout = layoutBatchMap(QRectF(QPointF(), QSizeF(kSize)), shown, look);
            const QImage image = picture(shown, look);
            // Batch 6 needs 2.5 GiB at least and 7 to keep everything.
            const int index = 4;
            QRectF cell = layout.rowRect(index).adjusted(0, 4, 0, -4);
            cell.setLeft(layout.xOf(gib(0.3)));
            cell.setRight(layout.xOf(gib(2.0)));
            QVERIFY2(redShare(image, cell) > 0.15, qPrintable(QString::number(redShare(image, cell))));
            cell = layout.rowRect(index).adjusted(0, 4, 0, -4);
            cell.setLeft(layout.xOf(gib(2.7)));
            cell.setRight(layout.xOf(gib(4.0)));
            QVERIFY2(redShare(image, cell) < 0.02, qPrintable(QString::number(redShare(image, cell))));
            const QPointF kept(layout.xOf(gib(7.5)), layout.yOf(index));
            QCOMPARE(image.pixelColor(kept.toPoint()), look.colour(Role::Panel));
        }
    }

    void bandsDarkenWithTheExtraTime()
    {
        const Theme look = theme(Lightness::Light);
        BatchMapView shown = view();
        shown.batch = 1;
        shown.budget = gib(8.5);
        const BatchMapLayout layout = layoutBatchMap(QRectF(QPointF(), QSizeF(kSize)), shown, look);
        const QImage image = picture(shown, look);
        // Batch 8: 3 GiB at +40 %, 9 GiB at 0.  Places between contours, off the labels' line.
        const auto at = [&](double extra) {
            const double budget = 3 + 6 * (1 - extra / 0.4);
            return QPointF(layout.xOf(gib(budget)), layout.rowRect(5).top() + 3);
        };
        int before = -1;
        for (const double extra : {0.005, 0.015, 0.035, 0.075, 0.15, 0.30}) {
            const int here = warmth(image, at(extra));
            QVERIFY2(here > before, qPrintable(QStringLiteral("%1: %2 after %3").arg(extra).arg(here).arg(before)));
            before = here;
        }
    }

    void aBatchThatIsNotSolvedLeavesItsRowEmpty()
    {
        const Theme look = theme(Lightness::Light);
        BatchMapView shown = view();
        shown.batch = 1;
        shown.budget = gib(8.5);
        std::erase_if(shown.rows, [](const BatchMapRow& r) { return r.batch == 3; });
        const BatchMapLayout layout = layoutBatchMap(QRectF(QPointF(), QSizeF(kSize)), shown, look);
        const QImage image = picture(shown, look);
        const auto coloured = [&](int index) {
            const QRectF cell = layout.rowRect(index).adjusted(2, 3, -60, -3);
            const int all = static_cast<int>(cell.width() * cell.height());
            return static_cast<double>(all - countColour(image, cell, look.colour(Role::Panel))) / all;
        };
        QVERIFY2(coloured(2) < 0.05, qPrintable(QString::number(coloured(2))));
        QVERIFY(coloured(1) > 0.2);
        QVERIFY(coloured(3) > 0.2);
        QVERIFY(batchMapReadout(shown, 3, gib(4)).contains(QStringLiteral("not solved")));
        QVERIFY(picture({}, look).pixelColor(100, 100) == look.colour(Role::Panel));
    }

    void contoursAreLabelledWithoutTouching()
    {
        for (const bool projector : {false, true}) {
            const Theme look = theme(Lightness::Light, projector);
            const BatchMapLayout layout = layoutBatchMap(QRectF(QPointF(), QSizeF(kSize)), view(), look);
            const std::vector<QRectF> boxes = contourLabelBoxes(layout, view(), look);
            QVERIFY(boxes.size() >= 3);
            for (std::size_t i = 0; i < boxes.size(); ++i) {
                QVERIFY(layout.plot.plot.contains(boxes[i]));
                QVERIFY(!boxes[i].contains(QPointF(layout.xOf(view().budget), layout.yOf(3)))); // the person's ring
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY(!boxes[i].intersects(boxes[j]));
            }
        }
    }

    void readoutsAreTheRowsOwn()
    {
        // Batch 4: 2 GiB at +40 %, 5 at 0; half way +20 %.
        QVERIFY(batchMapReadout(view(), 4, gib(3.5)).endsWith(QStringLiteral("+20 % time")));
        QVERIFY(batchMapReadout(view(), 4, gib(6)).endsWith(QStringLiteral("+0.0 % time")));
        QVERIFY(batchMapReadout(view(), 4, gib(1.9)).contains(QStringLiteral("2.00 GiB")));
    }

    void aClickAndTheKeysTakeBatchAndBudget()
    {
        BatchMapWidget widget(theme(Lightness::Light));
        widget.resize(440, 240);
        QVERIFY(!widget.readout().isEmpty());
        widget.setView(view());
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        QSignalSpy chosen(&widget, &BatchMapWidget::chosen);
        const BatchMapLayout layout = widget.shownLayout();
        const QPointF at(layout.xOf(gib(4)), layout.yOf(3));
        QTest::mouseMove(&widget, at.toPoint());
        QVERIFY2(widget.readout().startsWith(QStringLiteral("batch 4")), qPrintable(widget.readout()));
        QCOMPARE(widget.accessibleDescription(), widget.readout());
        QTest::mouseClick(&widget, Qt::LeftButton, {}, at.toPoint());
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.last().at(0).toLongLong(), 4);
        const double budget = static_cast<double>(chosen.last().at(1).value<Bytes>().value) / kGiB;
        QVERIFY2(std::abs(budget - 4) < 0.05, qPrintable(QString::number(budget)));
        // Outside the plot there is nothing to take.
        QTest::mouseClick(&widget, Qt::LeftButton, {}, QPoint(2, 120));
        QCOMPARE(chosen.size(), 1);

        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&widget, &leave);
        widget.setFocus();
        QTest::keyClick(&widget, Qt::Key_Return);
        QCOMPARE(chosen.size(), 1); // the keys are nowhere yet
        QTest::keyClick(&widget, Qt::Key_Up);
        QTest::keyClick(&widget, Qt::Key_Right);
        QTest::keyClick(&widget, Qt::Key_Return);
        QCOMPARE(chosen.last().at(0).toLongLong(), 6);
        QVERIFY(chosen.last().at(1).value<Bytes>() > gib(3));
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(&widget, Qt::Key_Down);
        QTest::keyClick(&widget, Qt::Key_Return);
        QCOMPARE(chosen.last().at(0).toLongLong(), 1);
        QTest::keyClick(&widget, Qt::Key_Escape);
        QVERIFY(!widget.readout().startsWith(QStringLiteral("batch")));
    }
};

QTEST_MAIN(BatchMapPainterTest)
#include "batch_map_painter_test.moc"
