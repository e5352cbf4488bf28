// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>

#include "tests/app/cli_process.h"

using remat::test::Cli;
using remat::test::CliResult;

/// A plan that really runs, through remat-worker.
class CliRunTest : public QObject {
    Q_OBJECT

private slots:
    void predictedPeakIsTheTrackedOne()
    {
        const Cli cli;
        const QString file = cli.path("plan.json"), report = cli.path("report.json");
        QCOMPARE(cli(QStringList{"plan", "--strategy", "full", "--out", file} + cli.smallStep()).exit, 0);
        const CliResult run
            = cli({"run", file, "--json", "--steps", "2", "--threads", "1", "--check-gradients", "--out", report});
        QCOMPARE(run.exit, 0);
        const QJsonObject result = run.json();
        QCOMPARE(result["format"].toString(), "remat-report");
        QCOMPARE(result["peak"]["predicted_bytes"], result["peak"]["tracked_bytes"]);
        QVERIFY(result["peak"]["planned_bytes"].toInteger() > 0);
        QCOMPARE(result["gradients"]["bit_equal"], QJsonValue(true));
        QVERIFY(QFile::exists(report));
        const CliResult text = cli({"run", file, "--steps", "1"});
        QCOMPARE(text.exit, 0);
        QVERIFY2(text.out.contains("tracked by the executor"), text.out);
    }

    /// What the CPU machine has no kernels for is refused as input that it cannot use, not run in another precision.
    void aHalfPrecisionPlanIsRefusedByTheCpu()
    {
        const Cli cli;
        const QString file = cli.path("plan.json");
        QCOMPARE(cli({"plan", "--model", "tiny-gpt2", "--precision", "half", "--device", "t4", "--strategy", "full",
                         "--out", file})
                     .exit,
            0);
        const CliResult run = cli({"run", file, "--json"});
        QCOMPARE(run.exit, 3);
        QCOMPARE(run.errorCode(), "run-needs-fp32-plan");
    }

    void aRunThatCannotFitIsRefusedBeforehand()
    {
        const Cli cli;
        const QString file = cli.path("plan.json");
        QCOMPARE(cli({"plan", "--model", "gpt2-xl", "--batch", "512", "--seq", "1024", "--strategy", "none", "--costs",
                         cli.path("costs.json"), "--out", file})
                     .exit,
            0);
        const CliResult run = cli({"run", file, "--json"}, 300);
        QCOMPARE(run.exit, 10);
        QVERIFY2(run.json()["error"].toObject().contains("largest_batch"), run.out);
    }

    /// A launch profile of the person's settings: here the program in between only sets what Slurm would.
    void aPlanRunsWhereALaunchProfileSays()
    {
        const Cli cli;
        const QString file = cli.path("plan.json");
        QCOMPARE(cli(QStringList{"plan", "--strategy", "full", "--out", file} + cli.smallStep()).exit, 0);
        const auto profile = [&cli](const QByteArray& name, const QByteArray& keys) {
            QDir().mkpath(cli.path("config/rematscope/launch"));
            cli.write("config/rematscope/launch/" + name + ".json",
                R"({"format": "remat-launch", "version": 1, "worker": ")" REMAT_BIN R"(/remat-worker", )" + keys + "}");
        };
        profile("cluster", R"("prefix": ["env", "SLURM_JOB_ID=77"])");
        profile("unreachable", R"("prefix": ["sh", "-c", "printf 'no route to host\\033[2J\\n'; exit 255"])");
        profile("line", R"("prefix": "ssh host")");
        const CliResult run = cli({"run", file, "--launch", "cluster", "--steps", "1", "--json"});
        QVERIFY2(run.exit == 0, run.err);
        QCOMPARE(run.json()["peak"]["predicted_bytes"], run.json()["peak"]["tracked_bytes"]);
        QVERIFY2(run.err.contains(", job 77\n"), run.err);
        const CliResult unreachable = cli({"run", file, "--launch", "unreachable", "--json"});
        QCOMPARE(unreachable.exit, 11);
        QCOMPARE(unreachable.errorCode(), "worker-not-launched");
        QVERIFY(unreachable.json()["error"]["message"].toString().contains("no route to host"));
        // What another machine says cannot rewrite this terminal, not even on its way.
        QCOMPARE(unreachable.err.count("no route to host [2J"), 2);
        QVERIFY(!unreachable.err.contains('\033'));
        QCOMPARE(cli({"run", file, "--launch", "line"}).exit, 3);
        const CliResult unknown = cli({"run", file, "--launch", "nowhere", "--json"});
        QCOMPARE(unknown.exit, 2);
        QCOMPARE(unknown.errorCode(), "unknown-launch-profile");
        QCOMPARE(unknown.errorWhere(), "--launch");
    }

    /// SIGTERM stops a run elsewhere in good order and says so.
    void aLaunchedRunIsStopped()
    {
        const Cli cli;
        const QString file = cli.path("plan.json");
        QCOMPARE(cli(QStringList{"plan", "--strategy", "full", "--out", file} + cli.smallStep()).exit, 0);
        QDir().mkpath(cli.path("config/rematscope/launch"));
        cli.write("config/rematscope/launch/there.json",
            R"({"format": "remat-launch", "version": 1, "prefix": ["env"], "worker": ")" REMAT_BIN
            R"(/remat-worker"})");
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_CONFIG_HOME", cli.path("config"));
        process.setProcessEnvironment(environment);
        process.start(REMAT_BIN "/remat", {"run", file, "--launch", "there", "--steps", "10000", "--json"});
        QByteArray err;
        while (!err.contains("phase: timing")) {
            QVERIFY(process.waitForReadyRead(30'000) || process.bytesAvailable() > 0
                || process.state() == QProcess::Running);
            err += process.readAllStandardError();
        }
        process.terminate();
        QVERIFY(process.waitForFinished(15'000));
        QCOMPARE(process.exitCode(), 11);
        QVERIFY(process.readAllStandardOutput().contains("run-stopped"));
    }
};

QTEST_GUILESS_MAIN(CliRunTest)
#include "cli_run_test.moc"
