// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/forms/primary_action.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace remat::ui {

PrimaryAction::PrimaryAction(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_button(new QPushButton(this)),
      m_subLine(new HintLine({}, theme, this))
{
    m_button->setProperty("primary", true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_button);
    layout->addWidget(m_subLine);
    connect(m_button, &QPushButton::clicked, this, &PrimaryAction::triggered);
    setTheme(theme);
}

void PrimaryAction::setAction(const QString& text, const QString& subLine, bool isEnabled)
{
    m_button->setText(text);
    m_button->setEnabled(isEnabled);
    m_button->setAccessibleDescription(subLine);
    m_subLine->setText(subLine);
}

void PrimaryAction::setTheme(const Theme& theme)
{
    layout()->setSpacing(static_cast<int>(theme.px(6)));
    m_button->setFont(theme.font(FontRole::Title));
    m_subLine->setTheme(theme);
}

} // namespace remat::ui
