// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"

using remat::test::Cli;
using remat::test::CliResult;

/// Budgets against the memory of the device, and how budgets are written.
class CliDeviceTest : public QObject {
    Q_OBJECT

    static constexpr qint64 kMiB = 1 << 20;

    /// gpt2-medium, batch 16 and 1024 tokens: least peak about 12 GiB, keep-everything about 34 GiB.
    static QStringList onTheCard(const QString& verb)
    {
        return {verb, "--model", "gpt2-medium", "--batch", "16", "--device", "rtx-4090"};
    }
    /// What `remat devices` says of the card.
    static qint64 cardBudget(const Cli& cli)
    {
        for (const QJsonValue& device : cli({"devices", "--json"}).json()["devices"].toArray())
            if (device["name"].toString() == "rtx-4090")
                return device["memory_bytes"].toInteger() - device["context_bytes"].toInteger();
        return 0;
    }

private slots:
    void aBudgetBeyondTheCardIsNotCalledFitting_data()
    {
        QTest::addColumn<QString>("budget");
        QTest::newRow("a little") << "24GiB";
        QTest::newRow("by far") << "40GiB";
    }

    void aBudgetBeyondTheCardIsNotCalledFitting()
    {
        QFETCH(QString, budget);
        const Cli cli;
        const QStringList plan = onTheCard("plan") + QStringList{"--budget", budget};
        const CliResult text = cli(plan);
        QCOMPARE(text.exit, 0); // a plan was asked for and is there; the budget is the person's
        QVERIFY2(text.out.split('\n').value(1).startsWith("fits the budget, not the card: peak "), text.out);
        QVERIFY2(text.err.contains("warning: The plan needs "), text.err);
        const QJsonObject object = cli(plan + QStringList{"--json"}).json();
        QCOMPARE(object["fits"], QJsonValue(true));
        QCOMPARE(object["fits_device"], QJsonValue(false));
        QVERIFY(object["prediction"]["peak_bytes"].toInteger() > cardBudget(cli));
        const QString file = cli.write("plan.json", QJsonDocument(object).toJson());
        QCOMPARE(cli({"verify", file, "--json"}).json()["fits_device"], QJsonValue(false));
        QVERIFY(cli({"verify", file}).out.contains("not the card"));
        QVERIFY(cli({"export", file, "--to", "markdown"}).out.contains("not the card"));
    }

    void withoutABudgetTheCardIsTheBudget()
    {
        const Cli cli;
        const QJsonObject plan = cli(onTheCard("plan") + QStringList{"--json"}).json();
        QCOMPARE(plan["budget_bytes"].toInteger(), cardBudget(cli));
        QCOMPARE(plan["fits_device"], QJsonValue(true));
        QVERIFY(plan["defaults"].toArray().last().toString().startsWith("--budget 23.1 GiB (memory of rtx-4090"));
        QVERIFY(cli(onTheCard("plan")).out.contains("fits: peak 23.1 GiB of 23.1 GiB"));
        QCOMPARE(cli(onTheCard("compare") + QStringList{"--json"}).json()["budget_bytes"].toInteger(), cardBudget(cli));
        // A CPU's memory is shared: there the person says what the step may take.
        QCOMPARE(cli(QStringList{"plan", "--json"} + cli.smallStep()).errorCode(), "budget-missing");
    }

    void aStepThatNoPlanFitsOnTheCardSaysSo()
    {
        const Cli cli;
        const CliResult result
            = cli({"plan", "--model", "gpt2-medium", "--batch", "64", "--device", "rtx-4090", "--budget", "80GiB"});
        QCOMPARE(result.exit, 0);
        QVERIFY2(result.err.contains("Even the leanest of these plans needs"), result.err);
        QCOMPARE(cli({"plan", "--model", "gpt2-medium", "--batch", "64", "--device", "rtx-4090"}).exit, 4);
    }

