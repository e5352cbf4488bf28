// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include <QTemporaryDir>
#include <QTimer>
#include <csignal>
#include <random>

#include "core/base/files.h"
#include "core/cost/cpu_measurement.h"
#include "core/plan/plan_file.h"
#include "core/run/child_process.h"
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
    context.makeLauncher = [] { return std::make_unique<ProcessLauncher>(QStringLiteral(REMAT_BIN "/remat-worker")); };
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
            QFile children(QString("/proc/%1/task/%1/children").arg(child->pid()));
            workers += children.open(QIODevice::ReadOnly) && !children.readAll().isEmpty() ? 1 : 0;
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

private:
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
    KillWindowTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "kill_window_test.moc"
