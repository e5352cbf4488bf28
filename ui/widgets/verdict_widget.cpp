// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/widgets/verdict_widget.h"

#include <QEvent>

namespace remat::ui {

VerdictWidget::VerdictWidget(const Theme& theme, QWidget* parent) : PaintedWidget(theme, parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    describe();
}

void VerdictWidget::setView(const VerdictView& view)
{
    if (m_view == view)
        return;
    m_view = view;
    describe();
    update();
}

QSize VerdictWidget::sizeHint() const
{
    return {static_cast<int>(theme().px(600)), static_cast<int>(verdictHeight(theme()))};
}

QSize VerdictWidget::minimumSizeHint() const
{
    return {static_cast<int>(theme().px(200)), static_cast<int>(verdictHeight(theme()))};
}

void VerdictWidget::paintContent(QPainter& painter, const QRegion&)
{
    paintVerdict(painter, rect(), m_view, theme());
}

void VerdictWidget::changeEvent(QEvent* event)
{
    PaintedWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        describe();
        update();
    }
}

void VerdictWidget::describe()
{
    setAccessibleName(verdictText(m_view).sentence());
}

} // namespace remat::ui
