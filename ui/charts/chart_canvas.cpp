// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/chart_canvas.h"

#include <QMouseEvent>
#include <QWheelEvent>

#include "ui/charts/chart_panel.h"

namespace remat::ui {

ChartCanvas::ChartCanvas(QGraphicsScene* scene, ChartPanel* panel) : QGraphicsView(scene, panel), m_panel(panel)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setFocusPolicy(Qt::NoFocus);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
}

void ChartCanvas::drawBackground(QPainter* painter, const QRectF&)
{
    m_panel->paintGround(*painter, sceneRect());
}

void ChartCanvas::drawForeground(QPainter* painter, const QRectF&)
{
    m_panel->paintTop(*painter);
}

void ChartCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_panel->mousePressed(event->position());
    else
        event->ignore();
}

void ChartCanvas::mouseMoveEvent(QMouseEvent* event)
{
    m_panel->mouseMoved(event->position(), event->buttons().testFlag(Qt::LeftButton));
}

void ChartCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_panel->mouseReleased(event->position());
}

void ChartCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_panel->resetZoom();
}

void ChartCanvas::leaveEvent(QEvent*)
{
    m_panel->mouseLeft();
}

void ChartCanvas::wheelEvent(QWheelEvent* event)
{
    // A graphics view would scroll; the wheel belongs to whatever the chart stands in.
    event->ignore();
}

} // namespace remat::ui
