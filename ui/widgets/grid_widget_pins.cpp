// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// How GridWidget asks for pins: by key, and by dragging along a row.
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

void GridWidget::requestPin(Pin pin)
{
    const int column = m_pointing.selection ? m_shown.columnOf(m_pointing.selection->layer) : -1;
    if (column < 0 || m_pointing.selection->row < 0 || m_pointing.selection->row >= m_shown.rowCount())
        return;
    m_brush = pin;
    const GridColumn& run = m_shown.columns[static_cast<std::size_t>(column)];
    emit pinRequested(m_pointing.selection->row, run.first, run.last, pin);
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
