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
        const CliResult nested
            = cli(QStringList{"max-batch", "--json", "--budget", "1048000", "--strategy", "optimal-nested"}
                + cli.smallStep());
        QCOMPARE(nested.exit, 4);
        QVERIFY(nested.json()["error"]["least_budget_bytes"].toInteger() > (1 << 20));
        QVERIFY2(nested.err.contains("A bare number is bytes"), nested.err);
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

    /// Unused budget is no reason: the same plan has the same reasons at any budget that gives it.
    void slackChangesNoReason()
    {
        const Cli cli;
        const QJsonArray frontier
            = cli(QStringList{"frontier", "--json"} + cli.smallStep()).json()["frontier"].toArray();
        // The widest gap between two peaks.
        int widest = 0;
        const auto gapAfter = [&](int i) { return frontier[i + 1][0].toInteger() - frontier[i][0].toInteger(); };
        for (int i = 0; i + 1 < frontier.size(); ++i)
            if (gapAfter(i) > gapAfter(widest))
                widest = i;
        const auto explainedAt = [&](qint64 budget) {
            const QString file = cli.path("plan.json");
            cli(QStringList{"plan", "--budget", QString::number(budget), "--out", file} + cli.smallStep());
            return cli({"explain", file, "--json"}).json();
        };
        const qint64 peak = frontier[widest][0].toInteger();
        const QJsonObject tight = explainedAt(peak), wide = explainedAt(peak + gapAfter(widest) - 1);
        QCOMPARE(tight["peak"]["bytes"], wide["peak"]["bytes"]);
        QVERIFY(tight["slack_bytes"] != wide["slack_bytes"]);
        QVERIFY(tight["frontier_ns_per_byte"].toDouble() > 0);
        QCOMPARE(tight["frontier_ns_per_byte"], wide["frontier_ns_per_byte"]);
        QCOMPARE(tight["stages"], wide["stages"]);
    }

    void everyKindOfPlanIsExplained()
    {
        const Cli cli;
        const QString file = cli.path("plan.json");
        for (const char* strategy : {"full", "chen-sqrt", "knapsack"}) {
            QCOMPARE(
                cli(QStringList{"plan", "--strategy", strategy, "--budget", "1GiB", "--out", file} + cli.smallStep())
                    .exit,
                0);
            const CliResult explained = cli({"explain", file, "--json"});
            QCOMPARE(explained.exit, 0);
            QCOMPARE(explained.json()["strategy"].toString(), QString(strategy));
            QVERIFY(explained.json()["more_budget"].isNull());
            for (const QJsonValue& stage : explained.json()["stages"].toArray())
                for (const QJsonValue& op : stage["ops"].toArray())
                    QCOMPARE(op["why"].toString(), "rule");
            QCOMPARE(cli({"explain", file}).exit, 0);
        }
        QCOMPARE(cli({"explain", cli.path("none.json"), "--json"}).exit, 3);
    }

    /// A nested plan near its least: layers run again, and both verbs name the same next point of its own frontier.
    void aNestedPlanIsExplained()
    {
        const Cli cli;
        const QStringList deep = QStringList{"--layers", "8", "--strategy", "optimal-nested"} + cli.smallStep();
        const QString file = cli.path("plan.json");
        const CliResult none = cli(QStringList{"plan", "--json", "--budget", "1MiB"} + deep);
        QCOMPARE(none.exit, 4);
        const qint64 least = none.json()["error"]["least_budget_bytes"].toInteger();
        const CliResult planned
            = cli(QStringList{"plan", "--json", "--budget", QString::number(least), "--out", file} + deep);
        QCOMPARE(planned.exit, 0);
        const QJsonObject object = cli({"explain", file, "--json"}).json();
        QVERIFY(object["more_budget"].isObject());
        QCOMPARE(object["more_budget"]["peak_bytes"], planned.json()["next_cheaper"]["peak_bytes"]);
        qint64 sum = 0, again = 0;
        for (const QJsonValue& part : object["peak"]["parts"].toArray())
            sum += part["bytes"].toInteger();
        for (const QJsonValue& stage : object["stages"].toArray())
            again += stage["forwards"].toInteger() > 1;
        QCOMPARE(sum, planned.json()["prediction"]["peak_bytes"].toInteger());
        QVERIFY(again > 0);
    }
};

QTEST_GUILESS_MAIN(CliExplainTest)
#include "cli_explain_test.moc"
