// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/widgets/sweep_map_widget.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace remat::ui {

SweepMapWidget::SweepMapWidget(const Theme& theme, QWidget* parent) : PaintedWidget(theme, parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleDescription(readout());
}

void SweepMapWidget::setView(SweepMapView view)
{
    m_view = std::move(view);
    point(std::nullopt);
}

QSize SweepMapWidget::sizeHint() const
{
    return {static_cast<int>(theme().px(440)), static_cast<int>(theme().px(200))};
}

QSize SweepMapWidget::minimumSizeHint() const
{
    return {static_cast<int>(theme().px(240)), static_cast<int>(theme().px(100))};
}

double SweepMapWidget::headHeight() const
{
    return QFontMetricsF(theme().font(FontRole::Label)).height() + theme().px(4);
}

QRectF SweepMapWidget::room() const
{
    return QRectF(rect()).adjusted(0, headHeight(), 0, 0);
}

QString SweepMapWidget::readout() const
{
    if (m_view.isEmpty())
        return tr("Open or drop the JSON that \"remat sweep\" wrote: its points become a map.");
    if (!m_cell)
        return tr("Extra time of every point; a click opens its configuration.");
    QStringList place;
    for (const auto& [title, value] :
        {std::pair(m_view.yTitle, m_view.yValues[m_cell->y()]), std::pair(m_view.xTitle, m_view.xValues[m_cell->x()])})
        if (!title.isEmpty())
            place << title + u' ' + (value.isEmpty() ? QStringLiteral("\u2013") : value);
    const SweepPoint* found = m_view.at(*m_cell);
    return (place.isEmpty() ? QString() : place.join(QStringLiteral(", ")) + QStringLiteral(": "))
        + (found ? sweepReadout(*found) : tr("no such point"));
}

void SweepMapWidget::paintContent(QPainter& painter, const QRegion&)
{
    paintSweepMap(painter, room(), m_view, theme());
    painter.setFont(theme().font(FontRole::Label));
    painter.setPen(theme().colour(m_cell ? Role::Text : Role::Muted));
    const QRectF head(theme().px(4), 0, width() - theme().px(8), headHeight());
    const QFontMetricsF metrics(painter.font());
    painter.drawText(
        head, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(readout(), Qt::ElideRight, head.width()));
    if (!m_cell)
        return;
    const QRectF cell = shownLayout().cellRect(*m_cell);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().colour(Role::Panel), 4));
    painter.drawRect(cell);
    painter.setPen(QPen(theme().colour(Role::Text), 2));
    painter.drawRect(cell);
}

void SweepMapWidget::point(std::optional<QPoint> cell)
{
    m_cell = cell;
    setAccessibleDescription(readout());
    update();
}

void SweepMapWidget::mouseMoveEvent(QMouseEvent* event)
{
    const std::optional<QPoint> cell = m_view.isEmpty() ? std::nullopt : shownLayout().cellAt(event->position());
    setCursor(cell && m_view.at(*cell) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    point(cell);
}

void SweepMapWidget::mousePressEvent(QMouseEvent* event)
{
    const std::optional<QPoint> cell = m_view.isEmpty() ? std::nullopt : shownLayout().cellAt(event->position());
    const SweepPoint* found = cell ? m_view.at(*cell) : nullptr;
    if (event->button() != Qt::LeftButton || !found)
        return PaintedWidget::mousePressEvent(event);
    emit chosen(*found);
}

void SweepMapWidget::leaveEvent(QEvent* event)
{
    PaintedWidget::leaveEvent(event);
    point(std::nullopt);
}

void SweepMapWidget::move(QPoint by)
{
    if (m_view.isEmpty())
        return;
    const QPoint to = m_cell ? *m_cell + by : QPoint(0, 0);
    point(QPoint(std::clamp(to.x(), 0, static_cast<int>(m_view.xValues.size()) - 1),
        std::clamp(to.y(), 0, static_cast<int>(m_view.yValues.size()) - 1)));
}

void SweepMapWidget::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return move({-1, 0});
    case Qt::Key_Right:
        return move({1, 0});
    case Qt::Key_Up:
        return move({0, 1});
    case Qt::Key_Down:
        return move({0, -1});
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const SweepPoint* found = m_cell ? m_view.at(*m_cell) : nullptr)
            emit chosen(*found);
        return;
    case Qt::Key_Escape:
        if (m_cell)
            return point(std::nullopt);
        break;
    default:
        break;
    }
    PaintedWidget::keyPressEvent(event);
}

void SweepMapWidget::changeEvent(QEvent* event)
{
    PaintedWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        point(m_cell);
}

} // namespace remat::ui
