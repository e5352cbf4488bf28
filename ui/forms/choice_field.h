// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include "ui/forms/field_row.h"

class QComboBox;

namespace remat::ui {

struct Choice {
    QString key;  ///< What the program stores; never shown.
    QString text; ///< Translated.
    QString tip = {};
    bool isEnabled = true; ///< False: shown grey; the tip says why.
};

/// One of a few values, each known by a key.
class ChoiceField : public FieldRow {
    Q_OBJECT
public:
    ChoiceField(const QString& label, const Theme& theme, QWidget* parent = nullptr);

    /// Keeps the current key when it is still there.
    void setChoices(const QList<Choice>& choices);
    QString currentKey() const;
    void setCurrentKey(const QString& key); ///< Does not emit; an unknown key shows nothing.
    void setTheme(const Theme& theme) override;
    QComboBox& combo() const { return *m_combo; }

signals:
    void choiceEdited(const QString& key);

private:
    QComboBox* m_combo;
};

} // namespace remat::ui
