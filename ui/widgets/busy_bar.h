// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QTimer>
#include <QWidget>

#include "ui/theme/theme.h"

namespace remat::ui {

/// The 2 px bar on the answer card's top edge: a segment in the accent colour that travels while work is done.  It
/// keeps its height when idle, so that nothing moves.
class BusyBar : public QWidget {
    Q_OBJECT
public:
    explicit BusyBar(const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setActive(bool isActive);
    bool isActive() const { return m_tick.isActive(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme m_theme;
    QTimer m_tick;
    int m_step = 0;
};

} // namespace remat::ui
