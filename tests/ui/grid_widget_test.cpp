// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest/QTest>

#include "sample_views.h"
#include "ui/widgets/grid_widget.h"

using namespace samples;

namespace {

struct Fixture {
    GridWidget widget{theme(Lightness::Light)};
    QSignalSpy selected{&widget, &GridWidget::cellSelected};
    QSignalSpy pins{&widget, &GridWidget::pinRequested};
    QSignalSpy toggles{&widget, &GridWidget::rowToggled};

    explicit Fixture(const GridView& view, QSize size = {890, 370})
    {
        widget.resize(size);
        widget.setView(view);
        widget.show();
        (void)QTest::qWaitForWindowExposed(&widget);
    }
    GridPlace last() const { return selected.last().first().value<GridPlace>(); }
    QPoint centreOf(int row, int layer) const
    {
        const GridLayout& layout = widget.shownLayout();
        const int shown = layout.shownIndexOf(widget.shownView(), row);
        return layout.cellRect(widget.shownView(), shown, widget.shownView().columnOf(layer)).center().toPoint();
    }
};

GridView open(GridView view, const char* row)
{
    view.rows[static_cast<std::size_t>(rowOf(view, row))].isOpen = true;
    return view;
}

} // namespace

/// Expected behaviour: the design page's grid.
class GridWidgetTest : public QObject {
    Q_OBJECT
private slots:
    void clickSelectsAndSpaceWalksThePins()
    {
        GridView view = grid(12);
        Fixture f(view);
        const int row = rowOf(view, "attention");
        QTest::mouseClick(&f.widget, Qt::LeftButton, {}, f.centreOf(row, 5));
        QCOMPARE(f.last(), (GridPlace{row, 5}));
        for (const Pin expected : {Pin::Keep, Pin::Recompute, Pin::None}) {
            QTest::keyClick(&f.widget, Qt::Key_Space);
            QCOMPARE(f.pins.last().at(0).toInt(), row);
            QCOMPARE(f.pins.last().at(1).toInt(), 5);
            QCOMPARE(f.pins.last().at(2).toInt(), 5);
            QCOMPARE(f.pins.last().at(3).value<Pin>(), expected);
            view.cell(row, view.columnOf(5)).pin = expected;
            f.widget.setView(view);
        }
    }

    void aDragAlongARowPinsLikeTheLastPin()
    {
        const GridView view = grid(12);
        Fixture f(view);
        const int row = rowOf(view, "attention");
        const auto drag = [&](int from, int to, QPoint stray = {}) {
            QTest::mousePress(&f.widget, Qt::LeftButton, {}, f.centreOf(row, from));
            QTest::mouseMove(&f.widget, (f.centreOf(row, from) + f.centreOf(row, to)) / 2);
            QTest::mouseMove(&f.widget, f.centreOf(row, to) + stray);
        };
        // A click selects and pins nothing.
        QTest::mouseClick(&f.widget, Qt::LeftButton, {}, f.centreOf(row, 5));
        QCOMPARE(f.pins.size(), 0);
        // Keep is the first brush; the hand may stray out of the row.
        drag(3, 7, {0, 30});
        QCOMPARE(f.pins.size(), 0);
        QTest::mouseRelease(&f.widget, Qt::LeftButton, {}, f.centreOf(row, 7));
        QCOMPARE(f.pins.takeFirst(), (QVariantList{row, 3, 7, QVariant::fromValue(Pin::Keep)}));
        // A pin key pins the selected cell and chooses the brush; backwards works as well.
        QTest::keyClick(&f.widget, Qt::Key_R);
        QCOMPARE(f.pins.takeFirst(), (QVariantList{row, 3, 3, QVariant::fromValue(Pin::Recompute)}));
        drag(9, 4);
        QTest::mouseRelease(&f.widget, Qt::LeftButton, {}, f.centreOf(row, 4));
        QCOMPARE(f.pins.takeFirst(), (QVariantList{row, 4, 9, QVariant::fromValue(Pin::Recompute)}));
        // Escape gives up.
        drag(2, 6);
        QTest::keyClick(&f.widget, Qt::Key_Escape);
        QTest::mouseRelease(&f.widget, Qt::LeftButton, {}, f.centreOf(row, 6));
        QCOMPARE(f.pins.size(), 0);
        QTest::keyClick(&f.widget, Qt::Key_A);
        QCOMPARE(f.pins.takeFirst(), (QVariantList{row, 2, 2, QVariant::fromValue(Pin::None)}));
        QTest::keyClick(&f.widget, Qt::Key_K);
        QCOMPARE(f.pins.takeFirst(), (QVariantList{row, 2, 2, QVariant::fromValue(Pin::Keep)}));
    }

