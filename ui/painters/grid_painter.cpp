// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/painters/grid_painter.h"

#include <QCoreApplication>
#include <QPainter>
#include <QRegion>

#include "ui/painters/grid_cells.h"
#include "ui/painters/grid_fill.h"
#include "ui/painters/grid_frame.h"
#include "ui/painters/grid_marks.h"
#include "ui/theme/theme.h"

namespace remat::ui {

namespace {

void paintNoGrid(QPainter& painter, const GridLayout& layout, const Theme& theme)
{
    painter.setFont(theme.font(FontRole::Text));
    painter.setPen(theme.colour(Role::Muted));
    painter.drawText(layout.viewport, Qt::AlignCenter | Qt::TextWordWrap,
        QCoreApplication::translate("Grid", "What every layer keeps appears here with the first plan."));
}

} // namespace

void paintGridGround(
    QPainter& painter, const GridLayout& layout, const GridView& view, const Theme& theme, const QRectF& exposed)
{
    if (view.columns.empty())
        return paintNoGrid(painter, layout, theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (layout.footer.united(layout.legend).intersects(exposed)) {
        paintGridFooter(painter, layout, view, theme);
        paintGridLegend(painter, layout, view, theme);
    }
    painter.save();
    painter.setClipRect(layout.viewport, Qt::IntersectClip);
    paintGridRowTexts(painter, layout, view, theme, exposed);
    paintGridCells(painter, layout, view, theme, exposed);
    painter.restore();
    paintGridPins(painter, layout, view, theme, exposed);
    paintGridPeak(painter, layout, view, theme);
    painter.restore();
}

void paintGridPointing(
    QPainter& painter, const GridLayout& layout, const GridView& view, const GridPointing& pointing, const Theme& theme)
{
    if (view.columns.empty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRectF lens = pointing.hover && pointing.showsMagnifier
        ? gridMagnifierRect(layout, view, pointing.hover->layer, theme)
        : QRectF();
    paintGridHeader(
        painter, layout, view, pointing.selection ? view.columnOf(pointing.selection->layer) : -1, theme, lens);
    if (!pointing.lit.empty()) {
        paintGridLight(painter, layout, view, pointing.lit, theme);
        paintGridPeak(painter, layout, view, theme); // it is read under the veil of the others too
    }
    if (pointing.hover && pointing.hover != pointing.selection)
        paintGridHover(painter, layout, view, *pointing.hover, theme);
    if (pointing.selection)
        paintGridSelection(painter, layout, view, *pointing.selection, theme);
    if (pointing.painting)
        paintGridPainting(painter, layout, view, *pointing.painting, theme);
    if (pointing.hover && pointing.showsMagnifier)
        paintGridMagnifier(painter, layout, view, pointing.hover->layer, theme);
    painter.restore();
}

void paintGrid(
    QPainter& painter, const GridLayout& layout, const GridView& view, const GridPointing& pointing, const Theme& theme)
{
    paintGridGround(painter, layout, view, theme, QRectF(-1e6, -1e6, 2e6, 2e6));
    paintGridPointing(painter, layout, view, pointing, theme);
}

namespace {

bool isSameGeometry(const GridLayout& a, const GridLayout& b)
{
    return a.columns == b.columns && a.rows == b.rows && a.viewport == b.viewport && a.scroll == b.scroll
        && a.keptRight == b.keptRight && a.showsWork == b.showsWork && a.labelRight == b.labelRight;
}

bool isSameFrame(const GridView& a, const GridView& b)
{
    if (a.columns != b.columns || a.metric != b.metric || a.rows.size() != b.rows.size())
        return false;
    for (std::size_t i = 0; i < a.rows.size(); ++i)
        if (a.rows[i].label != b.rows[i].label || a.rows[i].isOpen != b.rows[i].isOpen
            || a.rows[i].canOpen != b.rows[i].canOpen)
            return false;
    // Another unit renumbers every row.
    return gridBytesHeader(a) == gridBytesHeader(b) && gridWorkHeader(a) == gridWorkHeader(b)
        && gridScale(a) == gridScale(b);
}

QRect grown(const QRectF& rect, double margin)
{
    return rect.adjusted(-margin, -margin, margin, margin).toAlignedRect();
}

} // namespace

QRegion changedGround(const GridLayout& before, const GridView& old, const GridLayout& after, const GridView& now,
    const QRectF& whole, const Theme& theme)
{
    if (!isSameGeometry(before, after) || !isSameFrame(old, now))
        return whole.toAlignedRect();
    QRegion region;
    if (old.ends != now.ends || old.total != now.total)
        region += after.footer.toAlignedRect();
    for (std::size_t i = 0; i < after.rows.size(); ++i) {
        const int row = after.rows[i].row;
        const auto index = static_cast<std::size_t>(row);
        if (old.rows[index] != now.rows[index])
            region += QRectF(
                after.cellsRight, after.topOf(after.rows[i]), whole.right() - after.cellsRight, after.rows[i].height)
                          .toAlignedRect();
        // Changed neighbours are one rectangle: a region of hundreds of cells costs more than it saves.
        for (int column = 0; column < now.columnCount(); ++column) {
            if (old.cell(row, column) == now.cell(row, column))
                continue;
            QRectF rect = after.cellRect(now, static_cast<int>(i), column);
            while (column + 1 < now.columnCount() && old.cell(row, column + 1) != now.cell(row, column + 1))
                rect |= after.cellRect(now, static_cast<int>(i), ++column);
            region += grown(rect, 1.0);
        }
    }
    if (old.peak != now.peak)
        for (const std::optional<GridPlace>& place : {old.peak, now.peak}) {
            const int column = place ? now.columnOf(place->layer) : -1;
            const int shown = place ? after.shownIndexOf(now, place->row) : -1;
            if (column >= 0 && shown >= 0)
                region += grown(after.cellRect(now, shown, column), gridMarkMargin(theme));
        }
    return region;
}

} // namespace remat::ui
