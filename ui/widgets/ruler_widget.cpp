// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/widgets/ruler_widget.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include "ui/painters/ruler_layout.h"
#include "ui/painters/ruler_painter.h"
#include "ui/theme/format.h"

namespace remat::ui {

namespace {

constexpr Bytes kTenthOfGiB{107374182};
constexpr int kWheelNotch = 120;

} // namespace

RulerWidget::RulerWidget(const Theme& theme, QWidget* parent) : PaintedWidget(theme, parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::SizeHorCursor);
    describe();
}

void RulerWidget::setView(const RulerView& view)
{
    if (m_view == view)
        return;
    m_view = view;
    describe();
    update();
}

QSize RulerWidget::sizeHint() const
{
    return {static_cast<int>(theme().px(600)), static_cast<int>(rulerHeight(theme()))};
}

QSize RulerWidget::minimumSizeHint() const
{
    return {static_cast<int>(theme().px(240)), static_cast<int>(rulerHeight(theme()))};
}

void RulerWidget::request(Bytes budget)
{
    budget = std::clamp(budget, Bytes{0}, Bytes{kMaxQuantity});
    if (budget == m_view.budget)
        return;
    m_view.budget = budget;
    m_view.fits = budget >= m_view.least;
    describe();
    update();
    emit budgetRequested(budget);
}

Bytes RulerWidget::budgetAt(double x) const
{
    return layoutRuler(rect(), m_view, theme()).budgetAt(x);
}

void RulerWidget::describe()
{
    setAccessibleName(tr("Budget ruler"));
    const NumberFormat format;
    setAccessibleDescription(
        tr("Budget %1; least possible %2, keep everything %3. Arrow keys move the budget.")
            .arg(format.bytes(m_view.budget), format.bytes(m_view.least), format.bytes(m_view.keepEverything)));
}

void RulerWidget::paintContent(QPainter& painter, const QRegion&)
{
    paintRuler(painter, rect(), m_view, theme());
    if (m_showsFocus) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme().colour(Role::Keep), 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme().px(3), theme().px(3));
    }
}

bool RulerWidget::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = m_toolTip ? m_toolTip(budgetAt(help->pos().x())) : QString();
        text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return PaintedWidget::event(event);
}

void RulerWidget::changeEvent(QEvent* event)
{
    PaintedWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        describe();
        update();
    }
}

void RulerWidget::keyPressEvent(QKeyEvent* event)
{
    const bool isFine = event->modifiers() & Qt::ShiftModifier;
    const Bytes budget = m_view.budget;
    switch (event->key()) {
    case Qt::Key_Left:
        request(isFine ? budget - kTenthOfGiB : previousFrontierBudget(m_view, budget).value_or(budget));
        return;
    case Qt::Key_Right:
        request(isFine ? budget + kTenthOfGiB : nextFrontierBudget(m_view, budget).value_or(budget));
        return;
    case Qt::Key_Home:
        request(m_view.least);
        return;
    case Qt::Key_End:
        request(m_view.keepEverything);
        return;
    default:
        PaintedWidget::keyPressEvent(event);
    }
}

void RulerWidget::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return PaintedWidget::mousePressEvent(event);
    m_isDragging = true;
    emit dragStarted();
    request(budgetAt(event->position().x()));
}

void RulerWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (m_isDragging)
        request(budgetAt(event->position().x()));
}

void RulerWidget::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_isDragging || event->button() != Qt::LeftButton)
        return PaintedWidget::mouseReleaseEvent(event);
    m_isDragging = false;
    emit dragFinished();
}

void RulerWidget::wheelEvent(QWheelEvent* event)
{
    // Touchpads send parts of a notch; they add up.
    m_wheelRest += event->angleDelta().y();
    const int notches = m_wheelRest / kWheelNotch;
    m_wheelRest -= notches * kWheelNotch;
    if (notches != 0)
        request(m_view.budget + wheelStep(m_view) * notches);
    event->accept();
}

void RulerWidget::focusInEvent(QFocusEvent* event)
{
    PaintedWidget::focusInEvent(event);
    m_showsFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason
        || event->reason() == Qt::ShortcutFocusReason;
    update();
}

void RulerWidget::focusOutEvent(QFocusEvent* event)
{
    PaintedWidget::focusOutEvent(event);
    m_showsFocus = false;
    update();
}

} // namespace remat::ui
