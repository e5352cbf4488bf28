// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/widgets/frame_pace.h"

namespace remat::ui {

FramePace::FramePace(std::function<void()> work, int milliseconds, QObject* parent)
    : QObject(parent),
      m_work(std::move(work)),
      m_interval(milliseconds)
{
    m_rest.setSingleShot(true);
    m_rest.setTimerType(Qt::PreciseTimer);
    connect(&m_rest, &QTimer::timeout, this, &FramePace::run);
}

void FramePace::request()
{
    if (m_rest.isActive())
        return;
    const qint64 rest = m_sinceLast.isValid() ? m_interval - m_sinceLast.elapsed() : 0;
    if (rest <= 0)
        run();
    else
        m_rest.start(static_cast<int>(rest));
}

void FramePace::run()
{
    m_sinceLast.start(); // a request that the work itself makes waits too
    m_work();
    // Counted from the end: work that takes longer than the interval still leaves room for painting.
    m_sinceLast.start();
}

} // namespace remat::ui
