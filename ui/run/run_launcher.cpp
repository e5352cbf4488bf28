// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/run/run_launcher.h"

#include <utility>

namespace remat::ui {

WorkerLauncher::WorkerLauncher(WorkerLaunch launch, QObject* parent) : RunLauncher(parent), m_launch(std::move(launch))
{ }

WorkerLauncher::~WorkerLauncher()
{
    m_thread = std::jthread();
}

void WorkerLauncher::start(const RunRequest& request)
{
    m_thread = std::jthread([this, request](const std::stop_token& stop) {
        const auto ring = [this] { QMetaObject::invokeMethod(this, &WorkerLauncher::deliver, Qt::QueuedConnection); };
        const auto hear = [&](const RunEvent& event) {
            const std::lock_guard lock(m_mutex);
            m_heard.push_back(event);
            ring();
        };
        RunOutcome outcome = runInWorker(m_launch, request, hear, stop);
        const std::lock_guard lock(m_mutex);
        m_outcome = std::move(outcome);
        ring();
    });
}

void WorkerLauncher::deliver()
{
    std::unique_lock lock(m_mutex);
    const std::vector<RunEvent> events = std::exchange(m_heard, {});
    const std::optional<RunOutcome> outcome = std::exchange(m_outcome, std::nullopt);
    lock.unlock();
    for (const RunEvent& event : events)
        emit heard(event);
    if (outcome)
        emit ended(*outcome);
}

} // namespace remat::ui
