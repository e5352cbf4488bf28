// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QObject>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/run/worker_client.h"

namespace remat::ui {

/// Has a worker run a request; a test puts a fake in its place.
class RunLauncher : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    virtual void start(const RunRequest& request) = 0;
    /// Asks the worker to end, and ends it some seconds later; ended() follows.
    virtual void stop() = 0;

signals:
    void heard(const remat::RunEvent& event);
    void ended(const remat::RunOutcome& outcome);
};

/// A worker that is spoken to on a thread of its own (core/run/worker_client.h), so that its lease is renewed however
/// busy the window is.  When this program ends, however it ends, the worker ends too: here because its standard input
/// ends, elsewhere because the lease runs out.
class WorkerLauncher : public RunLauncher {
    Q_OBJECT
public:
    explicit WorkerLauncher(WorkerLaunch launch, QObject* parent = nullptr);
    ~WorkerLauncher() override; ///< Stops the run, and waits for its end.
    void start(const RunRequest& request) override;
    void stop() override { m_thread.request_stop(); }

private:
    /// Hands over what the thread has left here.
    void deliver();

    WorkerLaunch m_launch;
    std::mutex m_mutex; ///< over the two that cross; the thread rings without a payload
    std::vector<RunEvent> m_heard;
    std::optional<RunOutcome> m_outcome;
    std::jthread m_thread; ///< last: it ends before what it writes to goes
};

} // namespace remat::ui
