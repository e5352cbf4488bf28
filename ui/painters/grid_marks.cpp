// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/painters/grid_marks.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <cmath>

#include "ui/painters/grid_layout.h"
#include "ui/theme/theme.h"

namespace remat::ui {

namespace {

constexpr double kDotBelowColumn = 12.0;

std::optional<QRectF> rectOf(const GridLayout& layout, const GridView& view, const GridPlace& place)
{
    const int column = view.columnOf(place.layer), shown = layout.shownIndexOf(view, place.row);
    if (column < 0 || shown < 0)
        return std::nullopt;
    return layout.cellRect(view, shown, column);
}

/// A 2 px ring whose inner edge lies one pixel inside the cell, with a 1 px panel-coloured halo on both sides: ring and
/// keep colour alone are too close to tell apart.
void paintRing(QPainter& painter, const QRectF& rect, const QColor& colour, const QColor& halo)
{
    painter.setBrush(Qt::NoBrush);
    const QRectF middle = rect;
    QPen pen(halo, 4.0);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(pen);
    painter.drawRect(middle);
    pen.setColor(colour);
    pen.setWidthF(2.0);
    painter.setPen(pen);
    painter.drawRect(middle);
}

/// What the ring of a place goes round: the cell, its row of layers, or its column from the first row to the last.
std::optional<QRectF> extentOf(const GridLayout& layout, const GridView& view, const GridPlace& place)
{
    std::optional<QRectF> rect = rectOf(layout, view, place);
    if (!rect || layout.rows.empty())
        return rect;
    if (place.extent == GridPlace::Extent::Row) {
        for (const int layer : {0, view.layerCount - 1})
            if (const auto end = rectOf(layout, view, {place.row, layer}))
                *rect = layer == 0 && !view.isLayer(view.columnOf(place.layer)) ? *end : rect->united(*end);
    } else if (place.extent == GridPlace::Extent::Layer) {
        for (const GridRowBox& row : {layout.rows.front(), layout.rows.back()})
            if (const auto end = rectOf(layout, view, {row.row, place.layer}))
                *rect = rect->united(*end);
    }
    return rect;
}

void clipToRows(QPainter& painter, const GridLayout& layout)
{
    painter.setClipRect(layout.viewport.adjusted(0, -3, 0, 1), Qt::IntersectClip);
}

} // namespace

double gridMarkMargin(const Theme& theme)
{
    return theme.px(20);
}

void paintGridPins(
    QPainter& painter, const GridLayout& layout, const GridView& view, const Theme& theme, const QRectF& exposed)
{
    const QColor colour = theme.colour(Role::Text), halo = theme.colour(Role::Panel);
    painter.save();
    clipToRows(painter, layout);
    for (std::size_t i = 0; i < layout.rows.size(); ++i)
        for (int column = 0; column < view.columnCount(); ++column) {
            if (view.cell(layout.rows[i].row, column).pin == Pin::None)
                continue;
            if (view.columns[static_cast<std::size_t>(column)].isWhole && i > 0)
                continue;
            const QRectF rect = layout.cellRect(view, static_cast<int>(i), column);
            if (!rect.intersects(exposed))
                continue;
            if (rect.width() < theme.px(kDotBelowColumn)) {
                painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), theme.px(3) + 1.0), halo);
                painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), theme.px(3)), colour);
                continue;
            }
            const double radius = theme.px(7) / 2.0;
            const QPointF centre(rect.right() - radius - theme.px(3), rect.top() + radius + theme.px(3));
            painter.setRenderHint(QPainter::Antialiasing, true);
            painter.setPen(Qt::NoPen);
            painter.setBrush(halo);
            painter.drawEllipse(centre, radius + 1.5, radius + 1.5);
            painter.setBrush(colour);
            painter.drawEllipse(centre, radius, radius);
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
    painter.restore();
}

