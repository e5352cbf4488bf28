// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/forms/form_text.h"

namespace remat::ui {

namespace {

void setTextColour(QLabel& label, const QColor& colour)
{
    QPalette palette = label.palette();
    palette.setColor(QPalette::WindowText, colour);
    label.setPalette(palette);
}

} // namespace

QString withoutMnemonic(QString text)
{
    const qsizetype mark = text.indexOf(QStringLiteral("(&"));
    if (mark > 0 && mark + 3 < text.size() && text[mark + 3] == u')')
        text.remove(mark, 4);
    return text.remove(u'&');
}

GroupHeading::GroupHeading(const QString& text, const Theme& theme, QWidget* parent) : QLabel(text, parent)
{
    setTheme(theme);
}

void GroupHeading::setTheme(const Theme& theme)
{
    m_gap = static_cast<int>(theme.px(12));
    setFont(theme.font(FontRole::Title));
    setTextColour(*this, theme.colour(Role::Text));
    setFirst(m_isFirst);
}

void GroupHeading::setFirst(bool isFirst)
{
    m_isFirst = isFirst;
    setContentsMargins(0, isFirst ? 0 : m_gap, 0, 0);
}

HintLine::HintLine(const QString& text, const Theme& theme, QWidget* parent) : QLabel(text, parent)
{
    setWordWrap(true);
    setTheme(theme);
}

void HintLine::setTheme(const Theme& theme)
{
    setFont(theme.font(FontRole::Label));
    setTextColour(*this, theme.colour(Role::Muted));
}

} // namespace remat::ui
