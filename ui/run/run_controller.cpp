// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/run/run_controller.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>

#include "core/run/emulated_work.h"
#include "core/run/preflight.h"
#include "ui/theme/core_text.h"

namespace remat::ui {

namespace {

/// A pass of the run protocol in the person's language; one of a newer worker under its own name.
QString passTitle(const std::string& name)
{
    static const std::map<std::string_view, const char*> kTitles{
        {"check", QT_TRANSLATE_NOOP("RunPass", "check")},
        {"memory", QT_TRANSLATE_NOOP("RunPass", "memory pass")},
        {"timing", QT_TRANSLATE_NOOP("RunPass", "timing pass")},
        {"gradients", QT_TRANSLATE_NOOP("RunPass", "gradients of the plan")},
        {"keep-all", QT_TRANSLATE_NOOP("RunPass", "gradients of keeping everything")},
    };
    const auto known = kTitles.find(name);
    return known == kTitles.end() ? QString::fromStdString(name)
                                  : QCoreApplication::translate("RunPass", known->second);
}

/// Runs are of the machine that ran, whatever device the step was planned for.
bool isSameStep(const RunReport& report, const ModelShape& shape, TrainingSetup setup)
{
    setup.device = report.setup.device;
    return report.shape == shape && report.setup == setup;
}

/// What went wrong and what to do; of memory that ran out in a step, also where.
QString sentenceOf(const RunFailure& failure)
{
    if (failure.cause)
        return ui::sentenceOf(*failure.cause);
    const std::string where = failure.phase.empty() ? "" : failure.where + ": ";
    return QString::fromStdString(where + failure.message + " " + failure.remedy).trimmed();
}

} // namespace

RunController::RunController(MakeLauncher makeLauncher, QObject* parent)
    : QObject(parent),
      m_makeLauncher(std::move(makeLauncher))
{ }

RunController::~RunController() = default;

void RunController::setMachine(RunMachine machine)
{
    if (machine == m_machine || (machine == RunMachine::Cuda && !m_gpu && m_place.isEmpty()))
        return;
    m_machine = machine;
    emit machineChanged();
}

void RunController::setPlace(const QString& place)
{
    if (place == m_place)
        return;
    m_place = place;
    if (!m_gpu && m_machine == RunMachine::Cuda && m_place.isEmpty())
        m_machine = RunMachine::Cpu;
    emit machineChanged();
}

void RunController::setGpu(std::optional<GpuFound> gpu, const QString& whyNot)
{
    m_gpu = std::move(gpu);
    m_whyNoGpu = whyNot;
    if (!m_gpu && m_machine == RunMachine::Cuda && m_place.isEmpty())
        m_machine = RunMachine::Cpu;
    emit machineChanged();
}

const RunReport* RunController::lastTimesOf(const ModelShape& shape, const TrainingSetup& setup) const
{
    const auto found = std::find_if(m_runs.rbegin(), m_runs.rend(), [&](const RunRecord& run) {
        return run.report && !run.report->ops.empty() && isSameStep(*run.report, shape, setup);
    });
    return found == m_runs.rend() ? nullptr : &*found->report;
}

const RunRecord* RunController::lastReportOf(const Plan& plan) const
{
    const auto found
        = std::find_if(m_runs.rbegin(), m_runs.rend(), [&](const RunRecord& run) { return isReportOf(run, plan); });
    return found == m_runs.rend() ? nullptr : &*found;
}

bool RunController::isReportOf(const RunRecord& run, const Plan& plan)
{
    return run.report && run.report->keep == plan.keep && isSameStep(*run.report, plan.shape(), plan.setup())
        && run.report->schedule == plan.ownOrder();
}

void RunController::start(const RunRequest& request, const QString& planTitle, Bytes available)
{
    if (isRunning())
        return;
    addRun(request, planTitle);
    current().row.stage = tr("checking that it fits");
    m_isChecking = true;
    emit runningChanged(true);
    emit runsChanged();
    check(request, available);
}

void RunController::startElsewhere(const RunRequest& request, const QString& planTitle, const LaunchProfile& profile)
{
    if (isRunning())
        return;
    addRun(request, planTitle);
    RunRow& row = current().row;
    row.machine = QString::fromStdString(profile.name);
    row.state = RunState::Waiting;
    row.stage = tr("waiting for %1: no worker has answered yet").arg(QString::fromStdString(profile.prefix.front()));
    launch(request, launchOf(profile));
    emit runningChanged(true);
    emit runsChanged();
}

void RunController::addRun(const RunRequest& request, const QString& planTitle)
{
    RunRecord record;
    record.row.number = static_cast<int>(m_runs.size()) + 1;
    record.row.plan = planTitle;
    record.row.machine = machineTitle(request.machine, m_gpu);
    record.row.state = RunState::Running;
    record.row.predictedPeak = request.plan.prediction.peak;
    m_runs.push_back(std::move(record));
    m_wasStopped = false;
    emit logged(tr("run %1 started: %2").arg(current().row.number).arg(planTitle), false);
}

void RunController::check(RunRequest request, Bytes available)
{
    // A check that was stopped may have posted its word already; its number tells.
    const int number = ++m_checkNumber;
    m_check = std::jthread([this, number, request = std::move(request), available](const std::stop_token& cancel) {
        const Result<void> bearable
            = request.machine == RunMachine::Emulated ? checkEmulatedWork(request.plan) : Result<void>();
        const Preflight preflight = remat::preflight(request, available);
        std::optional<RunFailure> refused;
        if (!bearable) {
            refused = failureOf(bearable.error());
        } else if (!preflight.fits()) {
            const std::int64_t batch = largestBatch(request, preflight.usable, cancel);
            const std::optional<FittingBudget> fitting = fittingBudget(request, preflight.usable, cancel);
            refused = failureOf(refusal(request, preflight, batch, fitting));
            refused->largestBatch = batch;
            if (fitting)
                refused->fittingBudget = fitting->budget;
        }
        if (cancel.stop_requested())
            return;
        const auto conclude = [this, number, request, refused] {
            if (!m_isChecking || number != m_checkNumber)
                return;
            m_isChecking = false;
            if (refused)
                return finish({std::nullopt, refused});
            current().row.stage = tr("starting the worker");
            launch(request, {{workerPathBesideThisProgram()}, {}, false});
            emit runsChanged();
        };
        QMetaObject::invokeMethod(this, conclude, Qt::QueuedConnection);
    });
}

void RunController::launch(const RunRequest& request, WorkerLaunch launch)
{
    launch.logsErrors = true;
    m_launcher = m_makeLauncher(launch);
    connect(m_launcher.get(), &RunLauncher::heard, this, &RunController::handle);
    connect(m_launcher.get(), &RunLauncher::ended, this, &RunController::finish);
    m_launcher->start(request);
}

void RunController::stop()
{
    if (!isRunning())
        return;
    m_wasStopped = true;
    if (m_isChecking) {
        m_isChecking = false;
        m_check.request_stop();
        return finish({});
    }
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
        RunRow& row = c.current().row;
        void operator()(const LogEvent& e) const
        {
            if (const std::string job = queuedJobIn(e.text); !job.empty() && row.state == RunState::Waiting)
                row.stage = tr("waiting in the queue: job %1").arg(QString::fromStdString(job));
            emit c.logged(QString::fromStdString(e.text), false);
        }
        void operator()(const HelloEvent& e) const
        {
            // A worker here names the CPU that it is on, whatever runs the step.
            if (row.machine != machineTitle(RunMachine::Emulated, std::nullopt)
                && row.machine != machineTitle(RunMachine::Cuda, c.m_gpu))
                row.machine = QString::fromStdString(e.machine);
            if (!e.job.empty())
                row.machine += QStringLiteral(", ") + tr("job %1").arg(QString::fromStdString(e.job));
            if (row.state == RunState::Waiting)
                row.state = RunState::Running;
            emit c.logged(tr("run %1 is at work: %2").arg(row.number).arg(row.machine), false);
        }
        void operator()(const PhaseEvent& e) const
        {
            row.stage = tr("%1 (%2 of %3)").arg(passTitle(e.name)).arg(e.pass).arg(e.passes);
        }
        void operator()(const StepEvent& e) const
        {
            c.current().fraction = e.fraction;
            row.stage = tr("%1: step %2 of %3").arg(passTitle(e.pass)).arg(e.i + 1).arg(e.n);
        }
        void operator()(const ResultEvent&) const { c.current().fraction = 1.0; }
        void operator()(const RunFailure& e) const { row.stage = QString::fromStdString(e.message); }
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
        run.row.stage = m_wasStopped ? tr("stopped") : sentenceOf(*outcome.failure);
        emit logged(tr("run %1: %2").arg(run.row.number).arg(run.row.stage), !m_wasStopped);
    }
    if (m_launcher)
        m_launcher.release()->deleteLater();
    emit runningChanged(false);
    emit runsChanged();
}

