// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QElapsedTimer>
#include <QSet>
#include <QtTest/QTest>

#include "sample_views.h"
#include "ui/painters/grid_painter.h"

using namespace samples;

namespace {

QImage picture(
    const GridView& view, const Theme& theme, QSize size, double ratio = 1.0, const GridPointing& pointing = {})
{
    return render(theme, size, ratio, [&](QPainter& painter, QRectF rect) {
        paintGrid(painter, layoutGrid(rect, view, theme), view, pointing, theme);
    });
}

} // namespace

/// Expected values are the views' own bytes and the design's rules (ring 2 px, dot 7 px, bar 3 px, 5 ms).
class GridPainterTest : public QObject {
    Q_OBJECT
private slots:
    void pictures()
    {
        for (const Lightness lightness : {Lightness::Light, Lightness::Dark}) {
            const Theme look = theme(lightness);
            const QString tone = lightness == Lightness::Light ? QStringLiteral("light") : QStringLiteral("dark");
            for (const double ratio : {1.0, 2.0}) {
                const QString suffix = QStringLiteral("-%1-%2x").arg(tone).arg(ratio);
                GridView small = grid(12);
                small.rows[static_cast<std::size_t>(rowOf(small, "FFN"))].isOpen = true;
                small.cell(rowOf(small, "attention"), 3).pin = Pin::Keep;
                small.cell(rowOf(small, "attention"), 4).pin = Pin::Keep;
                small.cell(rowOf(small, "FFN"), 2).pin = Pin::Recompute;
                small.peak = GridPlace{rowOf(small, "FFN"), 11};
                save(picture(small, look, {890, 370}, ratio, {GridPlace{rowOf(small, "FFN"), 3}, {}}),
                    QStringLiteral("grid-12") + suffix);
                for (const GridMetric metric :
                    {GridMetric::Flops, GridMetric::RecomputeTime, GridMetric::BytesPerMicrosecond}) {
                    small.metric = metric;
                    save(picture(small, look, {890, 370}, ratio),
                        QStringLiteral("grid-12-metric%1").arg(int(metric)) + suffix);
                }
                GridView middle = grid(32, {}, true, 128LL << 20);
                middle.peak = GridPlace{rowOf(middle, "FFN"), 31};
                middle.cell(rowOf(middle, "attention"), 4).pin = Pin::Keep;
                save(picture(middle, look, {890, 370}, ratio, {GridPlace{rowOf(middle, "FFN"), 3}, GridPlace{0, 20}}),
                    QStringLiteral("grid-32") + suffix);
                GridView large = grid(126, {}, true, 512LL << 20);
                large.peak = GridPlace{rowOf(large, "FFN"), 125};
                large.cell(rowOf(large, "attention"), 4).pin = Pin::Keep;
                save(picture(large, look, {740, 220}, ratio, {GridPlace{rowOf(large, "FFN"), 3}, {}}),
                    QStringLiteral("grid-126") + suffix);
                save(picture(large, look, {740, 220}, ratio, {GridPlace{rowOf(large, "FFN"), 3}, GridPlace{1, 60}}),
                    QStringLiteral("grid-126-lens") + suffix);
                const GridView grouped = groupEqualLayers(large);
                save(picture(grouped, look, {740, 220}, ratio, {GridPlace{rowOf(large, "FFN"), 60}, {}}),
                    QStringLiteral("grid-126-grouped") + suffix);
                GridView one = grid(1);
                save(picture(one, look, {740, 220}, ratio), QStringLiteral("grid-1") + suffix);
            }
        }
    }

    void projectorPicture()
    {
        const Theme look = theme(Lightness::Light, true);
        const GridView view = grid(32);
        const QImage image = picture(view, look, {1100, 480}, 1.0, {GridPlace{rowOf(view, "FFN"), 3}, {}});
        save(image, QStringLiteral("grid-32-projector"));
        const GridLayout layout = layoutGrid(QRectF(0, 0, 1100, 480), view, look);
        for (const GridRowBox& row : layout.rows)
            QVERIFY(row.height >= 24.0); // 16 x 1.5
        QVERIFY(layout.columns.back().right < layout.keptRight);
    }

