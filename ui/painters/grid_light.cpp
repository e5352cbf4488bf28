// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QPainter>
#include <vector>

#include "ui/painters/grid_layout.h"
#include "ui/painters/grid_marks.h"
#include "ui/theme/theme.h"

namespace remat::ui {

namespace {

/// So much of a cell that is not alive goes under in the ground; what is kept and recomputed can still be told apart.
constexpr float kVeil = 0.72F;

/// Which of the shown cells are lit: row after row, as many as there are columns each.
std::vector<bool> litCells(const GridLayout& layout, const GridView& view, const std::vector<GridPlace>& lit)
{
    const auto columns = static_cast<std::size_t>(view.columnCount());
    std::vector<bool> cells(layout.rows.size() * columns, false);
    for (const GridPlace& place : lit) {
        const int column = view.columnOf(place.layer);
        if (column < 0)
            continue;
        const auto light = [&](int shown) {
            if (shown >= 0)
                cells[static_cast<std::size_t>(shown) * columns + static_cast<std::size_t>(column)] = true;
        };
        light(view.columns[static_cast<std::size_t>(column)].isWhole ? 0 : layout.shownIndexOf(view, place.row));
        // The summary line of an open sublayer is lit with its tensors.
        if (const int parent = view.rows[static_cast<std::size_t>(place.row)].parent; parent >= 0)
            light(layout.shownIndexOf(view, parent));
    }
    return cells;
}

} // namespace

void paintGridLight(QPainter& painter, const GridLayout& layout, const GridView& view,
    const std::vector<GridPlace>& lit, const Theme& theme)
{
    const std::vector<bool> cells = litCells(layout, view, lit);
    const auto columns = static_cast<std::size_t>(view.columnCount());
    QColor veil = theme.colour(Role::Panel);
    veil.setAlphaF(kVeil);
    painter.save();
    painter.setClipRect(layout.viewport.adjusted(0, 0, 0, 1), Qt::IntersectClip);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.colour(Role::Peak), 1.0));
    for (std::size_t row = 0; row < layout.rows.size(); ++row)
        for (std::size_t column = 0; column < columns; ++column) {
            const bool isWhole = view.columns[column].isWhole;
            if (isWhole && row > 0)
                continue;
            // Neighbours that look alike are one rectangle: dense grids have no gaps that could be seen between them.
            QRectF rect = layout.cellRect(view, static_cast<int>(row), static_cast<int>(column));
            const bool isLit = cells[row * columns + column];
            while (!isWhole && layout.isDense() && column + 1 < columns && !view.columns[column + 1].isWhole
                && cells[row * columns + column + 1] == isLit)
                rect.setRight(layout.cellRect(view, static_cast<int>(row), static_cast<int>(++column)).right());
            if (isLit)
                painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
            else
                painter.fillRect(rect, veil);
        }
    painter.restore();
}

} // namespace remat::ui
