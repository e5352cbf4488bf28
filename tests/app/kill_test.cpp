// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <random>

#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/cost/cpu_measurement.h"
#include "core/plan/plan_file.h"
#include "core/run/child_process.h"
#include "tests/support/orphans.h"
#include "tests/support/run_samples.h"

using namespace remat;
using namespace remat::testing;

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Short in CI; the long count is for ./dev check --long.
int killCount()
{
    return qEnvironmentVariableIsSet("REMAT_LONG") ? 70 : 12;
}

/// Of a run in `at` of its time, SIGKILL.  True if it was still there.
bool killAfter(ChildProcess& child, milliseconds at)
{
    const auto end = steady_clock::now() + at;
    while (steady_clock::now() < end)
        if (child.readLine(std::chrono::duration_cast<milliseconds>(end - steady_clock::now())).atEnd)
            break;
    ::kill(child.pid(), SIGKILL);
    return child.finish().signal == SIGKILL;
}

/// The time that the command takes when nobody kills it; nothing where it fails.
std::optional<milliseconds> timeOf(const std::vector<std::string>& command, const std::string& line)
{
    const auto start = steady_clock::now();
    Result<ChildProcess> child = ChildProcess::start(command);
    if (!child)
        return std::nullopt;
    if (!line.empty())
        child->writeLine(line);
    while (!child->readLine(milliseconds{1000}).atEnd)
        ;
    const WorkerExit exit = child->finish();
    if (exit.code != 0 || exit.signal != 0)
        return std::nullopt;
    return std::chrono::duration_cast<milliseconds>(steady_clock::now() - start);
}

} // namespace

/// SIGKILL at random points of real runs: no process is left over, and every file is the old one or the new one.
class KillTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(adoptOrphans());
        qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8());
        const Plan plan = samplePlan("tiny-gpt2", Strategy::Kind::Full);
        QVERIFY(writeFileAtomically(path("plan.json"), planFileText(plan)));
        RunRequest request{plan};
        request.steps = 3;
        request.checksGradients = true;
        m_request = requestLine(request);
    }

    /// The check itself: a shell is killed, and what it started goes on for two seconds.
    void anOrphanIsSeen()
    {
        Result<ChildProcess> shell = ChildProcess::start({"/bin/sh", "-c", "sleep 2 & echo started; wait"});
        QVERIFY(shell);
        QVERIFY(shell->readLine(milliseconds{10'000}).line);
        ::kill(shell->pid(), SIGKILL);
        QCOMPARE(shell->finish().signal, SIGKILL);
        QVERIFY(!noneIsLeft(std::chrono::seconds{1}));
        QVERIFY(noneIsLeft());
    }

    void killsLeaveNoOrphanAndNoBrokenFile_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<bool>("takesRequest");
        const QString remat = REMAT_BIN "/remat";
        QTest::newRow("worker") << QStringList{REMAT_BIN "/remat-worker"} << true;
        QTest::newRow("remat run") << QStringList{remat, "run", file("plan.json"), "--steps", "3", "--out",
            file("report.json")} << false;
        QTest::newRow("remat profile") << QStringList{remat, "profile", "--model", "tiny-gpt2", "--steps", "3", "--out",
            file("costs.json")} << false;
    }

    void killsLeaveNoOrphanAndNoBrokenFile()
    {
        QFETCH(QStringList, command);
        QFETCH(bool, takesRequest);
        std::vector<std::string> words;
        for (const QString& word : command)
            words.push_back(word.toStdString());
        const std::string line = takesRequest ? m_request : "";
        std::optional<milliseconds> whole = timeOf(words, line);
        QVERIFY(whole);
        std::mt19937 random(31);
        int hits = 0;
        for (int i = 0; i < killCount(); ++i) {
            const auto at = milliseconds{static_cast<std::int64_t>(random() % static_cast<unsigned>(whole->count()))};
            Result<ChildProcess> child = ChildProcess::start(words);
            QVERIFY(child);
            if (!line.empty())
                child->writeLine(line);
            const auto start = steady_clock::now();
            if (killAfter(*child, at))
                ++hits;
            else // it was quicker than the first, on a machine that had other things to do then
                whole = std::min(*whole, std::chrono::duration_cast<milliseconds>(steady_clock::now() - start));
            QVERIFY2(noneIsLeft(), qPrintable(QString("a process outlived a kill after %1 ms").arg(at.count())));
            checkFiles();
            if (QTest::currentTestFailed())
                return;
        }
        // Most must really have been killed, or the test would say nothing.
        QVERIFY2(hits >= killCount() / 2, qPrintable(QString("%1 hits").arg(hits)));
    }

private:
    QString file(const char* name) const { return m_folder.filePath(name); }
    std::string path(const char* name) const { return file(name).toStdString(); }

    void checkFiles() const
    {
        if (const Result<std::string> report = readFile(path("report.json")))
            QVERIFY(parseReport(*report, "report.json"));
        for (const QString& costs : {file("costs.json"), QString::fromStdString(thisCpuCostsPath(cacheFolder()))})
            if (QFile::exists(costs))
                QVERIFY(readCosts(costs.toStdString()));
        const Result<std::string> plan = readFile(path("plan.json"));
        QVERIFY(plan && parsePlan(*plan, "plan.json"));
    }

    QTemporaryDir m_folder;
    std::string m_request;
};

QTEST_GUILESS_MAIN(KillTest)
#include "kill_test.moc"
