// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/forms/field_row.h"

#include <algorithm>
#include <utility>

#include <QAccessible>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStyle>

namespace remat::ui {

FieldRow::FieldRow(const QString& label, Theme theme, QWidget* parent)
    : QWidget(parent),
      m_theme(std::move(theme)),
      m_layout(new QGridLayout(this)),
      m_label(new QLabel(this)),
      m_error(new QLabel(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setColumnStretch(1, 1);
    m_layout->addWidget(m_label, 0, 0);
    m_error->setWordWrap(true);
    m_error->hide();
    m_layout->addWidget(m_error, 1, 0, 1, 2);
    m_label->setText(label);
}

void FieldRow::setEditor(QWidget* editor, QWidget* focusTarget)
{
    m_focusTarget = focusTarget;
    m_layout->addWidget(editor, 0, 1);
    m_label->setBuddy(focusTarget);
    setFocusProxy(focusTarget);
    focusTarget->setAccessibleName(m_label->text());
    focusTarget->installEventFilter(this);
}

bool FieldRow::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_focusTarget && event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        auto* edit = qobject_cast<QLineEdit*>(m_focusTarget);
        edit = edit ? edit : m_focusTarget->findChild<QLineEdit*>();
        const bool isUndo = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
        // Nothing typed since the last value: undo means the document's then, not the letters'.
        if (isUndo && edit && !edit->isModified()) {
            event->ignore();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void FieldRow::setHelp(const QString& text)
{
    setWhatsThis(text);
    m_focusTarget->setAccessibleDescription(text);
}

void FieldRow::setLabel(const QString& text)
{
    m_label->setText(text);
    if (m_focusTarget)
        m_focusTarget->setAccessibleName(text);
}

void FieldRow::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_layout->setHorizontalSpacing(m_label->isHidden() ? 0 : static_cast<int>(theme.px(6)));
    m_layout->setVerticalSpacing(static_cast<int>(theme.px(2)));
    m_label->setFont(theme.font(FontRole::Text));
    m_error->setFont(theme.font(FontRole::Label));
    QPalette palette = m_error->palette();
    palette.setColor(QPalette::WindowText, theme.colour(Role::Over));
    m_error->setPalette(palette);
}

void FieldRow::showError(const QString& text)
{
    const bool isWrong = !text.isEmpty();
    m_error->setText(text);
    m_error->setVisible(isWrong);
    if (m_focusTarget && m_focusTarget->property("bad").toBool() != isWrong) {
        m_focusTarget->setProperty("bad", isWrong);
        // A style sheet looks at properties only when a widget is polished.
        m_focusTarget->style()->unpolish(m_focusTarget);
        m_focusTarget->style()->polish(m_focusTarget);
    }
    if (m_focusTarget)
        m_focusTarget->setAccessibleDescription(text);
    if (isWrong) {
        QAccessibleEvent alert(m_error, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

int FieldRow::labelWidthHint() const
{
    return m_label->isHidden() ? 0 : m_label->fontMetrics().horizontalAdvance(m_label->text()) + 2;
}

void alignLabels(const QList<FieldRow*>& rows)
{
    int width = 0;
    for (const FieldRow* row : rows)
        width = std::max(width, row->labelWidthHint());
    for (FieldRow* row : rows)
        row->setLabelWidth(width);
}

} // namespace remat::ui
