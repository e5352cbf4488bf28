// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/cpu_measuring.h"

namespace remat::ui {

CpuMeasuring::CpuMeasuring(Measure measure, QObject* parent) : QObject(parent), m_measure(std::move(measure)) { }

void CpuMeasuring::start()
{
    if (!m_measure || m_isRunning)
        return;
    m_isRunning = true;
    emit runningChanged();
    m_thread = std::jthread([this] {
        QMetaObject::invokeMethod(
            this,
            [this, device = m_measure()] {
                m_isRunning = false;
                emit measured(device);
                emit runningChanged();
            },
            Qt::QueuedConnection);
    });
}

} // namespace remat::ui
