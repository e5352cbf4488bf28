// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>
#include <vector>

#include "ui/run/run_launcher.h"

namespace remat::ui {

/// A worker for pictures of what seldom happens: tells the events that it was given, and ends with an outcome, or goes
/// on for ever.
class StagedWorker : public RunLauncher {
public:
    StagedWorker(std::vector<RunEvent> events, std::optional<RunOutcome> outcome);
    void start(const RunRequest& request) override;
    void stop() override;

private:
    std::vector<RunEvent> m_events;
    std::optional<RunOutcome> m_outcome;
};

} // namespace remat::ui