QString machineTitle(RunMachine machine, const std::optional<GpuFound>& gpu)
{
    switch (machine) {
    case RunMachine::Cpu:
        return RunController::tr("this CPU");
    case RunMachine::Cuda:
        return gpu ? QString::fromStdString(gpu->name) : RunController::tr("a GPU");
    case RunMachine::Emulated:
        return RunController::tr("emulated GPU");
    }
    return {};
}

QString runTitle(const RunController& runs)
{
    QString kind;
    switch (runs.machine()) {
    case RunMachine::Cpu:
        kind = RunController::tr("CPU");
        break;
    case RunMachine::Cuda:
        kind = RunController::tr("GPU");
        break;
    case RunMachine::Emulated:
        kind = RunController::tr("emulated GPU");
        break;
    }
    return runs.place().isEmpty() ? RunController::tr("Run for real (%1)").arg(kind)
                                  : RunController::tr("Run on %1 (%2)").arg(runs.place(), kind);
}

RunRow rowOf(const RunReport& report, int number, const QString& plan)
{
    RunRow row;
    row.number = number;
    row.plan = plan;
    row.machine = report.machineKind == RunMachine::Emulated ? machineTitle(report.machineKind, std::nullopt)
                                                             : QString::fromStdString(report.machine);
    row.state = RunState::Done;
    row.predictedPeak = report.peak.predicted;
    row.trackedPeak = report.peak.tracked;
    row.systemPeak = report.peak.system;
    row.stepTime = report.time.step;
    row.measured = measuredPhases(report);
    row.predicted = predictedPhases(report);
    if (report.gradients)
        row.gradientsEqual = report.gradients->bitEqual;
    row.loss = report.loss.first;
    return row;
}

} // namespace remat::ui
