// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QElapsedTimer>
#include <functional>

#include "tests/app/cli_process.h"
#include "tests/support/orphans.h"

using remat::test::Cli;
using remat::test::CliResult;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool wasHit(const CliResult& result)
{
    return result.err.contains("fault: ");
}

/// What is said beside the fault's own line.
QByteArray wordsOf(CliResult result)
{
    return result.err.replace("fault: allocation\n", "").replace("fault: thread\n", "").trimmed();
}

} // namespace

/// Commands on a system that gives no memory, no thread or a wrong time (tests/support/faults_preload.cpp): a message,
/// an exit code, and no file that is not whole.
class CliFaultsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(remat::testing::adoptOrphans()); }

    void init()
    {
        m_cli = std::make_unique<Cli>();
        QVERIFY(QDir().mkdir(m_cli->path("out")));
        m_plan = m_cli->path("plan.json");
        QCOMPARE((*m_cli)(QStringList{"plan", "--strategy", "full", "--model", "tiny-gpt2", "--batch", "1", "--seq",
                              "16", "--costs", m_cli->path("costs.json"), "--out", m_plan})
                     .exit,
            0);
        m_cli->write("grid.json",
            QByteArray(
                R"({"format": "remat-grid", "version": 1, "axes": {"batch": [1, 2, 3, 4], "budget": ["1MiB", "1GiB"]},)"
                R"( "flags": {"model": "tiny-gpt2", "seq": 32, "costs": "COSTS"}})")
                .replace("COSTS", m_cli->path("costs.json").toUtf8()));
        // Runs that are launched do not measure this CPU first, which would take longer than all of this.
        QVERIFY(QDir().mkpath(m_cli->path("config/rematscope/launch")));
        m_cli->write("config/rematscope/launch/here.json",
            QByteArray(R"({"format": "remat-launch", "version": 1, "prefix": ["env"], "worker": "WORKER"})")
                .replace("WORKER", REMAT_BIN "/remat-worker"));
        m_cli->setEnvironment("LD_PRELOAD", REMAT_FAULTS);
    }

    void noMemory_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QString>("out");
        QTest::addColumn<QString>("program");
        const QStringList step{"--model", "tiny-gpt2", "--batch", "4", "--seq", "32", "--costs", "COSTS"};
        const auto row = [](const char* name, const QStringList& command, const char* out, const char* program) {
            QTest::newRow(name) << command << out << program;
        };
        row("plan", QStringList{"plan", "--budget", "1GiB", "--out", "OUT/x"} + step, "x", "remat");
        row("optimal-nested",
            QStringList{"plan", "--strategy", "optimal-nested", "--budget", "1GiB", "--out", "OUT/x"} + step, "x",
            "remat");
        row("plan for PyTorch",
            QStringList{"plan", "--profile", "pytorch", "--device", "l4", "--out", "OUT/x"} + step.mid(0, 6), "x",
            "remat");
        row("verify", {"verify", "PLAN"}, "", "remat");
        row("export", {"export", "PLAN", "--to", "csv", "--out", "OUT/x"}, "x", "remat");
        row("sweep", {"sweep", "GRID", "--out", "OUT/x", "--threads", "3"}, "x.csv", "remat");
        const QStringList run{"run", "PLAN", "--launch", "here", "--steps", "1", "--out", "OUT/x"};
        row("run, command line", run, "x", "remat");
        row("run, worker", run, "x", "remat-worker");
        row("run, passes", run, "x", "exe");
    }

    /// Every allocation of the first ones, ever fewer of the later ones, none comes: std::bad_alloc at each.
    void noMemory()
    {
        QFETCH(QStringList, command);
        QFETCH(QString, out);
        QFETCH(QString, program);
        const bool isRun = command.front() == "run";
        const bool isLong = qEnvironmentVariableIsSet("REMAT_LONG");
        const double growth = isLong ? 1.02 : isRun ? 6 : 2;
        m_cli->setEnvironment("REMAT_FAULT_PROGRAM", program);
        const CliResult good = start(command);
        QCOMPARE(good.exit, 0);
        const QByteArray whole = outContent(out);
        int hits = 0;
        for (double place = 1;; place = place * growth + 1) {
            clearOut(out);
            m_cli->setEnvironment("REMAT_FAULT_ALLOCATION", QString::number(static_cast<qint64>(place)));
            const CliResult result = start(command);
            const QByteArray words = wordsOf(result);
            const QByteArray told = "allocation " + QByteArray::number(static_cast<qint64>(place)) + ": exit "
                + QByteArray::number(result.exit) + ", " + result.err;
            QVERIFY2(remat::testing::noneIsLeft(), told);
            // Who could do without it gives the whole answer.
            QVERIFY2(result.exit == 0 || result.exit == 10 || (isRun && result.exit == 11), told);
            QVERIFY2(result.exit == 0 || (words.contains("memory") && !words.contains("SIG")), told);
            if (!out.isEmpty()) {
                const QByteArray now = outContent(out);
                QVERIFY2(isRun ? now == "old" || result.exit == 0 : now == "old" || now == whole, told + "\n" + now);
                QVERIFY2(result.exit != 0 || now != "old", told);
                // No temporary file is left; a sweep's journal is.
                for (const QString& name : QDir(m_cli->path("out")).entryList(QDir::Files | QDir::Hidden))
                    QVERIFY2(
                        name == "x" || name == "x.csv" || name == "x.json" || name == "x.journal", qPrintable(name));
            }
            if (!wasHit(result))
                break;
            ++hits;
        }
        QVERIFY2(hits >= 5, QByteArray::number(hits));
        // What a sweep had found is taken up by the last one, which nothing befell.
        if (!isRun && !out.isEmpty())
            QCOMPARE(outContent(out), whole);
    }

    void noThread_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QString>("program");
        QTest::newRow("regions") << QStringList{"plan", "--profile", "pytorch", "--device", "l4", "--model",
            "tiny-gpt2"} << "remat";
        QTest::newRow("sweep") << QStringList{"sweep", "GRID", "--out", "OUT/x", "--threads", "3"} << "remat";
        QTest::newRow("worker") << QStringList{"run", "PLAN", "--launch", "here", "--steps", "1", "--threads", "2"}
                                << "remat-worker";
        QTest::newRow("pass") << QStringList{"run", "PLAN", "--launch", "here", "--steps", "1", "--threads", "2"}
                              << "exe";
    }

    void noThread()
    {
        QFETCH(QStringList, command);
        QFETCH(QString, program);
        m_cli->setEnvironment("REMAT_FAULT_PROGRAM", program);
        int hits = 0;
        for (int thread = 1; thread <= 2; ++thread) {
            m_cli->setEnvironment("REMAT_FAULT_THREAD", QString::number(thread));
            const CliResult result = start(command);
            QVERIFY(remat::testing::noneIsLeft());
            if (!wasHit(result))
                continue;
            ++hits;
            QVERIFY2(result.exit == 10, result.err);
            QVERIFY2(result.err.contains("gave no thread"), result.err);
        }
        QVERIFY(hits > 0);
    }

    /// The wall clock set forth and back by a day a thousand times a second: durations, pace and leases are of a clock
    /// that nobody sets.
    void theClockJumps()
    {
        m_cli->setEnvironment("REMAT_FAULT_CLOCK", "86400");
        QElapsedTimer watch;
        watch.start();
        const CliResult run = start({"run", "PLAN", "--launch", "here", "--steps", "2", "--out", "OUT/x", "--json"});
        QVERIFY2(run.exit == 0, run.err);
        const qint64 wall = watch.nsecsElapsed();
        const double step = run.json()["time"]["step_ns"].toDouble();
        QVERIFY2(step > 0 && step < static_cast<double>(wall), QByteArray::number(step));
        QVERIFY2(!run.err.contains(" h ") && !run.err.contains("day"), run.err);

        watch.start();
        const CliResult sweep = start({"sweep", "GRID", "--out", "OUT/s", "--json"});
        QVERIFY2(sweep.exit == 0, sweep.err);
        const double taken = sweep.json()["wall_ns"].toDouble();
        QVERIFY2(taken > 0 && taken < static_cast<double>(watch.nsecsElapsed()), QByteArray::number(taken));
        QVERIFY(sweep.json()["busy"].toDouble() > 0);
    }

private:
    CliResult start(QStringList command) const
    {
        command.replaceInStrings("OUT", m_cli->path("out"));
        command.replaceInStrings("PLAN", m_plan);
        command.replaceInStrings("GRID", m_cli->path("grid.json"));
        command.replaceInStrings("COSTS", m_cli->path("costs.json"));
        return (*m_cli)(command);
    }
    QByteArray outContent(const QString& name) const { return contentOf(m_cli->path("out/" + name)); }
    void clearOut(const QString& name) const
    {
        QDir folder(m_cli->path("out"));
        for (const QString& old : folder.entryList(QDir::Files | QDir::Hidden))
            if (!old.endsWith(".journal"))
                folder.remove(old);
        if (!name.isEmpty())
            m_cli->write("out/" + name, "old");
    }

    std::unique_ptr<Cli> m_cli;
    QString m_plan;
};

QTEST_GUILESS_MAIN(CliFaultsTest)
#include "cli_faults_test.moc"
