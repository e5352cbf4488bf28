// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <thread>

#include "core/base/files.h"
#include "core/run/child_process.h"
#include "core/run/launch_profile.h"
#include "tests/support/fake_slurm.h"
#include "tests/support/orphans.h"
#include "tests/support/run_samples.h"

using namespace remat;
using namespace remat::testing;

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

std::string worker()
{
    return REMAT_BIN "/remat-worker";
}

RunRequest shortRequest()
{
    RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::Full)};
    request.steps = 1;
    return request;
}

/// A run that takes minutes unless it is ended.
RunRequest longRequest()
{
    RunRequest request{samplePlan("tiny-gpt2", Strategy::Kind::None, sizesOfThisCpu(2), 8)};
    request.steps = kMostSteps;
    return request;
}

} // namespace

/// Workers that other programs start: leases, job names, stop commands, and what happens when the one between is gone.
class LaunchTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(adoptOrphans()); }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(writeFakeSlurm(m_folder->path().toStdString()));
        LaunchProfile profile;
        profile.prefix = {path("srun"), "--gres=gpu:1", "--comment=a b; $(touch x)"};
        profile.worker = worker();
        profile.stop = {path("scancel"), "{job}"};
        m_launch = launchOf(profile);
        m_launch.logsErrors = true;
    }

    void aJobRunsAndIsNamed()
    {
        std::string job;
        QStringList log;
        const RunOutcome outcome = runInWorker(m_launch, shortRequest(), [&](const RunEvent& event) {
            if (const auto* hello = std::get_if<HelloEvent>(&event))
                job = hello->job;
            if (const auto* line = std::get_if<LogEvent>(&event))
                log << QString::fromStdString(line->text);
        });
        QVERIFY2(outcome.report, outcome.failure ? outcome.failure->message.c_str() : "");
        QCOMPARE(job, std::string("4711"));
        QCOMPARE(log, QStringList{"srun: job 4711 queued and waiting for resources"});
        // The words arrive as they were written: no shell has read them.
        QVERIFY(readFile(path("words")).value().starts_with("--gres=gpu:1\n--comment=a b; $(touch x)\n"));
        QVERIFY(noneIsLeft());
    }

    /// A stop asks the cluster first, with the job's name.
    void stopCancelsTheJob()
    {
        std::stop_source stop;
        QElapsedTimer sinceStop;
        const RunOutcome outcome = runInWorker(
            m_launch, longRequest(),
            [&](const RunEvent& event) {
                if (std::holds_alternative<StepEvent>(event) && !stop.stop_requested()) {
                    stop.request_stop();
                    sinceStop.start();
                }
            },
            stop.get_token());
        QVERIFY(outcome.failure);
        QCOMPARE(outcome.failure->code, std::string("run-stopped"));
        QCOMPARE(readFile(path("cancelled")).value(), std::string("4711\n"));
        QVERIFY(sinceStop.elapsed() < 10'000);
        QVERIFY(noneIsLeft());
    }

    /// Silence ends a worker whose standard input stays open, as after SIGKILL of srun; lines keep it alive.
    void aLeaseThatIsNotRenewedEnds()
    {
        auto child = ChildProcess::start({worker(), "--lease", "1"});
        QVERIFY(child);
        child->writeLine(requestLine(longRequest()));
        const auto start = steady_clock::now();
        auto renewed = start;
        while (steady_clock::now() - start < milliseconds{2500}) {
            QVERIFY2(!child->readLine(milliseconds{100}).atEnd, "ended although its lease was renewed");
            if (steady_clock::now() - renewed > milliseconds{300}) {
                child->writeLine("");
                renewed = steady_clock::now();
            }
        }
        const auto silent = steady_clock::now();
        while (!child->readLine(milliseconds{100}).atEnd)
            QVERIFY2(steady_clock::now() - silent < seconds{12}, "outlived its lease");
        QCOMPARE(child->finish().code, 11);
        QVERIFY(noneIsLeft());
    }

    /// Nobody reads and nobody speaks: the output is full, and the worker must not wait for it.
    void aLeaseEndsThoughTheOutputIsFull()
    {
        auto child = ChildProcess::start({worker(), "--lease", "1"});
        QVERIFY(child);
        child->writeLine(requestLine(longRequest()));
        // Sends the request, reads until the run is at work, and then never again.
        for (bool isAtWork = false; !isAtWork;) {
            const ChildProcess::Read read = child->readLine(milliseconds{100});
            QVERIFY(!read.atEnd);
            isAtWork = read.line && read.line->find("\"timing\"") != std::string::npos;
        }
        const auto start = steady_clock::now();
        QVERIFY(noneIsLeft());
        QVERIFY(steady_clock::now() - start < seconds{15});
    }

    /// A program may inherit that SIGCHLD is ignored: the system then collects the worker itself.
    void ignoredChildrenAreNoTrap()
    {
        const auto old = std::signal(SIGCHLD, SIG_IGN);
        const RunOutcome outcome = runInWorker({worker()}, shortRequest(), [](const RunEvent&) {});
        std::signal(SIGCHLD, old);
        QVERIFY2(outcome.report, outcome.failure ? outcome.failure->message.c_str() : "");
    }

    void noRequestNoWorker()
    {
        auto child = ChildProcess::start({worker(), "--lease", "1"});
        QVERIFY(child);
        const auto start = steady_clock::now();
        while (!child->readLine(milliseconds{100}).atEnd)
            QVERIFY(steady_clock::now() - start < seconds{10});
        QCOMPARE(child->finish().code, 2);
    }

    /// SIGKILL of what stands between, with everything of its that speaks to the task: the client says so at once, and
    /// the lease ends the task. The issue allows 40 s for what takes a lease of 30.
    void killedLauncherLeavesNoTask()
    {
        m_launch.command.back() = "2";
        int pid = 0;
        std::thread killer;
        const RunOutcome outcome = runInWorker(m_launch, longRequest(), [&](const RunEvent& event) {
            if (!std::holds_alternative<StepEvent>(event) || killer.joinable())
                return;
            pid = std::atoi(readFile(path("task")).value().c_str());
            const int feeder = std::atoi(readFile(path("feeder")).value().c_str());
            const int launcher = parentOf(feeder);
            killer = std::thread([feeder, launcher] {
                ::kill(feeder, SIGKILL);
                ::kill(launcher, SIGKILL);
            });
        });
        QVERIFY(killer.joinable());
        killer.join();
        QVERIFY(outcome.failure);
        QCOMPARE(outcome.failure->code, std::string("worker-killed"));
        const auto start = steady_clock::now();
        while (::kill(pid, 0) == 0 && steady_clock::now() - start < seconds{15}) {
            ::waitpid(pid, nullptr, WNOHANG);
            std::this_thread::sleep_for(milliseconds{20});
        }
        QVERIFY(::kill(pid, 0) != 0);
        ::kill(std::atoi(readFile(path("holder")).value().c_str()), SIGKILL);
        QVERIFY(noneIsLeft());
    }

    void whatDoesNotStartIsNamed()
    {
        WorkerLaunch launch = m_launch;
        launch.command = {"/bin/sh", "-c", "echo no route to host; exit 255"};
        RunOutcome outcome = runInWorker(launch, shortRequest(), [](const RunEvent&) {});
        QVERIFY(outcome.failure);
        QCOMPARE(outcome.failure->code, std::string("worker-not-launched"));
        QVERIFY(outcome.failure->message.find("255") != std::string::npos);
        QVERIFY(outcome.failure->message.find("no route to host") != std::string::npos);
        // ssh ends with 255 where it fails itself: ssh(1), exit status.
        const std::string ssh = path("ssh");
        QVERIFY(
            writeFileAtomically(ssh, "#!/bin/sh\necho 'ssh: connect to host far: No route to host' >&2\nexit 255\n"));
        QCOMPARE(::chmod(ssh.c_str(), 0755), 0);
        launch.command = {ssh, "far", "remat-worker"};
        outcome = runInWorker(launch, shortRequest(), [](const RunEvent&) {});
        QCOMPARE(outcome.failure->code, std::string("host-unreachable"));
        QVERIFY(outcome.failure->message.find("connect to host far: No route to host") != std::string::npos);
        launch.command = {"/nowhere/srun"};
        outcome = runInWorker(launch, shortRequest(), [](const RunEvent&) {});
        QCOMPARE(outcome.failure->code, std::string("process-cannot-start"));
    }

private:
    std::string path(const char* name) const { return m_folder->filePath(name).toStdString(); }
    static int parentOf(int pid)
    {
        QFile file(QString("/proc/%1/stat").arg(pid));
        if (!file.open(QIODevice::ReadOnly))
            return 0;
        const QByteArray text = file.readAll();
        return text.mid(text.lastIndexOf(')') + 2).split(' ').value(1).toInt();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    WorkerLaunch m_launch;
};

QTEST_GUILESS_MAIN(LaunchTest)
#include "launch_test.moc"
