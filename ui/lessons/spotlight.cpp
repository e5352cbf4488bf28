// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/lessons/spotlight.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>

namespace remat::ui {

Spotlight::Spotlight(const Theme& theme, QWidget* window) : QWidget(window), m_theme(theme)
{
    setObjectName(QStringLiteral("spotlight"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void Spotlight::setTheme(const Theme& theme)
{
    m_theme = theme;
    update();
}

void Spotlight::pointAt(QWidget* target)
{
    m_target = target;
    m_hasVeil = target != nullptr;
    if (target) {
        qApp->installEventFilter(this);
        follow();
    } else {
        qApp->removeEventFilter(this);
        hide();
    }
}

QRect Spotlight::ring() const
{
    if (!m_target || !m_target->isVisible())
        return {};
    const auto placeOf
        = [this](const QWidget* widget) { return QRect(widget->mapTo(parentWidget(), QPoint()), widget->size()); };
    // What scrolls out of sight is ringed as far as it can be seen.
    QRect seen = placeOf(m_target);
    for (const QWidget* around = m_target->parentWidget(); around != parentWidget(); around = around->parentWidget())
        seen &= placeOf(around);
    const int gap = static_cast<int>(m_theme.px(4));
    return seen.isEmpty() ? QRect() : seen.adjusted(-gap, -gap, gap, gap) & parentWidget()->rect();
}

void Spotlight::follow()
{
    setGeometry(parentWidget()->rect());
    setVisible(!ring().isEmpty());
    raise();
    update();
}

bool Spotlight::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::KeyPress:
        if (m_hasVeil && watched != this && watched->isWidgetType()) {
            m_hasVeil = false;
            update();
        }
        break;
    case QEvent::Resize:
    case QEvent::Move:
    case QEvent::Show:
    case QEvent::Hide:
        // Layouts settle first.
        if (watched != this && watched->isWidgetType() && static_cast<QWidget*>(watched)->window() == window())
            QMetaObject::invokeMethod(this, &Spotlight::follow, Qt::QueuedConnection);
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void Spotlight::paintEvent(QPaintEvent*)
{
    const QRect hole = ring();
    if (hole.isEmpty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_hasVeil) {
        QRegion veil = QRegion(rect()) - hole;
        if (m_speaker && m_speaker->isVisible())
            veil -= QRect(m_speaker->mapTo(parentWidget(), QPoint()), m_speaker->size());
        QColor shade = m_theme.colour(Role::Window);
        shade.setAlphaF(0.55f);
        painter.save();
        painter.setClipRegion(veil);
        painter.fillRect(rect(), shade);
        painter.restore();
    }
    const auto outline = [&](const QColor& colour, double width) {
        painter.setPen(QPen(colour, width));
        painter.drawRoundedRect(QRectF(hole).adjusted(2, 2, -2, -2), 4, 4);
    };
    outline(m_theme.colour(Role::Panel), m_theme.px(4));
    outline(m_theme.colour(Role::Peak), m_theme.px(2));
}

} // namespace remat::ui
