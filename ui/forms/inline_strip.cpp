// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/forms/inline_strip.h"

#include <algorithm>

#include <QAccessible>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace remat::ui {

InlineStrip::InlineStrip(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_sentence(new QLabel(this)),
      m_buttons{new QPushButton(this), new QPushButton(this)}
{
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (int i = 0; i < 2; ++i)
        connect(m_buttons[i], &QPushButton::clicked, this, [this, i] { emit actionTriggered(i); });
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setTheme(theme);
    clear();
}

void InlineStrip::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_sentence->setFont(theme.font(FontRole::Text));
    QPalette palette = m_sentence->palette();
    palette.setColor(QPalette::WindowText, theme.colour(Role::Text));
    m_sentence->setPalette(palette);
    for (QPushButton* button : m_buttons)
        button->setFont(theme.font(FontRole::Text));
    updateGeometry();
    update();
}

void InlineStrip::setStripView(const StripView& view)
{
    m_view = view;
    m_sentence->setText(view.sentence);
    for (int i = 0; i < 2; ++i) {
        m_buttons[i]->setVisible(i < view.actions.size());
        m_buttons[i]->setText(view.actions.value(i));
    }
    setAccessibleName(view.sentence);
    show();
    updateGeometry();
    resizeEvent(nullptr);
    update();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void InlineStrip::clear()
{
    m_view = {};
    hide();
}

int InlineStrip::buttonsWidth() const
{
    int width = 0;
    for (int i = 0; i < std::min<int>(2, static_cast<int>(m_view.actions.size())); ++i)
        width += m_buttons[i]->sizeHint().width() + static_cast<int>(m_theme.px(6));
    return width;
}

bool InlineStrip::isSideBySide(int width) const
{
    return buttonsWidth() <= width / 2;
}

int InlineStrip::textWidth(int width) const
{
    const int room = width - static_cast<int>(m_theme.px(4 + 8 + 6));
    return std::max(1, isSideBySide(width) ? room - buttonsWidth() : room);
}

int InlineStrip::heightForWidth(int width) const
{
    const int pad = static_cast<int>(m_theme.px(5));
    const int text = m_sentence->heightForWidth(textWidth(width));
    const int buttons = m_view.actions.isEmpty() ? 0 : m_buttons[0]->sizeHint().height();
    return 2 * pad + (isSideBySide(width) ? std::max(text, buttons) : text + pad + buttons);
}

QSize InlineStrip::sizeHint() const
{
    const int width = static_cast<int>(m_theme.px(320));
    return {width, heightForWidth(width)};
}

QSize InlineStrip::minimumSizeHint() const
{
    return {static_cast<int>(m_theme.px(120)), m_buttons[0]->sizeHint().height()};
}

void InlineStrip::resizeEvent(QResizeEvent*)
{
    const int pad = static_cast<int>(m_theme.px(5));
    const int left = static_cast<int>(m_theme.px(4 + 8));
    const bool isBeside = isSideBySide(width());
    const int textHeight = m_sentence->heightForWidth(textWidth(width()));
    const int buttonHeight = m_buttons[0]->sizeHint().height();
    m_sentence->setGeometry(left, isBeside ? (height() - textHeight) / 2 : pad, textWidth(width()), textHeight);

    int x = isBeside ? width() - buttonsWidth() : left;
    const int y = isBeside ? (height() - buttonHeight) / 2 : pad + textHeight + pad;
    for (QPushButton* button : m_buttons) {
        button->setGeometry(x, y, button->sizeHint().width(), buttonHeight);
        x += button->sizeHint().width() + static_cast<int>(m_theme.px(6));
    }
}

void InlineStrip::paintEvent(QPaintEvent*)
{
    const bool isError = m_view.kind == StripKind::Error;
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.colour(isError ? Role::OverTint : Role::Window));
    painter.fillRect(QRect(0, 0, static_cast<int>(m_theme.px(4)), height()),
        m_theme.colour(m_view.kind == StripKind::Info ? Role::Keep : Role::Over));
}

} // namespace remat::ui
