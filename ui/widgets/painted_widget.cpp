// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/widgets/painted_widget.h"

#include <utility>

#include <QInputEvent>
#include <QPaintEvent>
#include <QPainter>

namespace remat::ui {

PaintedWidget::PaintedWidget(Theme theme, QWidget* parent) : QWidget(parent), m_theme(std::move(theme))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void PaintedWidget::setTheme(const Theme& theme)
{
    if (m_theme == theme)
        return;
    m_theme = theme;
    themeChanged();
    updateGeometry();
    update();
}

void PaintedWidget::setStale(bool isStale)
{
    if (m_isStale == isStale)
        return;
    m_isStale = isStale;
    update();
}

bool PaintedWidget::event(QEvent* event)
{
    const bool isHandled = QWidget::event(event);
    switch (event->type()) {
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::Wheel:
        m_handledEvent = static_cast<QInputEvent*>(event)->timestamp();
        break;
    default:
        break;
    }
    return isHandled;
}

QPointF PaintedWidget::windowOrigin() const
{
    return -QPointF(mapTo(window(), QPoint(0, 0)));
}

void PaintedWidget::paintEvent(QPaintEvent* event)
{
    const quint64 handled = m_handledEvent;
    QPainter painter(this);
    const QColor panel = m_theme.colour(Role::Panel);
    painter.fillRect(event->rect(), panel);
    painter.setBrushOrigin(windowOrigin());
    paintContent(painter, event->region());
    if (m_isStale) {
        // 60 % of the picture over its ground is the picture under 40 % of the ground.
        QColor veil = panel;
        veil.setAlphaF(0.4f);
        painter.fillRect(event->rect(), veil);
    }
    painter.end();
    m_paintedGeneration = shownGeneration();
    m_paintedEvent = handled;
    emit painted(m_paintedGeneration, m_paintedEvent);
}

} // namespace remat::ui
