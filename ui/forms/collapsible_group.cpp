// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/forms/collapsible_group.h"

#include <utility>

#include <QAbstractButton>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace remat::ui {

namespace {

/// A bold title with a small triangle before it; the whole line is the button.
class FoldHeading : public QAbstractButton {
public:
    FoldHeading(Theme theme, QWidget* parent) : QAbstractButton(parent), m_theme(std::move(theme))
    {
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

    void setTheme(const Theme& theme)
    {
        m_theme = theme;
        setFont(theme.font(FontRole::Title));
        updateGeometry();
    }

    QSize sizeHint() const override
    {
        return {static_cast<int>(m_theme.px(14)) + fontMetrics().horizontalAdvance(text()), fontMetrics().height()};
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const double r = m_theme.px(4);
        const QPointF c(r, height() / 2.0);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.colour(hasFocus() ? Role::Keep : Role::Muted));
        painter.drawPolygon(isChecked()
                ? QPolygonF({c + QPointF(-r, -r / 2), c + QPointF(r, -r / 2), c + QPointF(0, r / 2)})
                : QPolygonF({c + QPointF(-r / 2, -r), c + QPointF(r / 2, 0), c + QPointF(-r / 2, r)}));
        painter.setPen(m_theme.colour(Role::Text));
        painter.setFont(font());
        painter.drawText(
            rect().adjusted(static_cast<int>(m_theme.px(14)), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
    }

private:
    Theme m_theme;
};

} // namespace

CollapsibleGroup::CollapsibleGroup(const QString& title, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_heading(new FoldHeading(theme, this)),
      m_body(new QWidget(this)),
      m_rows(new QVBoxLayout(m_body))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_heading);
    layout->addWidget(m_body);
    connect(m_heading, &QAbstractButton::toggled, this, [this](bool isOpen) {
        showState(isOpen);
        emit openToggled(isOpen);
    });
    setTitle(title);
    setTheme(theme);
    setOpen(true);
}

void CollapsibleGroup::addRow(QWidget* row)
{
    m_rows->addWidget(row);
}

bool CollapsibleGroup::isOpen() const
{
    return m_heading->isChecked();
}

void CollapsibleGroup::setOpen(bool isOpen)
{
    const QSignalBlocker quiet(m_heading);
    m_heading->setChecked(isOpen);
    showState(isOpen);
}

void CollapsibleGroup::showState(bool isOpen)
{
    m_heading->update();
    m_body->setVisible(isOpen);
}

void CollapsibleGroup::setTitle(const QString& title)
{
    m_heading->setText(title);
    m_heading->setAccessibleName(title);
}

void CollapsibleGroup::setTheme(const Theme& theme)
{
    m_theme = theme;
    static_cast<FoldHeading*>(m_heading)->setTheme(theme);
    const int gap = static_cast<int>(theme.px(6));
    m_rows->setSpacing(gap);
    m_rows->setContentsMargins(0, gap, 0, 0);
}

} // namespace remat::ui
