// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/forms/inline_strip.h"

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
    // Not Fixed: a layout would then hold the strip at the height of its size hint, whatever its width needs.
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
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

int InlineStrip::contentLeft() const
{
    return static_cast<int>(m_theme.px(4)) + static_cast<int>(m_theme.px(8));
}

int InlineStrip::buttonsWidth() const
{
    int width = 0;
    for (int i = 0; i < buttonCount(); ++i)
        width += m_buttons[i]->sizeHint().width() + static_cast<int>(m_theme.px(6));
    return width;
}

InlineStrip::Arrangement InlineStrip::arrangement(int width) const
{
    if (buttonsWidth() <= width / 2)
        return Arrangement::Beside;
    return buttonsWidth() <= width - contentLeft() ? Arrangement::Below : Arrangement::Stacked;
}

int InlineStrip::textWidth(int width) const
{
    const int room = width - contentLeft() - static_cast<int>(m_theme.px(6));
    return std::max(1, arrangement(width) == Arrangement::Beside ? room - buttonsWidth() : room);
}

int InlineStrip::heightForWidth(int width) const
{
    const int pad = static_cast<int>(m_theme.px(5));
    const int text = m_sentence->heightForWidth(textWidth(width));
    const int button = buttonCount() > 0 ? m_buttons[0]->sizeHint().height() : 0;
    switch (arrangement(width)) {
    case Arrangement::Beside:
        return 2 * pad + std::max(text, button);
    case Arrangement::Below:
        return 3 * pad + text + button;
    case Arrangement::Stacked:
        break;
    }
    return 2 * pad + text + buttonCount() * (pad + button);
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
    const Arrangement arranged = arrangement(width());
    const bool isBeside = arranged == Arrangement::Beside;
    const int textHeight = m_sentence->heightForWidth(textWidth(width()));
    m_sentence->setGeometry(
        contentLeft(), isBeside ? (height() - textHeight) / 2 : pad, textWidth(width()), textHeight);

    const int buttonHeight = m_buttons[0]->sizeHint().height();
    int x = isBeside ? width() - buttonsWidth() : contentLeft();
    int y = isBeside ? (height() - buttonHeight) / 2 : pad + textHeight + pad;
    for (int i = 0; i < buttonCount(); ++i) {
        const int wanted = m_buttons[i]->sizeHint().width();
        m_buttons[i]->setGeometry(x, y, std::min(wanted, width() - x - 1), buttonHeight);
        if (arranged == Arrangement::Stacked)
            y += buttonHeight + pad;
        else
            x += wanted + static_cast<int>(m_theme.px(6));
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
