// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/panels/card.h"

#include <QVBoxLayout>

namespace remat::ui {

Card::Card(const Theme& theme, QWidget* parent) : QFrame(parent), m_theme(theme), m_rows(new QVBoxLayout(this))
{
    setProperty("card", true);
    Card::setTheme(theme);
}

void Card::setTheme(const Theme& theme)
{
    m_theme = theme;
    const int x = static_cast<int>(theme.px(12)), y = static_cast<int>(theme.px(10));
    m_rows->setContentsMargins(x, y, x, y);
    m_rows->setSpacing(static_cast<int>(theme.px(6)));
}

} // namespace remat::ui
