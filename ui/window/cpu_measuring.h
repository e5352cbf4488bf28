// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QObject>
#include <functional>
#include <thread>

#include "core/cost/device.h"

namespace remat::ui {

/// Measures this CPU on a thread of its own, because a measurement that was taken while the machine was busy stays.
class CpuMeasuring : public QObject {
    Q_OBJECT
public:
    using Measure = std::function<Device()>;
    explicit CpuMeasuring(Measure measure, QObject* parent = nullptr);

    /// Whether there is anything to measure with.
    bool isOffered() const { return static_cast<bool>(m_measure); }
    bool isRunning() const { return m_isRunning; }
    void start();

signals:
    void runningChanged();
    void measured(const remat::Device& device);

private:
    Measure m_measure;
    bool m_isRunning = false;
    std::jthread m_thread; ///< last: it ends before what it works with goes
};

} // namespace remat::ui