    void keptShareIsTheFilledShare_data()
    {
        QTest::addColumn<int>("layers");
        QTest::addColumn<double>("ratio");
        QTest::addColumn<int>("lightness");
        for (const int layers : {1, 12, 32, 126})
            for (const double ratio : {1.0, 2.0})
                for (const int lightness : {0, 1})
                    QTest::addRow("%d layers %gx %s", layers, ratio, lightness ? "dark" : "light")
                        << layers << ratio << lightness;
    }

    void keptShareIsTheFilledShare()
    {
        QFETCH(int, layers);
        QFETCH(double, ratio);
        QFETCH(int, lightness);
        const Theme look = theme(lightness ? Lightness::Dark : Lightness::Light);
        const GridView view = grid(layers);
        const GridLayout layout = layoutGrid(QRectF(0, 0, 890, 370), view, look);
        const QImage image = picture(view, look, {890, 370}, ratio);
        for (std::size_t i = 0; i < layout.rows.size(); ++i)
            for (int column = 0; column < view.columnCount(); ++column) {
                const GridCell& cell = view.cell(layout.rows[i].row, column);
                const QRectF rect = layout.cellRect(view, static_cast<int>(i), column);
                const double pixels = rect.width() * rect.height() * ratio * ratio;
                const double filled = countColour(image, rect, look.colour(Role::Keep)) / pixels;
                const double share = static_cast<double>(cell.kept.value) / static_cast<double>(cell.all.value);
                QVERIFY2(std::abs(filled - share) <= 0.6 / rect.height() + 0.01,
                    qPrintable(
                        QStringLiteral("row %1 column %2: %3 for %4").arg(i).arg(column).arg(filled).arg(share)));
                const int tint = countColour(image, rect, look.colour(Role::RecomputeTint));
                if (cell.isRecomputed)
                    QVERIFY(tint > 0);
                else
                    QCOMPARE(tint, 0);
            }
    }

    void peakRingAndTagAreThereOnlyWhenThereIsAPeak()
    {
        for (const Lightness lightness : {Lightness::Light, Lightness::Dark})
            for (const int layers : {12, 126}) {
                const Theme look = theme(lightness);
                GridView view = grid(layers);
                const QRectF whole(0, 0, 890, 370);
                const GridLayout layout = layoutGrid(whole, view, look);
                const QRectF rows = layout.viewport;
                QCOMPARE(countColour(picture(view, look, {890, 370}), rows, look.colour(Role::Peak)), 0);
                view.peak = GridPlace{rowOf(view, "FFN"), layers - 1};
                const QImage image = picture(view, look, {890, 370});
                const int shown = layout.shownIndexOf(view, view.peak->row);
                const QRectF cell = layout.cellRect(view, shown, view.columnOf(layers - 1));
                // A 2 px ring: twice the perimeter, to within its corners.
                const double ring = 2.0 * 2.0 * (cell.width() + cell.height());
                const int found = countColour(image, cell.adjusted(-2, -1, 2, 2), look.colour(Role::Peak));
                QVERIFY2(
                    std::abs(found - ring) < 0.2 * ring, qPrintable(QStringLiteral("%1 of %2").arg(found).arg(ring)));
                QVERIFY2(countColour(image, rows, look.colour(Role::Peak)) - found > 80, "the tag");
            }
    }

    void aFoldedRowShowsThePeakOfItsTensor()
    {
        GridView view = grid(12);
        const int tensor = rowOf(view, "FFN") + 1;
        QVERIFY(view.rows[static_cast<std::size_t>(tensor)].isTensor());
        const GridLayout layout = layoutGrid(QRectF(0, 0, 890, 370), view, theme(Lightness::Light));
        QCOMPARE(layout.shownIndexOf(view, tensor), layout.shownIndexOf(view, rowOf(view, "FFN")));
        view.rows[static_cast<std::size_t>(rowOf(view, "FFN"))].isOpen = true;
        const GridLayout open = layoutGrid(QRectF(0, 0, 890, 370), view, theme(Lightness::Light));
        QCOMPARE(open.rows[static_cast<std::size_t>(open.shownIndexOf(view, tensor))].row, tensor);
    }

