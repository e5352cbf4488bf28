// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// How GridWidget answers mouse, keys and the desktop.
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <utility>

#include "ui/widgets/grid_widget.h"

namespace remat::ui {

bool GridWidget::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const std::optional<GridPlace> place = placeAt(help->pos());
        const QString text = place && m_toolTip ? m_toolTip(*place) : QString();
        text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return PaintedWidget::event(event);
}

void GridWidget::changeEvent(QEvent* event)
{
    PaintedWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        invalidateGround();
        relayout();
        describe();
    }
}

void GridWidget::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Mouse) {
        const std::optional<GridPlace> place = placeOfPress(event->pos());
        if (!place)
            return;
        // What is asked about a part of the selection is asked about all of it.
        if (!m_pointing.selection || stretchOf(m_shown, *m_pointing.selection) != stretchOf(m_shown, *place))
            select(place, true);
        emit contextMenuRequested(*m_pointing.selection, event->globalPos());
        return;
    }
    const int column = m_pointing.selection ? m_shown.columnOf(m_pointing.selection->layer) : -1;
    const int shown = m_pointing.selection ? m_layout.shownIndexOf(m_shown, m_pointing.selection->row) : -1;
    if (column >= 0 && shown >= 0)
        emit contextMenuRequested(
            *m_pointing.selection, mapToGlobal(m_layout.cellRect(m_shown, shown, column).center().toPoint()));
}

void GridWidget::keyPressEvent(QKeyEvent* event)
{
    const auto toggle = [this](bool isOpen) {
        if (m_pointing.selection)
            toggleRow(m_pointing.selection->row, isOpen);
    };
    const int page = std::max(1, static_cast<int>(m_layout.rows.size()));
    switch (event->key()) {
    case Qt::Key_Left:
        return moveSelection(0, -1);
    case Qt::Key_Right:
        return moveSelection(0, 1);
    case Qt::Key_Up:
        return moveSelection(-1, 0);
    case Qt::Key_Down:
        return moveSelection(1, 0);
    case Qt::Key_Home:
        return moveSelection(0, -m_view.columnCount());
    case Qt::Key_End:
        return moveSelection(0, m_view.columnCount());
    case Qt::Key_PageUp:
        return moveSelection(-page, 0);
    case Qt::Key_PageDown:
        return moveSelection(page, 0);
    case Qt::Key_Space:
        return event->modifiers() & Qt::ShiftModifier  ? selectExtent(GridPlace::Extent::Row)
            : event->modifiers() & Qt::ControlModifier ? selectExtent(GridPlace::Extent::Layer)
                                                       : requestNextPin();
    case Qt::Key_K:
        return requestPin(Pin::Keep);
    case Qt::Key_R:
        return requestPin(Pin::Recompute);
    case Qt::Key_A:
        return requestPin(Pin::None);
    case Qt::Key_Escape:
        if (!m_pointing.painting)
            return PaintedWidget::keyPressEvent(event);
        m_pressed.reset();
        return setPainting(std::nullopt);
    case Qt::Key_Plus:
        return toggle(true);
    case Qt::Key_Minus:
        return toggle(false);
    default:
        PaintedWidget::keyPressEvent(event);
    }
}

void GridWidget::leaveEvent(QEvent* event)
{
    PaintedWidget::leaveEvent(event);
    hover(std::nullopt);
}

void GridWidget::mouseMoveEvent(QMouseEvent* event)
{
    const GridHit hit = m_layout.hitTest(m_shown, theme(), event->position());
    setCursor(hit.part == GridHit::Part::Triangle || isOnPinCorner(event->position()) ? Qt::PointingHandCursor
                                                                                      : Qt::ArrowCursor);
    if (m_pressed && (event->buttons() & Qt::LeftButton))
        paintTo(event->position());
    hover(placeAt(event->position()));
}

void GridWidget::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return PaintedWidget::mouseReleaseEvent(event);
    m_pressed.reset();
    const bool pins = std::exchange(m_pinsOnRelease, false);
    const std::optional<GridStretch> painted = m_pointing.painting;
    setPainting(std::nullopt);
    if (painted)
        emit pinRequested(painted->row, painted->first, painted->last, m_brush);
    else if (pins)
        requestNextPin();
}

void GridWidget::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return PaintedWidget::mousePressEvent(event);
    const GridHit hit = m_layout.hitTest(m_shown, theme(), event->position());
    switch (hit.part) {
    case GridHit::Part::Triangle:
        toggleRow(hit.row, !m_view.rows[static_cast<std::size_t>(hit.row)].isOpen);
        break;
    case GridHit::Part::Cell:
        m_pressed = placeAt(event->position());
        m_pinsOnRelease = (event->modifiers() & Qt::ControlModifier) || isOnPinCorner(event->position());
        select(m_pressed, true);
        break;
    case GridHit::Part::RowLabel:
    case GridHit::Part::ColumnHeader:
        select(placeOfPress(event->position()), true);
        break;
    case GridHit::Part::Nothing:
        break;
    }
}

std::optional<GridPlace> GridWidget::placeOfPress(QPointF point) const
{
    const GridHit hit = m_layout.hitTest(m_shown, theme(), point);
    const GridPlace from = m_pointing.selection.value_or(GridPlace{});
    if (hit.part == GridHit::Part::RowLabel)
        return GridPlace{hit.row, from.layer, GridPlace::Extent::Row};
    if (hit.part == GridHit::Part::ColumnHeader)
        return GridPlace{
            from.row, m_shown.columns[static_cast<std::size_t>(hit.column)].first, GridPlace::Extent::Layer};
    return placeAt(point);
}

void GridWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    const GridHit hit = m_layout.hitTest(m_shown, theme(), event->position());
    if (event->button() == Qt::LeftButton && hit.part == GridHit::Part::RowLabel)
        toggleRow(hit.row, !m_view.rows[static_cast<std::size_t>(hit.row)].isOpen);
    else
        // The second press of two quick clicks is a click like any other.
        mousePressEvent(event);
}

void GridWidget::wheelEvent(QWheelEvent* event)
{
    if (m_layout.maximumScroll() <= 0.0)
        return event->ignore();
    scrollTo(m_layout.scroll - event->angleDelta().y() / 120.0 * 3.0 * theme().minimumRowHeight());
    event->accept();
}

} // namespace remat::ui
