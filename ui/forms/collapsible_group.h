// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QWidget>

#include "ui/theme/theme.h"

class QAbstractButton;
class QVBoxLayout;

namespace remat::ui {

/// A heading that folds the rows below it away.
class CollapsibleGroup : public QWidget {
    Q_OBJECT
public:
    CollapsibleGroup(const QString& title, const Theme& theme, QWidget* parent = nullptr);

    void addRow(QWidget* row);
    bool isOpen() const;
    void setOpen(bool isOpen); ///< Does not emit.
    void setTitle(const QString& title);
    void setTheme(const Theme& theme); ///< Of the heading and the spacing; rows are themed by their owner.
    const Theme& theme() const { return m_theme; }

signals:
    void openToggled(bool isOpen);

private:
    void showState(bool isOpen);

    Theme m_theme;
    QAbstractButton* m_heading;
    QWidget* m_body;
    QVBoxLayout* m_rows;
};

} // namespace remat::ui