    void arrowsStepLayersAndShownRows()
    {
        const GridView view = grid(12);
        Fixture f(view);
        QTest::keyClick(&f.widget, Qt::Key_Right); // the first key selects the first cell
        QCOMPARE(f.last(), (GridPlace{0, 0}));
        QTest::keyClick(&f.widget, Qt::Key_Right);
        QTest::keyClick(&f.widget, Qt::Key_Down);
        QTest::keyClick(&f.widget, Qt::Key_Down);
        // Two rows down from norm 1, attention's tensors being folded away: residual 1.
        QCOMPARE(f.last(), (GridPlace{rowOf(view, "residual 1"), 1}));
        QTest::keyClick(&f.widget, Qt::Key_Up);
        QCOMPARE(f.last(), (GridPlace{rowOf(view, "attention"), 1}));
        QTest::keyClick(&f.widget, Qt::Key_Left);
        QTest::keyClick(&f.widget, Qt::Key_Left);
        QCOMPARE(f.last().layer, -1); // the embedding
        f.selected.clear();
        QTest::keyClick(&f.widget, Qt::Key_Left);
        QCOMPARE(f.selected.size(), 0);
        QTest::keyClick(&f.widget, Qt::Key_End);
        QCOMPARE(f.last().layer, 12); // the head
    }

    void theTriangleAndThePlusKeyOpenARow()
    {
        GridView view = grid(12);
        Fixture f(view);
        const int row = rowOf(view, "FFN");
        const GridLayout& layout = f.widget.shownLayout();
        QTest::mouseClick(&f.widget, Qt::LeftButton, {},
            layout.triangleRect(layout.shownIndexOf(view, row), f.widget.theme()).center().toPoint());
        QCOMPARE(f.toggles.size(), 1);
        QCOMPARE(f.toggles.last(), (QVariantList{row, true}));
        f.widget.setSelection(GridPlace{row, 2});
        QTest::keyClick(&f.widget, Qt::Key_Plus);
        QCOMPARE(f.toggles.size(), 2);
        QTest::keyClick(&f.widget, Qt::Key_Minus);
        QCOMPARE(f.toggles.size(), 2); // it is folded already

        view = open(view, "FFN");
        f.widget.setView(view);
        f.widget.setSelection(GridPlace{row + 1, 2});
        QTest::keyClick(&f.widget, Qt::Key_Minus);
        QCOMPARE(f.toggles.last(), (QVariantList{row, false}));
        QCOMPARE(f.widget.selection(), std::optional(GridPlace{row, 2}));
    }

    void rowHeightFollowsBytesFromSixteenPixels()
    {
        const GridView view = grid(12);
        Fixture f(view);
        const GridLayout& layout = f.widget.shownLayout();
        const auto height = [&](const char* name) {
            return layout.rows[static_cast<std::size_t>(layout.shownIndexOf(view, rowOf(view, name)))].height;
        };
        // 8 units against 4 (sample_views.h): the spare height above 16 px is twice as large.
        QVERIFY(std::abs((height("FFN") - 16.0) - 2.0 * (height("attention") - 16.0)) <= 2.0);
        QVERIFY(height("residual 2") >= 16.0);
        QVERIFY(std::abs(layout.contentHeight - layout.viewport.height()) <= 1.0);
        const GridView opened = open(view, "FFN");
        f.widget.setView(opened);
        QCOMPARE(height("FFN"), 18.0);
    }

    void manyLayersFitWithoutAHorizontalScrollBar_data()
    {
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("width");
        for (const int layers : {1, 2, 12, 14, 15, 40, 41, 64, 65, 96, 126, 200})
            for (const int width : {560, 740, 890, 1600})
                QTest::addRow("%d layers, %d px", layers, width) << layers << width;
    }

