// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// How GridWidget asks for pins: by key, by a click on a cell's corner, and by dragging along a row.
#include <algorithm>

#include "ui/painters/grid_marks.h"
#include "ui/widgets/grid_widget.h"

namespace remat::ui {

void GridWidget::requestNextPin()
{
    if (!m_pointing.selection)
        return;
    const int column = m_shown.columnOf(m_pointing.selection->layer);
    if (column < 0 || m_pointing.selection->row < 0 || m_pointing.selection->row >= m_shown.rowCount())
        return;
    requestPin(nextPin(m_shown.cell(m_pointing.selection->row, column).pin));
}

void GridWidget::selectExtent(GridPlace::Extent extent)
{
    if (!m_pointing.selection)
        moveSelection(0, 0);
    if (!m_pointing.selection)
        return;
    GridPlace place = *m_pointing.selection;
    // The same key again leads back to the cell.
    place.extent = place.extent == extent ? GridPlace::Extent::Cell : extent;
    select(place, true);
}

bool GridWidget::isOnPinCorner(QPointF point) const
{
    const GridHit hit = m_layout.hitTest(m_shown, theme(), point);
    const int shown = hit.part == GridHit::Part::Cell ? m_layout.shownIndexOf(m_shown, hit.row) : -1;
    if (shown < 0)
        return false;
    const QRectF cell = m_layout.cellRect(m_shown, shown, hit.column);
    // In a small cell the corner would be most of it, and no room would be left for selecting.
    const double corner = theme().px(12);
    return cell.width() >= 2 * corner && cell.height() >= 2 * corner
        && QRectF(cell.right() - corner, cell.top(), corner, corner).contains(point);
}

void GridWidget::requestPin(Pin pin)
{
    const std::optional<GridStretch> cells
        = m_pointing.selection ? stretchOf(m_shown, *m_pointing.selection) : std::nullopt;
    if (!cells)
        return;
    m_brush = pin;
    emit pinRequested(cells->row, cells->first, cells->last, pin);
}

void GridWidget::paintTo(QPointF point)
{
    // Along the row of the press, wherever the hand strays; embedding and head are no part of a row.
    const int shown = m_layout.shownIndexOf(m_shown, m_pressed->row);
    const int start = m_shown.columnOf(m_pressed->layer);
    if (shown < 0 || start < 0 || !m_shown.isLayer(start))
        return;
    point.setY(m_layout.cellRect(m_shown, shown, start).center().y());
    point.setX(std::clamp(point.x(), m_layout.cellsLeft, m_layout.cellsRight - 1.0));
    const GridHit hit = m_layout.hitTest(m_shown, theme(), point);
    if (hit.part != GridHit::Part::Cell || !m_shown.isLayer(hit.column))
        return;
    if (hit.column == start && !m_pointing.painting)
        return; // still a click
    const GridColumn& from = m_shown.columns[static_cast<std::size_t>(std::min(start, hit.column))];
    const GridColumn& to = m_shown.columns[static_cast<std::size_t>(std::max(start, hit.column))];
    setPainting(GridStretch{m_pressed->row, from.first, to.last});
}

void GridWidget::setPainting(std::optional<GridStretch> cells)
{
    const auto repaint = [this] {
        if (m_pointing.painting)
            update(gridPaintingRect(m_layout, m_shown, *m_pointing.painting).adjusted(-4, -4, 4, 4).toAlignedRect());
    };
    repaint();
    m_pointing.painting = cells;
    repaint();
}

} // namespace remat::ui
