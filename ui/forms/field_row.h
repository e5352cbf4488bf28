// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QLabel>
#include <QList>
#include <QWidget>

#include "ui/theme/theme.h"

class QGridLayout;

namespace remat::ui {

/// One row of a form: a label, an editor, and below them a line that appears only while the input is wrong.
///
/// A wrong editor gets the dynamic property bad="true", which the application's style sheet draws as a red frame.
/// The label is the editor's buddy and its accessible name.  Rows of one form share a label width (alignLabels), so
/// that the editors stand in one column in every language and size.
class FieldRow : public QWidget {
    Q_OBJECT
public:
    QString label() const { return m_label->text(); }
    void setLabel(const QString& text);
    virtual void setTheme(const Theme& theme);
    /// What "What's this?" says of the row, and a screen reader of its editor.
    void setHelp(const QString& text);

    QString errorLine() const { return m_error->isHidden() ? QString() : m_error->text(); }
    bool hasError() const { return !m_error->isHidden(); }
    /// Shows the line and the red frame; an empty text takes both away.
    void showError(const QString& text);

    /// Where a heading says already what the row is; a screen reader still reads the label.
    void hideLabel() { m_label->hide(); }
    int labelWidthHint() const;
    void setLabelWidth(int width) { m_label->setFixedWidth(width); }

protected:
    FieldRow(const QString& label, Theme theme, QWidget* parent);
    /// The derived row puts its parts in here; `focusTarget` is what the label's shortcut and Tab reach.  Once a value
    /// is in, undo and redo keys go past it to the window.
    void setEditor(QWidget* editor, QWidget* focusTarget);
    bool eventFilter(QObject* watched, QEvent* event) override;
    const Theme& theme() const { return m_theme; }

private:
    Theme m_theme;
    QGridLayout* m_layout;
    QLabel* m_label;
    QLabel* m_error;
    QWidget* m_focusTarget = nullptr;
};

/// Gives all rows the width of their longest label.
void alignLabels(const QList<FieldRow*>& rows);

} // namespace remat::ui