    void manyLayersFitWithoutAHorizontalScrollBar()
    {
        QFETCH(int, layers);
        QFETCH(int, width);
        const GridView view = grid(layers);
        Fixture f(view, {width, 220});
        for (const LayerGrouping grouping : {LayerGrouping::Never, LayerGrouping::Always}) {
            f.widget.setGrouping(grouping);
            const GridLayout& layout = f.widget.shownLayout();
            const GridView& shown = f.widget.shownView();
            QVERIFY(layout.columns.front().left >= layout.labelRight);
            QVERIFY(layout.columns.back().right < layout.keptRight);
            for (std::size_t i = 1; i < layout.columns.size(); ++i)
                QVERIFY(layout.columns[i].left >= layout.columns[i - 1].right);
            for (int column = 0; column < shown.columnCount(); ++column)
                if (shown.columns[static_cast<std::size_t>(column)].count() == 1)
                    QVERIFY(layout.columns[static_cast<std::size_t>(column)].right
                            - layout.columns[static_cast<std::size_t>(column)].left
                        <= 120.0);
            for (const int selected : {-1, 0, 1, layers / 2, layers - 1}) {
                const auto labels
                    = placeColumnLabels(layout, shown, shown.columnOf(std::max(selected, -1)), f.widget.theme());
                for (std::size_t i = 0; i < labels.size(); ++i)
                    for (std::size_t j = i + 1; j < labels.size(); ++j)
                        QVERIFY2(!labels[i].rect.intersects(labels[j].rect),
                            qPrintable(labels[i].text + QStringLiteral(" touches ") + labels[j].text));
                const auto has = [&](int layer) {
                    return std::any_of(labels.begin(), labels.end(),
                        [&](const GridLabel& label) { return label.column == shown.columnOf(layer); });
                };
                // Narrower than any window lets the grid be, only the selected label is sure of its place.
                QVERIFY(width < 740 || (has(0) && has(layers - 1)));
                QVERIFY2(selected < 0 || has(selected), "the selected layer is labelled");
            }
        }
    }

    void labelsThinOutWithTheLayers()
    {
        const auto labelled = [](int layers) {
            const GridView view = grid(layers, {}, false);
            const GridLayout layout = layoutGrid(QRectF(0, 0, 1600, 300), view, theme(Lightness::Light));
            std::vector<int> found;
            for (const GridLabel& label : placeColumnLabels(layout, view, -1, theme(Lightness::Light)))
                found.push_back(label.column);
            std::sort(found.begin(), found.end());
            return found;
        };
        QCOMPARE(labelled(14).size(), std::size_t{14});
        QCOMPARE(labelled(32), (std::vector<int>{0, 4, 8, 12, 16, 20, 24, 28, 31}));
        QCOMPARE(labelled(64), (std::vector<int>{0, 8, 16, 24, 32, 40, 48, 56, 63}));
        QCOMPARE(labelled(126), (std::vector<int>{0, 16, 32, 48, 64, 80, 96, 112, 125}));
    }

    void equalLayersAreGroupedBelowSixPixels()
    {
        Fixture few(grid(12)), many(grid(126), {740, 220});
        QVERIFY(!few.widget.isGrouped());
        QVERIFY(many.widget.isGrouped());
        // usual(): 31 layers keep more, the last 21 less.
        QStringList labels;
        for (int column = 0; column < many.widget.shownView().columnCount(); ++column)
            labels << columnLabel(many.widget.shownView(), column);
        QCOMPARE(labels,
            (QStringList{QStringLiteral("emb"), QStringLiteral("0\u201330"), QStringLiteral("31\u2013104"),
                QStringLiteral("105\u2013125"), QStringLiteral("head")}));
        QSignalSpy changed(&many.widget, &GridWidget::groupedChanged);
        many.widget.setGrouping(LayerGrouping::Never);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(many.widget.shownView().columnCount(), 128);
    }

