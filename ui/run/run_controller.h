// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "core/run/gpu_answer.h"
#include "core/run/launch_profile.h"
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
/// A run never starts into swap or the kernel's killer: a thread of its own works out first whether it fits, and
/// otherwise which batch would; meanwhile the run can be stopped.  A worker that ends without a result or an error
/// counts as a crash, and the row quotes what it said last; the window goes on.
class RunController : public QObject {
    Q_OBJECT
public:
    using MakeLauncher = std::function<std::unique_ptr<RunLauncher>(const WorkerLaunch&)>;
    explicit RunController(MakeLauncher makeLauncher, QObject* parent = nullptr);
    ~RunController() override;

    bool isRunning() const { return m_isChecking || m_launcher != nullptr; }
    const std::vector<RunRecord>& runs() const { return m_runs; }
    /// The newest finished run of exactly these decisions, for whichever device they were planned, or null.
    const RunRecord* lastReportOf(const Plan& plan) const;
    /// Whether a run is a finished one of exactly these decisions.
    static bool isReportOf(const RunRecord& run, const Plan& plan);
    /// The newest report that tells what each op of this step took, or null.
    const RunReport* lastTimesOf(const ModelShape& shape, const TrainingSetup& setup) const;

    /// The launch profile by which the next run starts (core/run/launch_profile.h); empty: on this computer.
    const QString& place() const { return m_place; }
    void setPlace(const QString& place);
    /// What the next run computes on.
    RunMachine machine() const { return m_machine; }
    /// A GPU that is not there cannot be chosen; elsewhere the worker says what there is.
    void setMachine(RunMachine machine);
    /// The GPU that runs can use, or why there is none ("" while it is not known).
    const std::optional<GpuFound>& gpu() const { return m_gpu; }
    QString whyNoGpu() const { return m_whyNoGpu; }
    void setGpu(std::optional<GpuFound> gpu, const QString& whyNot);

    /// On this computer; `available`: the memory that the machine can give to the run.
    void start(const RunRequest& request, const QString& planTitle, Bytes available);
    /// Elsewhere, where the worker itself checks whether the run fits.
    void startElsewhere(const RunRequest& request, const QString& planTitle, const LaunchProfile& profile);
    void stop();
    void addReport(const RunReport& report, const QString& title);

signals:
    void runsChanged();
    void runningChanged(bool isRunning);
    void machineChanged();
    void logged(const QString& text, bool isError);

private:
    void addRun(const RunRequest& request, const QString& planTitle);
    void check(RunRequest request, Bytes available);
    void launch(const RunRequest& request, WorkerLaunch launch);
    void handle(const RunEvent& event);
    void finish(const RunOutcome& outcome);
    RunRecord& current() { return m_runs.back(); }

    MakeLauncher m_makeLauncher;
    QString m_place;
    RunMachine m_machine = RunMachine::Cpu;
    std::optional<GpuFound> m_gpu;
    QString m_whyNoGpu;
    std::unique_ptr<RunLauncher> m_launcher;
    std::vector<RunRecord> m_runs;
    bool m_wasStopped = false;
    bool m_isChecking = false;
    int m_checkNumber = 0;
    std::jthread m_check; ///< last: it ends before what it reports to goes
};

/// "this CPU", the GPU's name, "emulated GPU".
QString machineTitle(RunMachine machine, const std::optional<GpuFound>& gpu);
/// What starts the next run: "Run for real (CPU)", "Run on cluster (GPU)".
QString runTitle(const RunController& runs);

/// The row of a finished run.
RunRow rowOf(const RunReport& report, int number, const QString& plan);

} // namespace remat::ui
