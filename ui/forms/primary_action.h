// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QWidget>

#include "ui/forms/form_text.h"

class QPushButton;

namespace remat::ui {

/// "Run for real" at the foot of the left column, and below it in one line what that takes or what it last said.
class PrimaryAction : public QWidget {
    Q_OBJECT
public:
    explicit PrimaryAction(const Theme& theme, QWidget* parent = nullptr);

    /// A disabled button says why in its sub-line.
    void setAction(const QString& text, const QString& subLine, bool isEnabled = true);
    void setTheme(const Theme& theme);
    QPushButton& button() const { return *m_button; }
    QString subLine() const { return m_subLine->text(); }

signals:
    void triggered();

private:
    QPushButton* m_button;
    HintLine* m_subLine;
};

} // namespace remat::ui
