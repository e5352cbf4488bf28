// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QObject>
#include <QTimer>

namespace remat::ui {

/// Turns "busy" into "stale": only work that lasts longer than 150 ms dims the old result, so that a dragged handle
/// never flickers.  Connect staleChanged to PaintedWidget::setStale and BusyBar::setActive.
class StaleState : public QObject {
    Q_OBJECT
public:
    static constexpr int kDelayMilliseconds = 150;

    explicit StaleState(QObject* parent = nullptr);
    void setBusy(bool isBusy);
    bool isStale() const { return m_isStale; }

signals:
    void staleChanged(bool isStale);

private:
    void setStale(bool isStale);

    QTimer m_delay;
    bool m_isStale = false;
};

} // namespace remat::ui
