// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QElapsedTimer>
#include <QRegularExpression>
#include <QSet>
#include <csignal>
#include <random>

#include "tests/app/cli_process.h"

using remat::test::Cli;
using remat::test::CliResult;

namespace {

QByteArray content(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A grid of 100 studies of 100 points each: 10,000.
QByteArray largeGrid()
{
    QByteArray batches, budgets;
    for (int b = 1; b <= 50; ++b)
        batches += (b > 1 ? "," : "") + QByteArray::number(b);
    for (int b = 1; b <= 25; ++b)
        budgets += (b > 1 ? "," : "") + QByteArray("\"" + QByteArray::number(8 * b) + "MiB\"");
    return R"({"format": "remat-grid", "version": 1, "axes": {"model": ["tiny-gpt2"], "seq": [32, 64], "batch": [)"
        + batches + R"(], "strategy": ["optimal", "full", "none", "ffn-only"], "budget": [)" + budgets
        + R"(]}, "flags": {"device": "l4", "precision": "half"}})";
}

constexpr const char* kSmallGrid = R"({"format": "remat-grid", "version": 1,
 "axes": {"model": ["tiny-gpt2", {"model": "tiny-llama", "layers": 3}], "batch": [1, 4], "seq": [32, 100000],
          "strategy": ["optimal", "full"], "budget": ["1MiB", "64MiB"]},
 "flags": {"device": "l4"}})";

/// Every study of a journal, as often as it stands there.
QList<int> studiesIn(const QByteArray& journal)
{
    static const QRegularExpression study("^\\{\"study\":(\\d+),", QRegularExpression::MultilineOption);
    QList<int> studies;
    for (auto found = study.globalMatch(QString::fromUtf8(journal)); found.hasNext();)
        studies << found.next().captured(1).toInt();
    return studies;
}

} // namespace

/// remat sweep: what it answers, and that nothing is lost or done twice however it is ended.
class CliSweepTest : public QObject {
    Q_OBJECT

private slots:
    /// Every point says what `remat plan` says of the same flags.
    void pointsAreThoseOfPlan()
    {
        const Cli cli;
        const QString grid = cli.write("grid.json", kSmallGrid);
        const CliResult summary = cli({"sweep", grid, "--json"});
        QVERIFY2(summary.exit == 0, summary.err);
        QCOMPARE(summary.json()["points"].toInt(), 32);
        // A sequence of 100,000 is beyond both models' positions.
        QCOMPARE(summary.json()["problems"].toInt(), 16);
        const QJsonObject results = QJsonDocument::fromJson(content(cli.path("grid.sweep.json"))).object();
        QCOMPARE(results["format"].toString(), QString("remat-sweep"));
        const QJsonArray points = results["points"].toArray();
        QCOMPARE(points.size(), 32);
        int compared = 0;
        for (const auto& value : points) {
            const QJsonObject point = value.toObject(), flags = point["flags"].toObject();
            QStringList words{"plan", "--json", "--device", "l4"};
            for (const QString& flag : flags.keys())
                if (!flags[flag].toString().isEmpty())
                    words << "--" + flag << flags[flag].toString();
            if (flags["batch"] == "4" && flags["strategy"] == "full")
                continue; // A quarter less to wait for.
            const CliResult plan = cli(words);
            const QJsonObject p = plan.json()["prediction"].toObject();
            if (plan.exit == 2) {
                QCOMPARE(point["problem"].toObject()["code"].toString(), plan.errorCode());
                continue;
            }
            ++compared;
            QCOMPARE(point["fits"].toBool(), plan.exit == 0);
            if (p.isEmpty()) {
                QCOMPARE(plan.exit, 4);
                QCOMPARE(point["least_budget_bytes"].toDouble(), plan.json()["error"]["least_budget_bytes"].toDouble());
                continue;
            }
            for (const char* key :
                {"peak_bytes", "saved_bytes", "base_bytes", "device_bytes", "time_ns", "overhead_ns", "step_ns"})
                QCOMPARE(point[key].toDouble(), p[key].toDouble());
        }
        QCOMPARE(compared, 12);
    }

