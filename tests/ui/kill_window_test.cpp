// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QDir>
#include <QTemporaryDir>
#include <QTimer>
#include <csignal>
#include <random>

#include "core/base/files.h"
#include "core/cost/cpu_measurement.h"
#include "core/plan/plan_file.h"
#include "core/run/child_process.h"
#include "tests/support/fake_slurm.h"
#include "tests/support/orphans.h"
#include "tests/ui/state_fixture.h"
#include "ui/state/document.h"

using namespace remat;
using namespace remat::ui;
using namespace remat::ui::testing;

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Short in CI; the long count is for ./dev check --long.
int killCount()
{
    return qEnvironmentVariableIsSet("REMAT_LONG") ? 60 : 8;
}

/// A window that never rests, in a process of its own: it changes the budget, saves document, session, plan and costs
/// again and again, and has a real worker run whatever it shows.  Says "at work" once all of that goes on.
int runWindow(const QString& folder)
{
    WindowContext context = plainContext();
    context.sessionPath = folder + QStringLiteral("/session.json");
    context.makeLauncher = [](const WorkerLaunch&) {
        return std::make_unique<WorkerLauncher>(WorkerLaunch{{REMAT_BIN "/remat-worker"}, {}});
    };
    MainWindow window(context);
    window.show();
    if (!waitForAnswer(window.state()))
        return 1;
    int round = 0;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &window, [&] {
        window.state().setBudget({(250 + 10 * (++round % 7)) << 20});
        if (!window.saveDocument(folder + QStringLiteral("/document.json")))
            std::abort();
        window.exportPlan(folder + QStringLiteral("/plan.json"));
        CpuMeasurement costs;
        costs.processor = "Example CPU";
        costs.launchOverhead = {round};
        (void)writeCosts((folder + QStringLiteral("/costs.json")).toStdString(), costs);
        if (!window.runs().isRunning())
            window.toggleRun();
        if (round == 3) {
            std::puts("at work");
            std::fflush(stdout);
        }
    });
    timer.start(1);
    return QApplication::exec();
}

/// A window whose run goes on in a fake Slurm's job, with a lease of two seconds instead of thirty.  Says "at work"
/// once the worker there has answered.
int runElsewhere(const QString& folder)
{
    WindowContext context = plainContext();
    context.configurationFolder = folder.toStdString();
    context.makeLauncher = [](WorkerLaunch launch) {
        launch.command.back() = "2";
        return std::make_unique<WorkerLauncher>(std::move(launch));
    };
    MainWindow window(context);
    window.show();
    if (!waitForAnswer(window.state()))
        return 1;
    QObject::connect(&window.runs(), &RunController::runsChanged, &window, [&] {
        if (window.runs().runs().back().row.state != RunState::Running)
            return;
        std::puts("at work");
        std::fflush(stdout);
    });
    window.runs().setPlace(QStringLiteral("cluster"));
    window.toggleRun();
    return QApplication::exec();
}

} // namespace

/// SIGKILL of the window at random points: its worker and that one's passes end too, and every file is the old one or
/// the new one.
class KillWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(remat::testing::adoptOrphans()); }

    void killsLeaveNoOrphanAndNoBrokenFile()
    {
        std::mt19937 random(32);
        int workers = 0;
        for (int i = 0; i < killCount(); ++i) {
            Result<ChildProcess> child = ChildProcess::start(
                {QCoreApplication::applicationFilePath().toStdString(), "--window", m_folder.path().toStdString()});
            QVERIFY(child);
            const auto deadline = steady_clock::now() + std::chrono::seconds{60};
            bool isAtWork = false;
            while (!isAtWork && steady_clock::now() < deadline) {
                const ChildProcess::Read read = child->readLine(milliseconds{100});
                QVERIFY(!read.atEnd);
                isAtWork = read.line && *read.line == "at work";
            }
            QVERIFY(isAtWork);
            std::this_thread::sleep_for(milliseconds{random() % 700});
            workers += hasChildren(child->pid()) ? 1 : 0;
            ::kill(child->pid(), SIGKILL);
            QCOMPARE(child->finish().signal, SIGKILL);
            QVERIFY2(remat::testing::noneIsLeft(), "a process outlived the window");
            checkFiles();
            if (QTest::currentTestFailed())
                return;
        }
        // A worker must have been at work under most of them, or the test would say nothing.
        QVERIFY2(2 * workers >= killCount(), qPrintable(QString::number(workers)));
    }

    /// The task's standard input stays open, as after SIGKILL of srun: the lease ends it.
    void aJobDoesNotOutliveTheWindow()
    {
        QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        QVERIFY(remat::testing::writeFakeSlurm(path) && QDir(folder.path()).mkpath(QStringLiteral("launch")));
        const LaunchProfile profile{
            "cluster", {path + "/srun", "--gres=gpu:1"}, REMAT_BIN "/remat-worker", {path + "/scancel", "{job}"}};
        QVERIFY(writeFileAtomically(path + "/launch/cluster.json", launchFileText(profile)));
        Result<ChildProcess> child
            = ChildProcess::start({QCoreApplication::applicationFilePath().toStdString(), "--elsewhere", path});
        QVERIFY(child);
        const auto deadline = steady_clock::now() + std::chrono::seconds{60};
        for (bool isAtWork = false; !isAtWork;) {
            const ChildProcess::Read read = child->readLine(milliseconds{100});
            QVERIFY(!read.atEnd && steady_clock::now() < deadline);
            isAtWork = read.line && *read.line == "at work";
        }
        const int task = std::atoi(readFile(path + "/task").value().c_str());
        QCOMPARE(::kill(task, 0), 0);
        ::kill(child->pid(), SIGKILL);
        QCOMPARE(child->finish().signal, SIGKILL);
        QVERIFY2(remat::testing::noneIsLeft(), "a process outlived the window");
        QVERIFY(::kill(task, 0) != 0);
    }

private:
    /// Of any of its threads: the one that speaks with the worker has started it.
    static bool hasChildren(int pid)
    {
        const QDir threads(QString("/proc/%1/task").arg(pid));
        for (const QString& thread : threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            QFile children(threads.filePath(thread + "/children"));
            if (children.open(QIODevice::ReadOnly) && !children.readAll().isEmpty())
                return true;
        }
        return false;
    }

    void checkFiles() const
    {
        const auto textOf = [this](const char* name) { return readFile(m_folder.filePath(name).toStdString()); };
        const Result<std::string> document = textOf("document.json");
        QVERIFY(document && parseDocument(*document, "document.json"));
        if (const Result<std::string> session = textOf("session.json"))
            QVERIFY(parseDocument(*session, "session.json"));
        if (const Result<std::string> plan = textOf("plan.json"))
            QVERIFY(parsePlan(*plan, "plan.json"));
        QVERIFY(readCosts(m_folder.filePath("costs.json").toStdString()));
    }

    QTemporaryDir m_folder;
};

int main(int argc, char** argv)
{
    const QApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    if (words.size() == 3 && words[1] == QLatin1String("--window"))
        return runWindow(words[2]);
    if (words.size() == 3 && words[1] == QLatin1String("--elsewhere"))
        return runElsewhere(words[2]);
    KillWindowTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "kill_window_test.moc"
