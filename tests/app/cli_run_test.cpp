// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
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
};

QTEST_GUILESS_MAIN(CliRunTest)
#include "cli_run_test.moc"