    /// Strategies and budgets in groups of flags, and flags that plans of a profile do not have.
    void everyPointIsThatOfPlan()
    {
        const Cli cli;
        const QString grid = cli.write("grid.json", R"({"format": "remat-grid", "version": 1, "axes": {"case": [
 {"budget": "30MiB"}, {"budget": "64MiB", "strategy": "full"}, {"strategy": "every-2"},
 {"profile": "pytorch", "reentrant": true, "strategy": "full"}, {"profile": "pytorch", "pin": "L0=keep"},
 {"profile": "pytorch", "exact": true}]}, "flags": {"device": "l4", "model": "tiny-gpt2"}})");
        const CliResult summary = cli({"sweep", grid, "--json"});
        QVERIFY2(summary.exit == 0, summary.err);
        const QJsonArray points
            = QJsonDocument::fromJson(content(cli.path("grid.sweep.json"))).object()["points"].toArray();
        QCOMPARE(points.size(), 6);
        int plans = 0, refusals = 0, problems = 0;
        for (const auto& value : points) {
            const QJsonObject point = value.toObject(), flags = point["flags"].toObject();
            QStringList words{"plan", "--json", "--device", "l4", "--model", "tiny-gpt2"};
            for (const QString& flag : flags.keys())
                if (const QString text = flags[flag].toString(); !text.isEmpty())
                    words << (text == "true" ? QStringList{"--" + flag} : QStringList{"--" + flag, text});
            const CliResult plan = cli(words);
            const QJsonObject p = plan.json()["prediction"].toObject();
            QVERIFY2(point["fits"].toBool() == (plan.exit == 0), qPrintable(words.join(' ')));
            if (!p.isEmpty()) {
                ++plans;
                for (const char* key :
                    {"peak_bytes", "saved_bytes", "base_bytes", "device_bytes", "time_ns", "step_ns"})
                    QCOMPARE(point[key].toDouble(), p[key].toDouble());
            } else if (plan.exit == 4) {
                ++refusals;
                QCOMPARE(point["least_budget_bytes"].toDouble(), plan.json()["error"]["least_budget_bytes"].toDouble());
            } else {
                ++problems;
                QCOMPARE(point["problem"]["code"].toString(), plan.errorCode());
            }
        }
        QCOMPARE(plans, 4);
        QCOMPARE(refusals, 1);
        QCOMPARE(problems, 1);
    }

    void mistakesInTheGridAreNamed_data()
    {
        QTest::addColumn<QByteArray>("axes");
        QTest::addColumn<QString>("code");
        QTest::newRow("flag") << QByteArray(R"({"bacth": [1]})") << "unknown-flag";
        QTest::newRow("number") << QByteArray(R"({"batch": ["x"]})") << "not-a-whole-number";
        QTest::newRow("strategy") << QByteArray(R"({"strategy": ["best"]})") << "unknown-strategy";
        QTest::newRow("device") << QByteArray(R"({"device": ["l4", "l5"]})") << "unknown-device";
        QTest::newRow("budget") << QByteArray(R"({"budget": ["much"]})") << "not-a-size";
        // Their points would be those of one GPU, and nothing would say so.
        QTest::newRow("many GPUs") << QByteArray(R"({"profile": ["pytorch"], "tp": [1, 4]})") << "ranks-not-planned";
        QTest::newRow("closed forms") << QByteArray(R"({"profile": ["pytorch", "paper"]})") << "verb-not-in-paper";
        QTest::newRow("budget that is a switch") << QByteArray(R"({"budget": [true]})") << "grid-value";
        QTest::newRow("budget of a group") << QByteArray(R"({"x": [{"budget": "much"}]})") << "not-a-size";
        QTest::newRow("strategy of a group") << QByteArray(R"({"x": [{"strategy": "best"}]})") << "unknown-strategy";
        QTest::newRow("no values in a group") << QByteArray(R"({"x": [{"batch": []}]})") << "grid-axis-empty";
    }

    void mistakesInTheGridAreNamed()
    {
        QFETCH(QByteArray, axes);
        QFETCH(QString, code);
        const Cli cli;
        const QString grid = cli.write("grid.json",
            R"({"format": "remat-grid", "version": 1, "flags": {"model": "tiny-gpt2"}, "axes": )" + axes + "}");
        const CliResult answer = cli({"sweep", grid, "--json"});
        QCOMPARE(answer.exit, 3);
        QCOMPARE(answer.errorCode(), code);
        QVERIFY2(answer.errorWhere().startsWith(grid), qPrintable(answer.errorWhere()));
        QVERIFY(!QFile::exists(cli.path("grid.sweep.journal")));
    }

    /// What holds for all points has one budget and one strategy.
    void fixedFlagsHaveOneValue()
    {
        const Cli cli;
        for (const char* flags :
            {R"({"budget": ["1GiB", "2GiB"]})", R"({"budget": true})", R"({"strategy": ["full", "none"]})"}) {
            const QString grid = cli.write("grid.json",
                QByteArray(R"({"format": "remat-grid", "version": 1, "axes": {"model": ["tiny-gpt2"]}, "flags": )")
                    + flags + "}");
            const CliResult answer = cli({"sweep", grid, "--json"});
            QCOMPARE(answer.exit, 3);
            QCOMPARE(answer.errorCode(), QString("grid-value"));
        }
        QCOMPARE(cli({"sweep", cli.write("grid.json", kSmallGrid), "--out", "", "--json"}).exit, 3);
    }

    /// The results never take the place of what the sweep reads.
    void inputsAreNotOverwritten()
    {
        const Cli cli;
        const QString grid = cli.write("grid.json", kSmallGrid);
        QCOMPARE(cli({"sweep", grid, "--out", cli.path("grid"), "--json"}).errorCode(), QString("out-is-input"));
        QCOMPARE(content(grid), QByteArray(kSmallGrid));
    }

    /// kill -9 at random moments of 10,000 points: whoever goes on repeats no point and loses none, and the results
    /// have the bytes of a sweep that nobody ended, with another number of threads.
    void killedSweepsGoOn()
    {
        const Cli cli;
        const QString grid = cli.write("grid.json", largeGrid());
        QElapsedTimer clock;
        clock.start();
        QVERIFY(cli({"sweep", grid, "--threads", "1", "--out", cli.path("whole")}).exit == 0);
        const int whole = static_cast<int>(clock.elapsed());
        const QString journal = cli.path("killed.journal");
        const int wanted = qEnvironmentVariableIsSet("REMAT_LONG") ? 60 : 6;
        std::mt19937 random(83);
        int kills = 0, known = 0;
        for (int i = 0; i < 3 * wanted && kills < wanted; ++i) {
            QProcess process;
            process.setProcessEnvironment(QProcessEnvironment::systemEnvironment());
            process.setStandardErrorFile(QProcess::nullDevice());
            process.start(
                QStringLiteral(REMAT_BIN "/remat"), {"sweep", grid, "--threads", "2", "--out", cli.path("killed")});
            QVERIFY(process.waitForStarted());
            // Beyond what starting takes, so that most find something.
            process.waitForFinished(10 + static_cast<int>(random() % static_cast<unsigned>(1 + 2 * whole / wanted)));
            kills += process.state() == QProcess::Running ? 1 : 0;
            process.kill();
            process.waitForFinished();
            const auto now = static_cast<int>(studiesIn(content(journal)).size());
            QVERIFY(now >= known);
            known = now;
        }
        QVERIFY2(kills >= wanted / 2, qPrintable(QString("%1 kills").arg(kills)));
        const CliResult last = cli({"sweep", grid, "--threads", "2", "--out", cli.path("killed"), "--json"});
        QVERIFY2(last.exit == 0, last.err);
        QVERIFY(last.json()["found_now"].toInt() <= 10000 - 100 * known);
        const QList<int> studies = studiesIn(content(journal));
        QCOMPARE(studies.size(), 100);
        QCOMPARE(QSet<int>(studies.begin(), studies.end()).size(), 100);
        QCOMPARE(content(cli.path("killed.csv")).count('\n'), 10001);
        for (const char* end : {".csv", ".json"})
            QCOMPARE(content(cli.path("killed") + end), content(cli.path("whole") + end));
        // Once more: everything is there.
        QCOMPARE(cli({"sweep", grid, "--out", cli.path("killed"), "--json"}).json()["found_now"].toInt(), 0);
    }

    /// Ctrl+C and the like end a sweep at once, however long its studies take, with words about what is kept.
    void signalsSayHowToGoOn()
    {
        const Cli cli;
        const QString grid = cli.write("grid.json", largeGrid());
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
            QProcess process;
            process.setProcessEnvironment(QProcessEnvironment::systemEnvironment());
            process.start(
                QStringLiteral(REMAT_BIN "/remat"), {"sweep", grid, "--threads", "1", "--out", cli.path("stopped")});
            QVERIFY(process.waitForStarted());
            const auto known = studiesIn(content(cli.path("stopped.journal"))).size();
            // It is at work when it has found something more.
            QTRY_VERIFY_WITH_TIMEOUT(studiesIn(content(cli.path("stopped.journal"))).size() > known, 30'000);
            QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
            QVERIFY(process.waitForFinished(30'000));
            // As a shell knows it: ended by that signal.
            QCOMPARE(process.exitStatus(), QProcess::CrashExit);
            QCOMPARE(process.exitCode(), signal);
            const QByteArray words = process.readAllStandardError();
            QVERIFY2(words.contains("stopped.journal") && words.contains("run the same command again"), words);
        }
    }

    /// The job array's script, its tasks run by hand, in any order, under a name that a shell could trip over.
    void jobArrayIsGathered()
    {
        const Cli cli;
        const QString grid = cli.write("it's a $grid.json", kSmallGrid);
        const QString stem = cli.path("results of 'a' $(sweep)");
        const CliResult written = cli({"sweep", grid, "--out", stem, "--slurm", "--parts", "3", "--json"});
        QVERIFY2(written.exit == 0, written.err);
        const QString script = written.json()["script"].toString();
        QVERIFY(content(script).contains("#SBATCH --array=0-2\n"));
        const CliResult early = cli({"sweep", grid, "--out", stem, "--gather", "--json"});
        QCOMPARE(early.exit, 3);
        QCOMPARE(early.errorCode(), QString("sweep-incomplete"));
        QVERIFY(!QFile::exists(stem + ".csv"));
        for (const char* task : {"2", "0", "1"}) {
            QProcess process;
            auto environment = QProcessEnvironment::systemEnvironment();
            environment.insert("SLURM_ARRAY_TASK_ID", task);
            process.setProcessEnvironment(environment);
            process.start("/bin/sh", {script});
            QVERIFY(process.waitForFinished(60'000));
            QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
        }
        const CliResult gathered = cli({"sweep", grid, "--out", stem, "--gather", "--json"});
        QVERIFY2(gathered.exit == 0, gathered.err);
        QCOMPARE(gathered.json()["points"].toInt(), 32);
        QVERIFY(cli({"sweep", grid, "--out", cli.path("whole")}).exit == 0);
        QCOMPARE(content(stem + ".csv"), content(cli.path("whole.csv")));
        QCOMPARE(content(stem + ".json"), content(cli.path("whole.json")));
    }

    void partsHaveBounds()
    {
        const Cli cli;
        const QString grid = cli.write("grid.json", kSmallGrid);
        for (const char* part : {"1", "1/1", "-1/2", "a/b", "0/0", "0/1001", "0/2x"})
            QCOMPARE(cli({"sweep", grid, "--part", part}).exit, 2);
        QCOMPARE(cli({"sweep", grid, "--parts", "2"}).exit, 2);
        QCOMPARE(cli({"sweep", grid, "--slurm", "--parts", "9"}).exit, 2); // of 8 studies
        QCOMPARE(cli({"sweep", grid, "--threads", "0"}).exit, 2);
    }
};

QTEST_GUILESS_MAIN(CliSweepTest)
#include "cli_sweep_test.moc"
