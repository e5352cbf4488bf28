// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QFrame>

#include "ui/theme/theme.h"

class QVBoxLayout;

namespace remat::ui {

/// A card of the window: panel colour, 1 px line, radius 4, padding 12 x 10 at a 12 px base font.
class Card : public QFrame {
    Q_OBJECT
public:
    explicit Card(const Theme& theme, QWidget* parent = nullptr);
    const Theme& theme() const { return m_theme; }
    QVBoxLayout& rows() const { return *m_rows; }
    virtual void setTheme(const Theme& theme);

private:
    Theme m_theme;
    QVBoxLayout* m_rows;
};

} // namespace remat::ui
