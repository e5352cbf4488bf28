// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QLabel>

#include "ui/theme/theme.h"

namespace remat::ui {

/// "Save as" of a menu or button, without the mark of its mnemonic: "(&S)" at the end in Chinese.
QString withoutMnemonic(QString text);

/// A bold line over a group of rows, 12 px below what stands above it.
class GroupHeading : public QLabel {
    Q_OBJECT
public:
    GroupHeading(const QString& text, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setFirst(bool isFirst); ///< The first group of a card has no gap above.

private:
    bool m_isFirst = false;
    int m_gap = 12;
};

/// A small muted sentence that wraps: a hint, a model's shape, what a run would take.
class HintLine : public QLabel {
    Q_OBJECT
public:
    HintLine(const QString& text, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
};

} // namespace remat::ui
