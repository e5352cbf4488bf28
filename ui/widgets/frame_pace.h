// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>

namespace remat::ui {

/// Does a piece of work at most once per interval, however often it is asked for: at once when the last time is long
/// enough ago, otherwise when the interval is over.
///
/// A mouse reports up to 1000 moves a second and the planner answers faster than a screen can show; without a pace,
/// the event queue would never run empty and nothing would be painted.
class FramePace : public QObject {
    Q_OBJECT
public:
    /// One frame of a 60 Hz screen.
    static constexpr int kFrameMilliseconds = 16;

    explicit FramePace(std::function<void()> work, int milliseconds = kFrameMilliseconds, QObject* parent = nullptr);
    void request();
    /// Forgets what waits.
    void cancel() { m_rest.stop(); }

private:
    void run();

    std::function<void()> m_work;
    int m_interval;
    QTimer m_rest;
    QElapsedTimer m_sinceLast;
};

} // namespace remat::ui
