// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/painters/grid_cells.h"
#include "ui/painters/grid_layout.h"
#include "ui/painters/grid_marks.h"
#include "ui/theme/theme.h"

namespace remat::ui {

namespace {

constexpr int kLayersShown = 9;
constexpr double kColumnWidth = 24.0;
constexpr double kPadding = 6.0;

struct Span {
    int first = 0, last = -1;
    int count() const { return last - first + 1; }
};

/// The nine layer columns around one, moved inward at the ends.
Span shownColumns(const GridView& view, int layer)
{
    const int centre = view.columnOf(layer);
    if (centre < 0 || !view.isLayer(centre))
        return {};
    const int firstLayer = view.columnOf(0), lastLayer = view.columnOf(view.layerCount - 1);
    const int first
        = std::clamp(centre - kLayersShown / 2, firstLayer, std::max(firstLayer, lastLayer - kLayersShown + 1));
    return {first, std::min(lastLayer, first + kLayersShown - 1)};
}

GridView partOf(const GridView& view, const Span& span)
{
    GridView part = view;
    const auto first = static_cast<std::ptrdiff_t>(span.first), last = static_cast<std::ptrdiff_t>(span.last) + 1;
    part.columns.assign(view.columns.begin() + first, view.columns.begin() + last);
    part.cells.clear();
    const auto width = static_cast<std::ptrdiff_t>(view.columns.size());
    for (std::ptrdiff_t row = 0; row < static_cast<std::ptrdiff_t>(view.rows.size()); ++row)
        part.cells.insert(
            part.cells.end(), view.cells.begin() + row * width + first, view.cells.begin() + row * width + last);
    return part;
}

} // namespace

QRectF gridMagnifierRect(const GridLayout& layout, const GridView& view, int layer, const Theme& theme)
{
    const Span span = shownColumns(view, layer);
    if (!layout.isDense() || span.count() <= 0)
        return {};
    const GridColumnBox& box = layout.columns[static_cast<std::size_t>(view.columnOf(layer))];
    const double width = span.count() * theme.px(kColumnWidth) + 2.0 * theme.px(kPadding);
    const double left
        = std::clamp(std::round((box.left + box.right - width) / 2.0), layout.cellsLeft - theme.px(kPadding),
            std::max(layout.cellsLeft, layout.cellsRight + theme.px(kPadding) - width));
    const double bottom
        = std::min(layout.viewport.bottom(), layout.viewport.top() + layout.contentHeight - layout.scroll);
    return {left, layout.header.top(), width, bottom + theme.px(kPadding) - layout.header.top()};
}

void paintGridMagnifier(
    QPainter& painter, const GridLayout& layout, const GridView& view, int layer, const Theme& theme)
{
    const QRectF lens = gridMagnifierRect(layout, view, layer, theme);
    if (lens.isEmpty())
        return;
    const Span span = shownColumns(view, layer);
    const GridView part = partOf(view, span);
    GridLayout wide = layout;
    wide.columns.clear();
    wide.columnGap = 2.0;
    wide.pitch = theme.px(kColumnWidth);
    const double start = lens.left() + theme.px(kPadding);
    for (int i = 0; i < span.count(); ++i)
        wide.columns.push_back(
            {start + i * wide.pitch, start + (i + 1) * wide.pitch - wide.columnGap, start + (i + 1) * wide.pitch});
    wide.cellsLeft = start;
    wide.cellsRight = wide.columns.back().right;

    painter.save();
    painter.setPen(QPen(theme.colour(Role::Muted), 1.0));
    painter.setBrush(theme.colour(Role::Panel));
    painter.drawRect(lens.adjusted(0.5, 0.5, -0.5, -0.5));
    for (int i = 0; i < span.count(); ++i) {
        const GridColumnBox& box = wide.columns[static_cast<std::size_t>(i)];
        const bool isCentre = view.columnOf(layer) == span.first + i;
        painter.setFont(theme.font(FontRole::Tick, isCentre));
        painter.setPen(theme.colour(isCentre ? Role::Text : Role::Muted));
        painter.drawText(
            QRectF(box.left - 2.0, layout.header.top(), box.right - box.left + 4.0, layout.header.height()),
            Qt::AlignCenter, columnLabel(part, i));
    }
    painter.setClipRect(layout.viewport, Qt::IntersectClip);
    paintGridCells(painter, wide, part, theme, lens);
    paintGridPins(painter, wide, part, theme, lens);
    paintGridPeak(painter, wide, part, theme);
    painter.restore();
}

} // namespace remat::ui
