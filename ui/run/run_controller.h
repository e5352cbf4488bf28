// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/run/run_conversation.h"
#include "core/run/run_request.h"
#include "ui/run/run_launcher.h"
#include "ui/tables/runs_table_model.h"

namespace remat::ui {

/// One real run of this session, or a report that was opened.
struct RunRecord {
    RunRow row;
    std::optional<RunReport> report;
    std::optional<RunFailure> failure;
    double fraction = 0.0; ///< of the whole run, while it goes on
};

/// Real runs as the window sees them: one at a time, each with a row that tells its story.
///
/// A worker that ends without a result or an error counts as a crash, and the row quotes what it said last; the window
/// goes on.
class RunController : public QObject {
    Q_OBJECT
public:
    using MakeLauncher = std::function<std::unique_ptr<RunLauncher>()>;
    explicit RunController(MakeLauncher makeLauncher, QObject* parent = nullptr);
    ~RunController() override;

    bool isRunning() const { return m_launcher != nullptr; }
    const std::vector<RunRecord>& runs() const { return m_runs; }
    /// The newest finished run with a report, or null.
    const RunRecord* lastReport() const;

    void start(const RunRequest& request, const QString& planTitle);
    void stop();
    void addReport(const RunReport& report, const QString& title);

signals:
    void runsChanged();
    void runningChanged(bool isRunning);
    void logged(const QString& text, bool isError);

private:
    void handle(const RunEvent& event);
    void finish(const RunOutcome& outcome);
    RunRecord& current() { return m_runs.back(); }

    MakeLauncher m_makeLauncher;
    std::unique_ptr<RunLauncher> m_launcher;
    std::vector<RunRecord> m_runs;
    bool m_wasStopped = false;
    RunConversation m_talk;
};

/// The row of a finished run.
RunRow rowOf(const RunReport& report, int number, const QString& plan);

} // namespace remat::ui
