// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/forms/choice_field.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include "ui/forms/eliding_combo.h"

namespace remat::ui {

ChoiceField::ChoiceField(const QString& label, const Theme& startTheme, QWidget* parent)
    : FieldRow(label, startTheme, parent),
      m_combo(new ElidingCombo(this))
{
    m_combo->setFocusPolicy(Qt::StrongFocus);
    // Long names are elided rather than widening the whole column.
    m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_combo->setMinimumContentsLength(6);
    setEditor(m_combo, m_combo);
    connect(m_combo, &QComboBox::activated, this, [this] { emit choiceEdited(currentKey()); });
    setTheme(startTheme);
}

void ChoiceField::setChoices(const QList<Choice>& choices)
{
    const QString key = currentKey();
    const QSignalBlocker quiet(m_combo);
    m_combo->clear();
    for (const Choice& choice : choices) {
        m_combo->addItem(choice.text, choice.key);
        const int row = m_combo->count() - 1;
        m_combo->setItemData(row, choice.tip, Qt::ToolTipRole);
        if (auto* items = qobject_cast<QStandardItemModel*>(m_combo->model()))
            items->item(row)->setEnabled(choice.isEnabled);
    }
    setCurrentKey(key);
}

QString ChoiceField::currentKey() const
{
    return m_combo->currentData().toString();
}

void ChoiceField::setCurrentKey(const QString& key)
{
    const QSignalBlocker quiet(m_combo);
    m_combo->setCurrentIndex(m_combo->findData(key));
    const QString tip = m_combo->currentData(Qt::ToolTipRole).toString();
    m_combo->setToolTip(tip.isEmpty() ? m_combo->currentText() : tip);
}

void ChoiceField::setTheme(const Theme& theme)
{
    FieldRow::setTheme(theme);
    m_combo->setFont(theme.font(FontRole::Text));
}

} // namespace remat::ui
