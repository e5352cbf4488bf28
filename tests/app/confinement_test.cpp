// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <sys/stat.h>

#include "core/base/files.h"
#include "core/plan/plan_file.h"
#include "core/run/child_process.h"
#include "tests/support/run_samples.h"
#include "tests/support/watched_calls.h"

using namespace remat;
using namespace remat::testing;

namespace {

std::string worker()
{
    return REMAT_BIN "/remat-worker";
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// What the programs may do to the machine that they run on.
class ConfinementTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_request.plan = samplePlan("tiny-gpt2", Strategy::Kind::Full);
        m_request.steps = 1;
        m_request.checksGradients = true;
        // Its standard input is a file that ends.
        m_request.endsWithStandardInput = false;
        QVERIFY(writeFileAtomically(path("request"), requestLine(m_request) + "\n"));
        QVERIFY(writeFileAtomically(path("plan.json"), planFileText(m_request.plan)));
        QVERIFY(QDir(m_folder.path()).mkdir("home") && QDir(m_folder.path()).mkdir("out"));
        // Nobody but root could write here; that a run does not even try is what the calls show.
        QCOMPARE(::chmod(path("home").c_str(), 0555), 0);
    }
    void cleanupTestCase() { QCOMPARE(::chmod(path("home").c_str(), 0755), 0); }

    /// A whole run with all its passes, in a home and folder that are read-only: no socket, no file.
    void runsTouchNothing()
    {
        const WatchedCalls calls = watchCalls({worker()}, path("home"), path("request"));
        if (!calls.couldWatch)
            QSKIP("This kernel does not tell system calls (seccomp notifications).");
        QVERIFY(WIFEXITED(calls.status));
        QCOMPARE(WEXITSTATUS(calls.status), 0);
        QCOMPARE(calls.sockets, 0);
        int resets = 0;
        for (const std::string& written : calls.written) {
            // The kernel's switch for its own high-water mark (docs/runs.md); it must be seen, or nothing would be.
            QVERIFY2(written == "/proc/self/clear_refs", written.c_str());
            ++resets;
        }
        QVERIFY(resets > 0);
    }

    void commandsWriteWhatTheyAreTold_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("plan") << QStringList{
            "plan", "--model", "tiny-gpt2", "--device", "l4", "--budget", "1GiB", "--out", file("out/plan")};
        QTest::newRow("verify") << QStringList{"verify", file("plan.json")};
        QTest::newRow("export") << QStringList{"export", file("plan.json"), "--to", "csv", "--out", file("out/table")};
    }

    /// Files beside --out alone, under whatever temporary name; no socket.
    void commandsWriteWhatTheyAreTold()
    {
        QFETCH(QStringList, words);
        std::vector<std::string> command{REMAT_BIN "/remat"};
        for (const QString& word : words)
            command.push_back(word.toStdString());
        const WatchedCalls calls = watchCalls(command, path("home"), "");
        if (!calls.couldWatch)
            QSKIP("This kernel does not tell system calls (seccomp notifications).");
        QCOMPARE(WEXITSTATUS(calls.status), 0);
        QCOMPARE(calls.sockets, 0);
        for (const std::string& written : calls.written)
            QVERIFY2(written.starts_with(path("out/")), written.c_str());
        QCOMPARE(calls.written.empty(), !words.contains("--out"));
    }

    /// The worker and its passes can gain no privileges and leave no core dump, which would hold a model's weights.
    void workersAreConfined()
    {
        RunRequest request = m_request;
        request.steps = kMostSteps;
        request.endsWithStandardInput = true;
        auto child = ChildProcess::start({worker()});
        QVERIFY(child);
        child->writeLine(requestLine(request));
        bool isAtWork = false;
        while (!isAtWork) {
            const ChildProcess::Read read = child->readLine(std::chrono::milliseconds{1000});
            QVERIFY(!read.atEnd);
            isAtWork = read.line && read.line->find("\"timing\"") != std::string::npos
                && read.line->find("\"step\"") != std::string::npos;
        }
        const QString own = QString("/proc/%1/").arg(child->pid());
        const QByteArray passes = contentOf(own + "task/" + QString::number(child->pid()) + "/children").trimmed();
        QVERIFY(!passes.isEmpty());
        for (const QString& process : {own, QString("/proc/%1/").arg(passes.split(' ').first().toInt())}) {
            QVERIFY(contentOf(process + "status").contains("NoNewPrivs:\t1\n"));
            const QByteArray limits = contentOf(process + "limits");
            const qsizetype line = limits.indexOf("Max core file size");
            QCOMPARE(limits.mid(line + 18, 60).simplified().split(' ').mid(0, 2), QList<QByteArray>({"0", "0"}));
        }
        child->askToStop();
        child->finish();
    }

private:
    QString file(const char* name) const { return m_folder.filePath(name); }
    std::string path(const char* name) const { return file(name).toStdString(); }

    QTemporaryDir m_folder;
    RunRequest m_request;
};

QTEST_GUILESS_MAIN(ConfinementTest)
#include "confinement_test.moc"