    void pinsAreDotsInWideColumnsAndBarsInNarrowOnes()
    {
        const Theme look = theme(Lightness::Light);
        for (const int layers : {12, 126}) {
            GridView view = grid(layers);
            const int row = rowOf(view, "attention");
            const GridLayout layout = layoutGrid(QRectF(0, 0, 890, 370), view, look);
            const QRectF cell = layout.cellRect(view, layout.shownIndexOf(view, row), view.columnOf(5));
            QCOMPARE(countColour(picture(view, look, {890, 370}), cell, look.colour(Role::Text)), 0);
            view.cell(row, view.columnOf(5)).pin = Pin::Keep;
            const int marked = countColour(picture(view, look, {890, 370}), cell, look.colour(Role::Text));
            if (layers == 12)
                QVERIFY2(marked >= 22 && marked <= 39, qPrintable(QString::number(marked))); // a 7 px disc has 38 px
            else
                QCOMPARE(marked, int(cell.width()) * 3);
        }
    }

    void embeddingAndHeadHaveTheAreaOfTheirBytes()
    {
        const Theme look = theme(Lightness::Light);
        const GridView view = grid(12);
        const GridLayout layout = layoutGrid(QRectF(0, 0, 890, 370), view, look);
        const int head = view.columnCount() - 1;
        // The head holds 2.0, a layer 16.0 units (sample_views.h).
        const double share = layout.cellRect(view, 0, head).height() / (layout.contentHeight - layout.rowGap);
        QVERIFY2(std::abs(share - 2.0 / 16.0) < 0.01, qPrintable(QString::number(share)));
    }

    void picturesAreNotOneColour()
    {
        for (const Lightness lightness : {Lightness::Light, Lightness::Dark})
            for (const double ratio : {1.0, 2.0}) {
                const Theme look = theme(lightness);
                const QImage image = picture(grid(32), look, {740, 220}, ratio);
                QSet<QRgb> colours;
                for (int y = 0; y < image.height(); y += 3)
                    for (int x = 0; x < image.width(); x += 3)
                        colours.insert(image.pixel(x, y));
                QVERIFY(colours.size() > 20);
            }
    }

    void aPartialRepaintEqualsAFullOne()
    {
        const Theme look = theme(Lightness::Dark);
        const QRectF whole(0, 0, 890, 370);
        const GridView before = grid(32);
        GridView after = grid(32, [](int layer) { return layer < 11 ? usual(layer, 32) : QByteArray("KKKRRRKKR"); });
        after.peak = GridPlace{rowOf(after, "FFN"), 30};
        const GridLayout old = layoutGrid(whole, before, look), now = layoutGrid(whole, after, look);
        const QRegion changed = changedGround(old, before, now, after, whole, look);
        QVERIFY(!changed.isEmpty());
        int area = 0;
        for (const QRect& rect : changed)
            area += rect.width() * rect.height();
        QVERIFY2(area < 0.8 * whole.width() * whole.height(), "unchanged cells are left alone");
        const auto ground = [&](QPainter& painter, const GridLayout& layout, const GridView& view,
                                const QRectF& exposed) { paintGridGround(painter, layout, view, look, exposed); };
        const QImage full
            = render(look, {890, 370}, 1.0, [&](QPainter& painter, QRectF rect) { ground(painter, now, after, rect); });
        const QImage partial = render(look, {890, 370}, 1.0, [&](QPainter& painter, QRectF rect) {
            ground(painter, old, before, rect);
            painter.setClipRegion(changed);
            painter.fillRect(rect, look.colour(Role::Panel));
            ground(painter, now, after, changed.boundingRect());
        });
        QCOMPARE(partial, full);
    }

    void aFullRepaintOf96LayersTakesUnderFiveMilliseconds()
    {
        const Theme look = theme(Lightness::Light);
        const GridView view = grid(96);
        for (const double ratio : {1.0, 2.0}) {
            double best = 1e9;
            for (int i = 0; i < 10; ++i) {
                QImage image(QSize(890, 370) * ratio, QImage::Format_ARGB32_Premultiplied);
                image.setDevicePixelRatio(ratio);
                QElapsedTimer timer;
                timer.start();
                QPainter painter(&image);
                paintGrid(painter, layoutGrid(QRectF(0, 0, 890, 370), view, look), view, {}, look);
                painter.end();
                best = std::min(best, static_cast<double>(timer.nsecsElapsed()) / 1e6);
            }
            qInfo("grid, 96 layers, %gx: %.2f ms", ratio, best);
            QVERIFY(best < 5.0 * ratio);
        }
    }
};

QTEST_MAIN(GridPainterTest)
#include "grid_painter_test.moc"