    void comparisonAndFrontierKnowTheCard()
    {
        const Cli cli;
        const QStringList compare = onTheCard("compare") + QStringList{"--budget", "24GiB"};
        for (const QJsonValue& row : cli(compare + QStringList{"--json"}).json()["strategies"].toArray())
            QCOMPARE(row["fits_device"].toBool(), row["peak_bytes"].toInteger() <= cardBudget(cli));
        const CliResult text = cli(compare);
        QVERIFY2(text.out.contains("more than the card can give: 23.1 GiB"), text.out);
        QVERIFY2(text.out.contains("the card lacks "), text.out);
        const QJsonArray points = cli(onTheCard("frontier") + QStringList{"--json"}).json()["points"].toArray();
        QVERIFY(points.first()["fits_device"].toBool() && !points.last()["fits_device"].toBool());
        QVERIFY(cli(onTheCard("frontier")).out.contains("peaks up to 23.1 GiB fit the card"));
    }

    /// No line of the table is stretched by a sentence; the sentence stands below.
    void reasonsAreShort()
    {
        const Cli cli;
        const QByteArray out = cli(onTheCard("compare") + QStringList{"--budget", "6GiB"}).out;
        const QList<QByteArray> lines = out.split('\n');
        const auto header = std::find_if(
            lines.begin(), lines.end(), [](const QByteArray& line) { return line.startsWith("strategy "); });
        QVERIFY(header != lines.end() && header->size() < 100);
        const QStringList json = onTheCard("compare") + QStringList{"--budget", "6GiB", "--json"};
        const qsizetype strategies = cli(json).json()["strategies"].toArray().size();
        QCOMPARE(out.count("needs "), strategies + 1); // every strategy, and optimal's sentence
        QVERIFY(out.contains("optimal: No flat plan fits into 6.00 GiB"));
    }

    void comparisonsAreExported()
    {
        const Cli cli;
        const QStringList compare = QStringList{"compare", "--budget", "1GiB"} + cli.smallStep();
        const QByteArray csv = cli(compare + QStringList{"--to", "csv"}).out;
        QVERIFY(csv.startsWith("strategy,fits,fits_device,peak_bytes,step_ns,"));
        const QJsonArray rows = cli(compare + QStringList{"--json"}).json()["strategies"].toArray();
        QCOMPARE(csv.count('\n'), 1 + rows.size());
        for (const QJsonValue& row : rows)
            QVERIFY(csv.contains(QByteArray::number(row["peak_bytes"].toInteger())));
        const QString out = cli.path("table.md");
        const CliResult written = cli(compare + QStringList{"--to", "markdown", "--out", out});
        QCOMPARE(written.exit, 0);
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("| strategy | fits | peak |"));
        const QString comparison = cli.write("comparison.json", cli(compare + QStringList{"--json"}).out);
        const CliResult refused = cli({"export", comparison, "--to", "csv"});
        QCOMPARE(refused.exit, 3);
        QVERIFY2(
            refused.err.contains("remat-comparison") && refused.err.contains("remat compare --to csv"), refused.err);
    }

    void sizesAreWrittenAsPeopleDo_data()
    {
        QTest::addColumn<QStringList>("size");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("letter") << QStringList{"6G"} << 6144 * kMiB;
        QTest::newRow("decimal in lower case") << QStringList{"6gb"} << qint64{6'000'000'000};
        QTest::newRow("quoted") << QStringList{"6 GiB"} << 6144 * kMiB;
        QTest::newRow("two words") << QStringList{"6", "GiB"} << 6144 * kMiB;
    }

    void sizesAreWrittenAsPeopleDo()
    {
        QFETCH(QStringList, size);
        QFETCH(qint64, bytes);
        const Cli cli;
        const CliResult plan = cli(QStringList{"plan", "--json", "--budget"} + size + cli.smallStep());
        QCOMPARE(plan.json()["budget_bytes"].toInteger(), bytes);
        QVERIFY(!plan.err.contains("bare number"));
    }

    void aSmallBareNumberIsExplained()
    {
        const Cli cli;
        const CliResult plan = cli(QStringList{"plan", "--budget", "6"} + cli.smallStep());
        QCOMPARE(plan.exit, 4);
        QVERIFY2(plan.err.contains("A bare number is bytes: 6 is 6 B. With a unit it is 6GiB or 6MiB."), plan.err);
        QVERIFY(!cli(QStringList{"plan", "--budget", "1048576"} + cli.smallStep()).err.contains("bare number"));
    }
};

QTEST_GUILESS_MAIN(CliDeviceTest)
#include "cli_device_test.moc"
