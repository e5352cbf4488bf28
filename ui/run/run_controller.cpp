// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/run/run_controller.h"

#include <algorithm>

#include "ui/state/core_text.h"

namespace remat::ui {

RunController::RunController(MakeLauncher makeLauncher, QObject* parent)
    : QObject(parent),
      m_makeLauncher(std::move(makeLauncher))
{ }

RunController::~RunController() = default;

const RunRecord* RunController::lastReport() const
{
    const auto found
        = std::find_if(m_runs.rbegin(), m_runs.rend(), [](const RunRecord& run) { return run.report.has_value(); });
    return found == m_runs.rend() ? nullptr : &*found;
}

void RunController::start(const RunRequest& request, const QString& planTitle)
{
    if (isRunning())
        return;
    RunRecord record;
    record.row.number = static_cast<int>(m_runs.size()) + 1;
    record.row.plan = planTitle;
    record.row.machine = tr("this CPU");
    record.row.state = RunState::Running;
    record.row.stage = tr("starting the worker");
    record.row.predictedPeak = request.plan.prediction.peak;
    m_runs.push_back(std::move(record));
    m_wasStopped = false;
    m_talk = RunConversation();
    m_launcher = m_makeLauncher();
    connect(m_launcher.get(), &RunLauncher::outputLine, this,
        [this](const QByteArray& line) { handle(m_talk.hear(line.toStdString())); });
    connect(m_launcher.get(), &RunLauncher::logLine, this, [this](const QString& text) { emit logged(text, false); });
    connect(m_launcher.get(), &RunLauncher::finished, this, [this](int code, int signal) {
        finish(m_talk.finish({code, signal}, m_wasStopped));
    });
    connect(m_launcher.get(), &RunLauncher::failedToStart, this, [this](const QString& reason) {
        RunFailure failure;
        failure.kind = "crash";
        failure.message = reason.toStdString();
        finish({std::nullopt, failure});
    });
    emit logged(tr("run %1 started: %2").arg(current().row.number).arg(planTitle), false);
    emit runningChanged(true);
    emit runsChanged();
    m_launcher->start(QByteArray::fromStdString(requestLine(request)));
}

void RunController::stop()
{
    if (!m_launcher)
        return;
    m_wasStopped = true;
    current().row.stage = tr("stopping");
    emit runsChanged();
    m_launcher->stop();
}

void RunController::addReport(const RunReport& report, const QString& title)
{
    RunRecord record;
    record.row = rowOf(report, static_cast<int>(m_runs.size()) + 1, title);
    record.report = report;
    // A running run stays last, because its events go to the last row.
    m_runs.insert(isRunning() ? m_runs.end() - 1 : m_runs.end(), std::move(record));
    for (std::size_t i = 0; i < m_runs.size(); ++i)
        m_runs[i].row.number = static_cast<int>(i) + 1;
    emit runsChanged();
}

void RunController::handle(const RunEvent& event)
{
    struct Handler {
        RunController& c;
        void operator()(const LogEvent& e) const { emit c.logged(QString::fromStdString(e.text), false); }
        void operator()(const HelloEvent& e) const { c.current().row.machine = QString::fromStdString(e.machine); }
        void operator()(const PhaseEvent& e) const
        {
            c.current().row.stage = tr("%1 (%2 of %3)").arg(QString::fromStdString(e.name)).arg(e.pass).arg(e.passes);
        }
        void operator()(const StepEvent& e) const
        {
            c.current().fraction = e.fraction;
            c.current().row.stage = tr("%1: step %2 of %3").arg(QString::fromStdString(e.pass)).arg(e.i + 1).arg(e.n);
        }
        void operator()(const ResultEvent&) const { c.current().fraction = 1.0; }
        void operator()(const RunFailure& e) const { c.current().row.stage = QString::fromStdString(e.message); }
    };
    std::visit(Handler{*this}, event);
    emit runsChanged();
}

void RunController::finish(const RunOutcome& outcome)
{
    RunRecord& run = current();
    if (outcome.report) {
        run.row = rowOf(*outcome.report, run.row.number, run.row.plan);
        run.report = outcome.report;
        emit logged(tr("run %1 done").arg(run.row.number), false);
    } else {
        run.failure = outcome.failure;
        run.row.state = m_wasStopped ? RunState::Stopped : RunState::Failed;
        run.row.stage = m_wasStopped
            ? tr("stopped")
            : QString::fromStdString(outcome.failure->message + " " + outcome.failure->remedy).trimmed();
        emit logged(tr("run %1: %2").arg(run.row.number).arg(run.row.stage), !m_wasStopped);
    }
    m_launcher.release()->deleteLater();
    emit runningChanged(false);
    emit runsChanged();
}

RunRow rowOf(const RunReport& report, int number, const QString& plan)
{
    RunRow row;
    row.number = number;
    row.plan = plan;
    row.machine = QString::fromStdString(report.machine);
    row.state = RunState::Done;
    row.predictedPeak = report.peak.predicted;
    row.trackedPeak = report.peak.tracked;
    row.systemPeak = report.peak.system;
    row.stepTime = report.time.step;
    if (report.gradients)
        row.gradientsEqual = report.gradients->bitEqual;
    row.loss = report.loss.first;
    return row;
}

} // namespace remat::ui
