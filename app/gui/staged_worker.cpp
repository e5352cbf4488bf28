// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "app/gui/staged_worker.h"

#include <QTimer>
#include <utility>

namespace remat::ui {

StagedWorker::StagedWorker(std::vector<RunEvent> events, std::optional<RunOutcome> outcome)
    : m_events(std::move(events)),
      m_outcome(std::move(outcome))
{ }

void StagedWorker::start(const RunRequest&)
{
    // A process does not answer before it has been started.
    QTimer::singleShot(0, this, [this] {
        for (const RunEvent& event : m_events)
            emit heard(event);
        if (m_outcome)
            emit ended(*m_outcome);
    });
}

void StagedWorker::stop()
{
    emit ended({});
}

} // namespace remat::ui