    void groupingKeepsTotalsAndSeparatesPinsAndPeak()
    {
        GridView view = grid(126);
        view.peak = GridPlace{rowOf(view, "FFN"), 125};
        view.cell(rowOf(view, "FFN"), view.columnOf(40)).pin = Pin::Keep;
        const GridView grouped = groupEqualLayers(view);
        QCOMPARE(grouped.columns[static_cast<std::size_t>(grouped.columnOf(40))].count(), 1);
        QCOMPARE(grouped.columns[static_cast<std::size_t>(grouped.columnOf(125))].count(), 1);
        QCOMPARE(grouped.columns[static_cast<std::size_t>(grouped.columnOf(124))].first, 105);
        for (int row = 0; row < view.rowCount(); ++row) {
            Bytes kept, all;
            for (int column = 1; column + 1 < grouped.columnCount(); ++column) {
                kept += grouped.cell(row, column).kept;
                all += grouped.cell(row, column).all;
            }
            QCOMPARE(kept, view.rows[static_cast<std::size_t>(row)].kept);
            QCOMPARE(all, view.rows[static_cast<std::size_t>(row)].all);
        }
        QCOMPARE(grouped.cell(0, 0), view.cell(0, 0));
    }

    void editsInAGroupActOnTheRunAndArrowsStillStepOneLayer()
    {
        const GridView view = grid(126);
        Fixture f(view, {740, 220});
        const int row = rowOf(view, "attention");
        QTest::mouseClick(&f.widget, Qt::LeftButton, {}, f.centreOf(row, 60));
        QTest::keyClick(&f.widget, Qt::Key_Space);
        QCOMPARE(f.pins.last().at(1).toInt(), 31);
        QCOMPARE(f.pins.last().at(2).toInt(), 104);
        f.widget.setSelection(GridPlace{row, 60});
        QTest::keyClick(&f.widget, Qt::Key_Right);
        QCOMPARE(f.last().layer, 61);
    }