void paintGridPeak(QPainter& painter, const GridLayout& layout, const GridView& view, const Theme& theme)
{
    const std::optional<QRectF> rect = view.peak ? rectOf(layout, view, *view.peak) : std::nullopt;
    if (!rect)
        return;
    const QColor colour = theme.colour(Role::Peak), halo = theme.colour(Role::Panel);
    painter.save();
    clipToRows(painter, layout);
    paintRing(painter, *rect, colour, halo);

    const QFont font = theme.font(FontRole::Tick, true);
    const QFontMetricsF metrics(font);
    const QString text = QCoreApplication::translate("Grid", "peak");
    const double width = std::ceil(metrics.horizontalAdvance(text)) + theme.px(6);
    const double height = std::ceil(metrics.height());
    // Above the ring, under it where that would leave the rows, or inside it where the cell is as high as they are.
    // It never passes the layers' right end by more than the ring does.
    const double right = std::max(layout.cellsRight, rect->right()) + 1.0;
    const double left = std::round(std::min(rect->center().x() - width / 2.0, right - width));
    const bool isAbove = rect->top() - height >= layout.viewport.top();
    const bool isBelow = !isAbove && rect->bottom() + height <= layout.viewport.bottom();
    const QRectF tag(left, isAbove ? rect->top() - height : isBelow ? rect->bottom() : rect->top(), width, height);
    painter.fillRect(tag.adjusted(-1, isAbove ? -1 : 0, 1, 1), halo);
    painter.fillRect(tag, colour);
    painter.setFont(font);
    painter.setPen(textOn(colour));
    painter.drawText(tag, Qt::AlignCenter, text);
    painter.restore();
}

void paintGridSelection(
    QPainter& painter, const GridLayout& layout, const GridView& view, const GridPlace& place, const Theme& theme)
{
    const std::optional<QRectF> rect = rectOf(layout, view, place);
    if (!rect)
        return;
    painter.save();
    clipToRows(painter, layout);
    const double bottom = layout.viewport.top() + layout.contentHeight - layout.scroll;
    const QRectF band(
        QPointF(rect->left() - 2.0, layout.viewport.top() - 2.0), QPointF(rect->right() + 1.0, bottom - 1.0));
    QPen dots(theme.colour(Role::Text), 1.0);
    dots.setDashPattern({1.0, 2.0});
    painter.setPen(dots);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(band.adjusted(0.5, 0.5, 0.5, -0.5));
    paintRing(painter, *extentOf(layout, view, place), theme.colour(Role::Text), theme.colour(Role::Panel));
    painter.restore();
}

void paintGridHover(
    QPainter& painter, const GridLayout& layout, const GridView& view, const GridPlace& place, const Theme& theme)
{
    const std::optional<QRectF> rect = extentOf(layout, view, place);
    if (!rect)
        return;
    painter.save();
    clipToRows(painter, layout);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.colour(Role::Panel), 3.0));
    painter.drawRect(rect->adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setPen(QPen(theme.colour(Role::Muted), 1.0));
    painter.drawRect(rect->adjusted(0.5, 0.5, -0.5, -0.5));
    painter.restore();
}

QRectF gridPaintingRect(const GridLayout& layout, const GridView& view, const GridStretch& cells)
{
    const std::optional<QRectF> first = rectOf(layout, view, {cells.row, cells.first});
    const std::optional<QRectF> last = rectOf(layout, view, {cells.row, cells.last});
    return first && last ? first->united(*last) : QRectF();
}

void paintGridPainting(
    QPainter& painter, const GridLayout& layout, const GridView& view, const GridStretch& cells, const Theme& theme)
{
    const QRectF rect = gridPaintingRect(layout, view, cells);
    if (rect.isEmpty())
        return;
    painter.save();
    clipToRows(painter, layout);
    paintRing(painter, rect, theme.colour(Role::Text), theme.colour(Role::Panel));
    painter.restore();
}

} // namespace remat::ui
