// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/painters/grid_cells.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/painters/grid_fill.h"
#include "ui/painters/grid_layout.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"

namespace remat::ui {

namespace {

/// Whole pixels of a share; at least one when there is a share at all.
double pixelsOf(double share, double height)
{
    return share <= 0.0 ? 0.0 : std::clamp(std::round(share * height), 1.0, std::max(1.0, height));
}

} // namespace

QColor plainWorkColour(const Theme& theme)
{
    return mixed(theme.colour(Role::Panel), theme.colour(Role::Muted), 0.6);
}

void paintGridCell(QPainter& painter, const QRectF& rect, const GridFill& fill, const Theme& theme)
{
    const double height = rect.height();
    double solid = pixelsOf(fill.solid, height);
    const double used = pixelsOf(fill.solid + fill.hatch, height);
    if (fill.hatch > 0.0)
        solid = std::min(solid, std::max(0.0, height - 1.0));
    const double hatch = fill.hatch > 0.0 ? std::max(1.0, used - solid) : 0.0;
    const double empty = height - solid - hatch;
    if (empty > 0.0)
        painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), empty),
            mixed(theme.colour(Role::Panel), theme.colour(Role::Line), 0.35));
    if (hatch > 0.0)
        fillHatch(painter, QRectF(rect.left(), rect.top() + empty, rect.width(), hatch), theme.colour(Role::Recompute),
            theme.colour(Role::RecomputeTint));
    if (solid > 0.0)
        painter.fillRect(QRectF(rect.left(), rect.bottom() - solid, rect.width(), solid),
            fill.isPlainWork ? plainWorkColour(theme) : theme.colour(Role::Keep));
}

void paintGridCells(
    QPainter& painter, const GridLayout& layout, const GridView& view, const Theme& theme, const QRectF& exposed)
{
    const GridScale scale = gridScale(view);
    const auto fillOf = [&](int row, int column) {
        return gridFill(
            view.cell(row, column), view.columns[static_cast<std::size_t>(column)].count(), view.metric, scale);
    };
    const QRectF visible = layout.viewport.intersected(exposed);
    for (int column = 0; column < view.columnCount(); ++column) {
        if (!view.columns[static_cast<std::size_t>(column)].isWhole || layout.rows.empty())
            continue;
        const QRectF rect = layout.cellRect(view, 0, column);
        if (!rect.intersects(visible))
            continue;
        // It has a height of its own; under the other metrics its bar would be off the layers' scale.
        paintGridCell(painter, rect, gridFill(view.cell(0, column), 1, GridMetric::Bytes, GridScale{1.0}), theme);
        if (layout.columns[static_cast<std::size_t>(column)].isCut)
            for (const double y : {8.0, 13.0})
                painter.fillRect(QRectF(rect.left(), rect.top() + y, rect.width(), 2.0), theme.colour(Role::Panel));
    }
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        const int row = layout.rows[i].row;
        for (int column = 0; column < view.columnCount(); ++column) {
            if (view.columns[static_cast<std::size_t>(column)].isWhole)
                continue;
            QRectF rect = layout.cellRect(view, static_cast<int>(i), column);
            if (rect.bottom() <= visible.top() || rect.top() >= visible.bottom())
                break;
            const GridFill fill = fillOf(row, column);
            if (layout.isDense())
                while (column + 1 < view.columnCount() && view.isLayer(column) == view.isLayer(column + 1)
                    && !view.columns[static_cast<std::size_t>(column) + 1].isWhole && fillOf(row, column + 1) == fill)
                    rect.setRight(layout.cellRect(view, static_cast<int>(i), ++column).right());
            if (rect.intersects(visible))
                paintGridCell(painter, rect, fill, theme);
        }
    }
}

} // namespace remat::ui
