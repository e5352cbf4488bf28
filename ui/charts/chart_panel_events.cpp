// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// How ChartPanel answers mouse, keys and the desktop.
#include <algorithm>
#include <cmath>
#include <utility>

#include <QKeyEvent>

#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_panel.h"

namespace remat::ui {

namespace {

/// A press that moves less than this is a click.
constexpr double kClickSlack = 4;

} // namespace

void ChartPanel::mousePressed(const QPointF& at)
{
    setFocus(Qt::MouseFocusReason);
    m_pressedAt = m_pointer = at;
    m_isPressed = true;
    if (!m_hasData)
        return;
    m_drag = takesPress(at) ? Drag::Adapter : Drag::None;
    if (m_drag == Drag::Adapter)
        dragTo(at, false);
}

void ChartPanel::mouseMoved(const QPointF& at, bool isButtonDown)
{
    m_pointer = at;
    if (!m_hasData)
        return;
    const bool isDragging = isButtonDown && m_isPressed;
    if (isDragging && m_drag == Drag::Adapter)
        dragTo(at, false);
    else if (isDragging && m_isZoomable && m_drag == Drag::None && std::abs(at.x() - m_pressedAt.x()) > kClickSlack)
        m_drag = Drag::Band;
    const bool isOverPlot = m_layout.plot.adjusted(-kClickSlack, -kClickSlack, kClickSlack, kClickSlack).contains(at);
    const bool reads = isOverPlot && m_drag != Drag::Band;
    m_readout = reads ? readoutAt(at) : QStringList();
    if (!reads)
        pointerLeft();
    m_canvas->viewport()->setCursor(cursorAt(at));
    repaintMarks();
}

void ChartPanel::mouseReleased(const QPointF& at)
{
    m_pointer = at;
    const Drag drag = std::exchange(m_drag, Drag::None);
    // The release that ends a double click has no press of its own and is no click.
    if (!std::exchange(m_isPressed, false) || !m_hasData)
        return;
    if (drag == Drag::Adapter)
        dragTo(at, true);
    else if (drag == Drag::Band)
        zoomTo(m_layout.xAt(m_frame, std::min(at.x(), m_pressedAt.x())),
            m_layout.xAt(m_frame, std::max(at.x(), m_pressedAt.x())));
    else
        clicked(at);
    repaintMarks();
}

void ChartPanel::showReadoutAt(const QPointF& at)
{
    m_pointer = at;
    m_readout = readoutAt(at);
    repaintMarks();
}

void ChartPanel::mouseLeft()
{
    m_readout.clear();
    pointerLeft();
    repaintMarks();
}

void ChartPanel::zoomTo(double from, double to)
{
    from = std::max(from, m_frame.x.minimum);
    to = std::min(to, m_frame.x.maximum);
    if (!(to > from))
        return;
    m_zoom = {from, to};
    rebuild();
}

void ChartPanel::resetZoom()
{
    m_zoom.reset();
    rebuild();
}

void ChartPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_canvas->setGeometry(rect());
    layOut(size());
}

void ChartPanel::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    bool isUsed = false;
    if (m_hasData && event->modifiers() == Qt::NoModifier) {
        if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right || isEnter)
            isUsed = keyStep(isEnter ? 0 : event->key() == Qt::Key_Left ? -1 : 1);
        else if (event->key() == Qt::Key_0 && m_zoom) {
            resetZoom();
            isUsed = true;
        }
    }
    if (!isUsed)
        QWidget::keyPressEvent(event);
}

void ChartPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        rebuild();
    QWidget::changeEvent(event);
}

void ChartPanel::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    m_showsFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason
        || event->reason() == Qt::ShortcutFocusReason;
    repaintMarks();
}

void ChartPanel::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    m_showsFocus = false;
    repaintMarks();
}

} // namespace remat::ui
