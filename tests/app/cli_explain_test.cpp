// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"

using remat::test::Cli;
using remat::test::CliResult;

/// remat max-batch and remat explain.
class CliExplainTest : public QObject {
    Q_OBJECT

private slots:
    /// The batch that it names fits and the next one does not, by the verb plan.
    void theLargestBatchIsTheLastThatFits_data()
    {
        QTest::addColumn<QString>("strategy");
        for (const char* strategy : {"optimal", "full", "megatron-uniform-2"})
            QTest::newRow(strategy) << strategy;
    }

    void theLargestBatchIsTheLastThatFits()
    {
        QFETCH(QString, strategy);
        const Cli cli;
        const QStringList common{
            "--model", "tiny-gpt2", "--seq", "64", "--costs", cli.path("costs.json"), "--strategy", strategy};
        const QString file = cli.path("best.json");
        const CliResult found = cli(QStringList{"max-batch", "--json", "--budget", "64MiB", "--out", file} + common);
        QCOMPARE(found.exit, 0);
        QCOMPARE(found.json()["format"].toString(), "remat-batch");
        const qint64 largest = found.json()["largest"]["batch"].toInteger();
        QVERIFY(largest >= 1);
        const auto exitAt = [&](qint64 batch) {
            return cli(QStringList{"plan", "--budget", "64MiB", "--batch", QString::number(batch)} + common).exit;
        };
        QCOMPARE(exitAt(largest), 0);
        QCOMPARE(exitAt(largest + 1), 4);
        const QJsonValue best = found.json()["best"];
        QVERIFY(best["batch"].toInteger() <= largest);
        QVERIFY(best["samples_per_second"].toDouble() >= found.json()["largest"]["samples_per_second"].toDouble());
        QCOMPARE(best["plan"]["setup"]["batch"].toInteger(), best["batch"].toInteger());
        QCOMPARE(cli({"verify", file}).exit, 0);
    }

    void noBatchFitsExitsWithFour()
    {
        const Cli cli;
        const CliResult optimal = cli(QStringList{"max-batch", "--json", "--budget", "1MiB"} + cli.smallStep());
        QCOMPARE(optimal.exit, 4);
        QVERIFY(optimal.json()["error"]["least_budget_bytes"].toInteger() > (1 << 20));
        const CliResult full
            = cli(QStringList{"max-batch", "--json", "--budget", "1MiB", "--strategy", "full"} + cli.smallStep());
        QCOMPARE(full.exit, 4);
        QCOMPARE(full.errorCode(), "no-batch-fits");
    }

    void aPlanIsExplained()
    {
        const Cli cli;
        const qint64 least
            = cli(QStringList{"frontier", "--json"} + cli.smallStep()).json()["frontier"][0][0].toInteger();
        const QString file = cli.path("plan.json");
        const QStringList plan{"plan", "--json", "--budget", QString::number(least + (4 << 20)), "--pin",
            "L0.gelu=recompute", "--out", file};
        const CliResult planned = cli(plan + cli.smallStep());
        QCOMPARE(planned.exit, 0);
        const CliResult explained = cli({"explain", file, "--json"});
        QCOMPARE(explained.exit, 0);
        const QJsonObject object = explained.json();
        QCOMPARE(object["peak"]["bytes"], planned.json()["prediction"]["peak_bytes"]);
        QCOMPARE(object["peak"]["at"], planned.json()["prediction"]["peak_at"]);
        qint64 sum = 0;
        for (const QJsonValue& part : object["peak"]["parts"].toArray())
            sum += part["bytes"].toInteger();
        QCOMPARE(sum, object["peak"]["bytes"].toInteger());
        QCOMPARE(object["slack_bytes"].toInteger(),
            object["budget_bytes"].toInteger() - object["peak"]["bytes"].toInteger());
        QCOMPARE(object["more_budget"]["peak_bytes"], planned.json()["next_cheaper"]["peak_bytes"]);
        QStringList pinned;
        for (const QJsonValue& stage : object["stages"].toArray())
            for (const QJsonValue& op : stage["ops"].toArray())
                if (op["pinned"].toBool())
                    pinned << stage["stages"].toString() + " " + op["op"].toString() + " " + op["why"].toString();
        QCOMPARE(pinned, QStringList{"layer 0 gelu pin"});
        QVERIFY(cli({"explain", file}).out.contains("pin: L0.gelu=recompute"));
    }

    void everyKindOfPlanIsExplained()
    {
        const Cli cli;
        const QString file = cli.path("plan.json");
        for (const char* strategy : {"full", "chen-sqrt", "knapsack", "optimal-nested"}) {
            QCOMPARE(
                cli(QStringList{"plan", "--strategy", strategy, "--budget", "1GiB", "--out", file} + cli.smallStep())
                    .exit,
                0);
            const CliResult explained = cli({"explain", file, "--json"});
            QCOMPARE(explained.exit, 0);
            QCOMPARE(explained.json()["strategy"].toString(), QString(strategy));
            QCOMPARE(cli({"explain", file}).exit, 0);
        }
        QCOMPARE(cli({"explain", cli.path("none.json"), "--json"}).exit, 3);
    }
};

QTEST_GUILESS_MAIN(CliExplainTest)
#include "cli_explain_test.moc"