    void tallRowsScrollInsideOnly()
    {
        GridView view = open(open(open(grid(12), "FFN"), "attention"), "residual 1");
        Fixture f(view, {890, 160});
        auto* bar = f.widget.findChild<QScrollBar*>();
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->orientation(), Qt::Vertical);
        QCOMPARE(f.widget.findChildren<QScrollBar*>().size(), 1);
        for (const GridRowBox& row : f.widget.shownLayout().rows)
            QVERIFY(row.height >= 16.0);
        const QRectF footer = f.widget.shownLayout().footer;
        for (int i = 0; i < 12; ++i)
            QTest::keyClick(&f.widget, Qt::Key_Down);
        QCOMPARE(bar->value(), bar->maximum());
        QCOMPARE(f.widget.shownLayout().footer, footer);
        const QPoint lastCell = f.centreOf(rowOf(view, "residual 2"), 3);
        QVERIFY(f.widget.shownLayout().viewport.contains(lastCell));
    }

    void hoverIsReportedAndTheMagnifierFollowsInNarrowColumns()
    {
        const GridView view = grid(126);
        Fixture f(view, {740, 220});
        f.widget.setGrouping(LayerGrouping::Never);
        const QImage before = f.widget.grab().toImage();
        QSignalSpy hovered(&f.widget, &GridWidget::cellHovered);
        QTest::mouseMove(&f.widget, f.centreOf(0, 60));
        QCOMPARE(hovered.size(), 1);
        const auto place = hovered.last().first().value<std::optional<GridPlace>>();
        QCOMPARE(place->layer, 60);
        const QImage after = f.widget.grab().toImage();
        int changed = 0;
        for (int y = 0; y < after.height(); ++y)
            for (int x = 0; x < after.width(); ++x)
                changed += after.pixel(x, y) != before.pixel(x, y);
        QVERIFY2(changed > 3000, qPrintable(QString::number(changed)));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&f.widget, &leave);
        QVERIFY(!hovered.last().first().value<std::optional<GridPlace>>().has_value());
        QCOMPARE(f.widget.grab().toImage(), before);
    }

    void aRowsNameAndALayersNumberSelectAllOfThem()
    {
        const GridView view = grid(12);
        Fixture f(view);
        const int row = rowOf(view, "FFN");
        const GridLayout& layout = f.widget.shownLayout();
        f.widget.setSelection(GridPlace{row, 4});
        const auto pins = [&] { return f.pins.last().mid(0, 3); };
        // The row by its name: every layer, and neither embedding nor head.
        const QRectF cell = layout.cellRect(view, layout.shownIndexOf(view, row), view.columnOf(0));
        QTest::mouseClick(&f.widget, Qt::LeftButton, {}, QPointF(layout.labelRight - 4, cell.center().y()).toPoint());
        QCOMPARE(f.last(), (GridPlace{row, 4, GridPlace::Extent::Row}));
        QTest::keyClick(&f.widget, Qt::Key_K);
        QCOMPARE(pins(), (QVariantList{row, 0, 11}));
        // The layer by its number: every row.
        QTest::mouseClick(
            &f.widget, Qt::LeftButton, {}, QPointF(cell.center().x(), layout.header.center().y()).toPoint());
        QCOMPARE(f.last(), (GridPlace{row, 0, GridPlace::Extent::Layer}));
        QTest::keyClick(&f.widget, Qt::Key_R);
        QCOMPARE(pins(), (QVariantList{kEveryRow, 0, 0}));
        // By keys, there and back; an arrow leads to a single cell again.
        QTest::keyClick(&f.widget, Qt::Key_Space, Qt::ShiftModifier);
        QCOMPARE(f.last().extent, GridPlace::Extent::Row);
        QTest::keyClick(&f.widget, Qt::Key_Space, Qt::ControlModifier);
        QCOMPARE(f.last().extent, GridPlace::Extent::Layer);
        QTest::keyClick(&f.widget, Qt::Key_Space, Qt::ControlModifier);
        QCOMPARE(f.last().extent, GridPlace::Extent::Cell);
        QTest::keyClick(&f.widget, Qt::Key_Space, Qt::ShiftModifier);
        QTest::keyClick(&f.widget, Qt::Key_Right);
        QCOMPARE(f.last(), (GridPlace{row, 1}));
    }

    void theCornerOfACellPinsAndSoDoesControl()
    {
        const GridView view = grid(12);
        Fixture f(view);
        const int row = rowOf(view, "FFN");
        const GridLayout& layout = f.widget.shownLayout();
        const QRectF cell = layout.cellRect(view, layout.shownIndexOf(view, row), view.columnOf(5));
        QVERIFY(cell.width() >= 24 && cell.height() >= 24);
        QTest::mouseClick(&f.widget, Qt::LeftButton, {}, cell.center().toPoint());
        QCOMPARE(f.pins.size(), 0);
        QTest::mouseClick(&f.widget, Qt::LeftButton, {}, (cell.topRight() + QPointF(-5, 5)).toPoint());
        QCOMPARE(f.pins.size(), 1);
        QCOMPARE(f.pins.last(), (QVariantList{row, 5, 5, QVariant::fromValue(Pin::Keep)}));
        QTest::mouseClick(&f.widget, Qt::LeftButton, Qt::ControlModifier, f.centreOf(row, 7));
        QCOMPARE(f.pins.last(), (QVariantList{row, 7, 7, QVariant::fromValue(Pin::Keep)}));
        // Rows that are too low keep their corner for selecting.
        Fixture low(grid(12), {890, 150});
        const GridLayout& lowLayout = low.widget.shownLayout();
        const QRectF small
            = lowLayout.cellRect(view, lowLayout.shownIndexOf(view, rowOf(view, "norm 1")), view.columnOf(5));
        QVERIFY(small.height() < 24);
        QTest::mouseClick(&low.widget, Qt::LeftButton, {}, (small.topRight() + QPointF(-5, 5)).toPoint());
        QCOMPARE(low.pins.size(), 0);
    }

    void whatIsAliveStandsOutAndTheRestStepsBack()
    {
        const GridView view = grid(12);
        Fixture f(view);
        const Theme look = theme(Lightness::Light);
        const int row = rowOf(view, "attention");
        const auto pixelsAt = [&](int layer, Role role) {
            const GridLayout& layout = f.widget.shownLayout();
            const QRectF cell = layout.cellRect(view, layout.shownIndexOf(view, row), view.columnOf(layer));
            return countColour(f.widget.grab().toImage(), cell, look.colour(role));
        };
        QVERIFY(pixelsAt(3, Role::Keep) > 100 && pixelsAt(4, Role::Keep) > 100);
        f.widget.setLit({{row, 3}});
        QVERIFY(pixelsAt(3, Role::Keep) > 100);
        QVERIFY(pixelsAt(3, Role::Peak) > 40);
        QCOMPARE(pixelsAt(4, Role::Keep), 0);
        // A tensor of a folded sublayer lights the sublayer.
        f.widget.setLit({{row + 1, 4}});
        QVERIFY(view.rows[static_cast<std::size_t>(row + 1)].parent == row);
        QVERIFY(pixelsAt(4, Role::Keep) > 100);
        QCOMPARE(pixelsAt(3, Role::Keep), 0);
        f.widget.setLit({});
        QVERIFY(pixelsAt(3, Role::Keep) > 100);
    }

    void aMenuIsAskedForCellsRowsAndLayers()
    {
        const GridView view = grid(12);
        Fixture f(view);
        QSignalSpy menus(&f.widget, &GridWidget::contextMenuRequested);
        const auto ask = [&](QPoint at) {
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, f.widget.mapToGlobal(at));
            QCoreApplication::sendEvent(&f.widget, &event);
            return menus.last().first().value<GridPlace>();
        };
        const int row = rowOf(view, "FFN");
        const QPoint cell = f.centreOf(row, 6);
        const GridLayout& layout = f.widget.shownLayout();
        QCOMPARE(ask(cell), (GridPlace{row, 6}));
        QCOMPARE(ask({cell.x(), static_cast<int>(layout.header.center().y())}),
            (GridPlace{row, 6, GridPlace::Extent::Layer}));
        QCOMPARE(ask({static_cast<int>(layout.labelRight) - 4, cell.y()}), (GridPlace{row, 6, GridPlace::Extent::Row}));
    }

    void toolTipsComeFromTheOwner()
    {
        const GridView view = grid(12);
        Fixture f(view);
        std::optional<GridPlace> asked;
        f.widget.setToolTipProvider([&](const GridPlace& place) {
            asked = place;
            return QStringLiteral("FFN");
        });
        const QPoint point = f.centreOf(rowOf(view, "FFN"), 7);
        QHelpEvent help(QEvent::ToolTip, point, f.widget.mapToGlobal(point));
        QCoreApplication::sendEvent(&f.widget, &help);
        QCOMPARE(asked, std::optional(GridPlace{rowOf(view, "FFN"), 7}));
    }

    void aNewViewRepaintsLikeAFreshWidget()
    {
        // The cached ground, repainted in parts, against a widget that never saw the old view.
        GridView before = grid(32), after = grid(32, [](int layer) { return usual((layer + 5) % 32, 32); });
        before.peak = GridPlace{rowOf(before, "FFN"), 31};
        after.peak = GridPlace{rowOf(after, "FFN"), 12};
        Fixture used(before), fresh(after);
        (void)used.widget.grab();
        used.widget.setView(after);
        QCOMPARE(used.widget.grab().toImage(), fresh.widget.grab().toImage());
        used.widget.setTheme(theme(Lightness::Dark));
        fresh.widget.setTheme(theme(Lightness::Dark));
        QCOMPARE(used.widget.grab().toImage(), fresh.widget.grab().toImage());
    }

    void theGenerationIsRecordedEvenWhenNoPixelChanges()
    {
        GridView view = grid(12);
        Fixture f(view);
        view.generation = 9;
        f.widget.setView(view);
        QTRY_COMPARE(f.widget.paintedGeneration(), quint64{9});
    }

    void aSmallerModelDropsWhatNoLongerExists()
    {
        Fixture f(grid(126), {740, 220});
        f.widget.setSelection(GridPlace{2, 100});
        f.widget.setView(grid(12));
        QVERIFY(!f.widget.selection().has_value());
        QTest::keyClick(&f.widget, Qt::Key_Space);
        QCOMPARE(f.pins.size(), 0);
    }

    void anEmptyViewIsHarmless()
    {
        Fixture f(GridView{});
        for (const int key : {Qt::Key_Left, Qt::Key_Down, Qt::Key_Space, Qt::Key_Plus, Qt::Key_End})
            QTest::keyClick(&f.widget, static_cast<Qt::Key>(key));
        QTest::mouseClick(&f.widget, Qt::LeftButton, {}, QPoint(300, 100));
        QCOMPARE(f.selected.size(), 0);
        QVERIFY(!f.widget.accessibleName().isEmpty());
    }
};

QTEST_MAIN(GridWidgetTest)
#include "grid_widget_test.moc"
