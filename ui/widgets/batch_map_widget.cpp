// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/widgets/batch_map_widget.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace remat::ui {

BatchMapWidget::BatchMapWidget(const Theme& theme, QWidget* parent) : PaintedWidget(theme, parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    describe();
}

void BatchMapWidget::setView(BatchMapView view)
{
    m_view = std::move(view);
    describe();
    update();
}

QSize BatchMapWidget::sizeHint() const
{
    return {static_cast<int>(theme().px(440)), static_cast<int>(theme().px(220))};
}

QSize BatchMapWidget::minimumSizeHint() const
{
    return {static_cast<int>(theme().px(240)), static_cast<int>(theme().px(120))};
}

double BatchMapWidget::headHeight() const
{
    return QFontMetricsF(theme().font(FontRole::Label)).height() + theme().px(4);
}

QRectF BatchMapWidget::room() const
{
    return QRectF(rect()).adjusted(0, headHeight(), 0, 0);
}

QString BatchMapWidget::readout() const
{
    if (m_view.batches.empty())
        return tr("What every budget costs at every batch appears here.");
    if (m_cross)
        return batchMapReadout(m_view, m_cross->batch, m_cross->budget);
    if (m_view.left > 0)
        return tr("%1 of %2 batches solved").arg(m_view.batches.size() - m_view.left).arg(m_view.batches.size());
    return tr("Extra time by budget and batch; a click takes both.");
}

void BatchMapWidget::paintContent(QPainter& painter, const QRegion&)
{
    paintBatchMap(painter, room(), m_view, theme());
    painter.setFont(theme().font(FontRole::Label));
    painter.setPen(theme().colour(m_cross ? Role::Text : Role::Muted));
    const QRectF head(theme().px(4), 0, width() - theme().px(8), headHeight());
    const QFontMetricsF metrics(painter.font());
    painter.drawText(
        head, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(readout(), Qt::ElideRight, head.width()));
    if (!m_cross || m_view.batches.empty())
        return;
    const BatchMapLayout layout = shownLayout();
    const auto found = std::find(m_view.batches.begin(), m_view.batches.end(), m_cross->batch);
    if (found == m_view.batches.end())
        return;
    const QPointF at(layout.xOf(m_cross->budget), layout.yOf(static_cast<int>(found - m_view.batches.begin())));
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().colour(Role::Panel), 4));
    painter.drawEllipse(at, theme().px(6), theme().px(6));
    painter.setPen(QPen(theme().colour(Role::Text), 2));
    painter.drawEllipse(at, theme().px(6), theme().px(6));
}

std::optional<BatchMapWidget::Cross> BatchMapWidget::crossAt(QPointF point) const
{
    if (m_view.batches.empty())
        return std::nullopt;
    const BatchMapLayout layout = shownLayout();
    if (!layout.plot.plot.contains(point))
        return std::nullopt;
    return Cross{m_view.batches[static_cast<std::size_t>(layout.indexAt(point.y()))], layout.budgetAt(point.x())};
}

void BatchMapWidget::point(std::optional<Cross> cross)
{
    m_cross = cross;
    describe();
    update();
}

void BatchMapWidget::mouseMoveEvent(QMouseEvent* event)
{
    const std::optional<Cross> cross = crossAt(event->position());
    setCursor(cross ? Qt::PointingHandCursor : Qt::ArrowCursor);
    point(cross);
}

void BatchMapWidget::mousePressEvent(QMouseEvent* event)
{
    const std::optional<Cross> cross = crossAt(event->position());
    if (event->button() != Qt::LeftButton || !cross)
        return PaintedWidget::mousePressEvent(event);
    emit chosen(cross->batch, cross->budget);
}

void BatchMapWidget::leaveEvent(QEvent* event)
{
    PaintedWidget::leaveEvent(event);
    point(std::nullopt);
}

void BatchMapWidget::move(int budgets, int batches)
{
    if (m_view.batches.empty())
        return;
    Cross cross = m_cross.value_or(Cross{m_view.batch, m_view.budget});
    const BatchMapLayout layout = shownLayout();
    const Bytes end = layout.budgetAt(layout.plot.plot.right());
    const std::int64_t step = std::max<std::int64_t>(1, end.value / 50);
    cross.budget = {std::clamp<std::int64_t>(cross.budget.value + budgets * step, 0, end.value)};
    const auto at = std::lower_bound(m_view.batches.begin(), m_view.batches.end(), cross.batch);
    const auto index = std::clamp<std::ptrdiff_t>(
        at - m_view.batches.begin() + batches, 0, static_cast<std::ptrdiff_t>(m_view.batches.size()) - 1);
    cross.batch = m_view.batches[static_cast<std::size_t>(index)];
    point(cross);
}

void BatchMapWidget::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return move(-1, 0);
    case Qt::Key_Right:
        return move(1, 0);
    case Qt::Key_Up:
        return move(0, 1);
    case Qt::Key_Down:
        return move(0, -1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_cross)
            emit chosen(m_cross->batch, m_cross->budget);
        return;
    case Qt::Key_Escape:
        if (m_cross)
            return point(std::nullopt);
        break;
    default:
        break;
    }
    PaintedWidget::keyPressEvent(event);
}

void BatchMapWidget::changeEvent(QEvent* event)
{
    PaintedWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        describe();
        update();
    }
}

void BatchMapWidget::describe()
{
    setAccessibleDescription(readout());
}

} // namespace remat::ui
