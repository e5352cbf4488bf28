// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "tests/app/cli_process.h"

using remat::test::Cli;
using remat::test::CliResult;
using remat::test::readTestData;

/// Files that are wrong: exit code 3 with a message that names file and remedy; and chains with known answers.
class CliFilesTest : public QObject {
    Q_OBJECT

    struct Bad {
        const char* name;
        QByteArray content;
    };

    static std::vector<Bad> badTexts()
    {
        return {
            {"empty", ""},
            {"no JSON", "hello"},
            {"an array", "[]"},
            {"null", "null"},
            {"no UTF-8", "\xff\xfe{}"},
            {"wrong format", R"({"format": "remat-costs", "version": 1})"},
            {"deep nesting", QByteArray(100000, '[')},
            {"deep objects", QByteArray(R"({"a":)").repeated(5000)},
            {"10 MB string", "{\"model_type\": \"" + QByteArray(10'000'000, 'x') + "\"}"},
            {"10 MB of zero bytes", QByteArray(10'000'000, '\0')},
        };
    }

    /// The text with the value of the first such key replaced.
    static QByteArray with(QByteArray text, const QByteArray& key, const QByteArray& value)
    {
        const qsizetype colon = text.indexOf(':', text.indexOf('"' + key + '"'));
        qsizetype end = colon + 1;
        while (end < text.size() && text[end] != ',' && text[end] != '\n' && text[end] != '}')
            ++end;
        return text.replace(colon + 1, end - colon - 1, value);
    }

    static void requireRefused(const Cli& cli, const QStringList& arguments, const QString& file)
    {
        const CliResult text = cli(arguments);
        QCOMPARE(text.exit, 3);
        QVERIFY2(text.err.contains(file.toUtf8()), text.err);
        QVERIFY(text.out.isEmpty());
        const CliResult json = cli(arguments + QStringList{"--json"});
        QCOMPARE(json.exit, 3);
        QVERIFY(!json.errorCode().isEmpty());
        QVERIFY2(json.errorWhere().contains(file), json.out);
    }

private slots:
    /// Whoever gives an answer of ours where a config is wanted is told what it is, for every verb that answers.
    void everyAnswerIsToldApartFromAConfig()
    {
        const Cli cli;
        const QString plan = cli.path("plan.json");
        QCOMPARE(cli(QStringList{"plan", "--budget", "64MiB", "--out", plan} + cli.smallStep()).exit, 0);
        const QStringList step = cli.smallStep();
        const std::vector<QStringList> verbs{{"models"}, {"devices"}, {"article"}, QStringList{"describe"} + step,
            QStringList{"plan", "--budget", "64MiB"} + step, QStringList{"frontier"} + step,
            QStringList{"compare", "--budget", "64MiB"} + step, QStringList{"chain"} + step, {"verify", plan},
            {"explain", plan}, {"export", plan, "--to", "csv", "--out", cli.path("plan.csv")},
            QStringList{"max-batch", "--budget", "64MiB"} + step, {"solve", plan}};
        for (const QStringList& verb : verbs) {
            const CliResult answer = cli(verb + QStringList{"--json"});
            const QString file = cli.write("answer.json", answer.out);
            const CliResult refused = cli({"describe", "--config", file, "--json"});
            QCOMPARE(refused.exit, 3);
            QVERIFY2(refused.errorCode() == "config-is-own-file" || refused.errorCode() == "config-is-own-answer",
                qPrintable(verb.first() + ": " + refused.errorCode()));
        }
    }

    void badConfigsExitWithThree_data()
    {
        QTest::addColumn<QByteArray>("content");
        for (const Bad& bad : badTexts())
            QTest::newRow(bad.name) << bad.content;
        const QByteArray gpt2 = readTestData("configs/gpt2.config.json");
        QTest::newRow("truncated") << gpt2.left(gpt2.size() / 2);
        QTest::newRow("0 layers") << with(gpt2, "n_layer", "0");
        QTest::newRow("10^9 layers") << with(gpt2, "n_layer", "1000000000");
        QTest::newRow("negative width") << with(gpt2, "n_embd", "-768");
        QTest::newRow("NaN") << with(gpt2, "n_embd", "NaN");
        QTest::newRow("1e300") << with(gpt2, "n_embd", "1e300");
        QTest::newRow("heads") << with(gpt2, "n_head", "7");
        QTest::newRow("text for a number") << with(gpt2, "n_head", "\"twelve\"");
        QTest::newRow("model_type") << with(gpt2, "model_type", "\"whisper\"");
    }

    void badConfigsExitWithThree()
    {
        QFETCH(const QByteArray, content);
        const Cli cli;
        const QString file = cli.write("bad.json", content);
        requireRefused(cli, {"describe", "--config", file, "--device", "a100-80"}, "bad.json");
    }

    void badChainsExitWithThree_data()
    {
        QTest::addColumn<QByteArray>("content");
        for (const Bad& bad : badTexts())
            QTest::newRow(bad.name) << bad.content;
        const QByteArray chain = readTestData("chains/homogeneous-n4.chain.json");
        QTest::newRow("truncated") << chain.left(chain.size() / 2);
        QTest::newRow("negative bytes") << with(chain, "out_bytes", "-1");
        QTest::newRow("fraction") << with(chain, "forward_ns", "1.5");
        QTest::newRow("NaN") << with(chain, "base_bytes", "NaN");
        QTest::newRow("2^63") << with(chain, "base_bytes", "9223372036854775808");
        QTest::newRow("version 2") << with(chain, "version", "2");
        QTest::newRow("no stages") << QByteArray(
            R"({"format": "remat-chain", "version": 1, "name": "x", "base_bytes": 0, "stages": []})");
    }

    void badChainsExitWithThree()
    {
        QFETCH(const QByteArray, content);
        const Cli cli;
        const QString file = cli.write("bad.json", content);
        requireRefused(cli, {"solve", file, "--mode", "flat"}, "bad.json");
    }

    void badPlansExitWithThree_data()
    {
        QTest::addColumn<QByteArray>("content");
        for (const Bad& bad : badTexts())
            QTest::newRow(bad.name) << bad.content;
        const Cli cli;
        const QByteArray plan = cli(QStringList{"plan", "--json", "--strategy", "full"} + cli.smallStep()).out;
        QVERIFY(plan.size() > 1000);
        QTest::newRow("truncated") << plan.left(plan.size() / 2);
        for (const char* key : {"layers", "batch", "heads", "sequence"})
            for (const char* value : {"0", "-1", "1000000000", "NaN", "\"2\""})
                QTest::addRow("%s %s", key, value) << with(plan, key, value);
        // Every number that is derived is compared; a wrong one is named.
        for (const char* key :
            {"peak_bytes", "saved_bytes", "base_bytes", "time_ns", "overhead_ns", "reruns", "parameters"})
            QTest::addRow("%s changed", key) << with(plan, key, "123456789");
        QTest::newRow("fits changed") << with(plan, "fits", "false");
        QTest::newRow("keep set") << with(plan, "keep_set", "\"everything\"");
        QTest::newRow("strategy") << with(plan, "strategy", "\"best\"");
    }

    void badPlansExitWithThree()
    {
        QFETCH(const QByteArray, content);
        const Cli cli;
        const QString file = cli.write("bad.json", content);
        requireRefused(cli, {"verify", file}, "bad.json");
        QCOMPARE(cli({"export", file, "--to", "csv"}).exit, 3);
        QCOMPARE(cli({"run", file}).exit, 3);
    }

    void missingFilesAndFoldersExitWithThree()
    {
        const Cli cli;
        requireRefused(cli, {"describe", "--config", cli.path("none.json"), "--device", "t4"}, "none.json");
        requireRefused(cli, {"verify", cli.path("none.json")}, "none.json");
        requireRefused(cli, {"solve", cli.path("none.json"), "--mode", "flat"}, "none.json");
        requireRefused(cli, {"verify", cli.path("")}, cli.path(""));
        const QString chain = QStringLiteral(REMAT_TEST_DATA "/chains/single-1.chain.json");
        requireRefused(cli, {"replay", chain, cli.path("none.json")}, "none.json");
        QCOMPARE(cli(QStringList{"plan", "--strategy", "none", "--out", cli.path("no/such/folder/plan.json")}
                     + cli.smallStep())
                     .exit,
            3);
        requireRefused(
            cli, {"describe", "--model", "gpt2", "--costs", cli.write("bad-costs.json", "{}")}, "bad-costs.json");
    }

    void schedulesThatDoNotRunNameTheOp()
    {
        const Cli cli;
        const QString chain = QStringLiteral(REMAT_TEST_DATA "/chains/homogeneous-n4.chain.json");
        const QString backwardFirst = cli.write("s1.json", R"([{"op": "backward", "stage": 4}])");
        const CliResult result = cli({"replay", chain, backwardFirst, "--json"});
        QCOMPARE(result.exit, 3);
        QVERIFY2(result.errorWhere().contains("s1.json") && result.errorWhere().contains("0"), result.out);
        const QString unknownOp = cli.write("s2.json",
            R"({"schedule": [{"op": "forward", "stage": 1, "option": "none"}, {"op": "jump", "stage": 1}]})");
        const CliResult second = cli({"replay", chain, unknownOp, "--json"});
        QCOMPARE(second.exit, 3);
        QVERIFY2(second.errorWhere().contains("1"), second.out);
        const QString unfinished = cli.write("s3.json", R"([{"op": "forward", "stage": 1, "option": "none"}])");
        QCOMPARE(cli({"replay", chain, unfinished}).exit, 3);
    }

    void chainsWithKnownAnswersAreReproduced_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name :
            {"single-1", "homogeneous-n4", "hetero-n5-3", "input-n6-0", "wgrad-heavy-0", "zero-cost-1", "zero-sizes",
                "no-input-1", "loss-needs-output", "huge-head-0", "petabyte-0", "tiny-l4"})
            QTest::newRow(name) << name;
    }

    /// The expected frontiers come from a solver that shares no code with ours (tests/data/chains/README.md); every
    /// schedule is replayed to its point.
    void chainsWithKnownAnswersAreReproduced()
    {
        QFETCH(const QString, name);
        const Cli cli;
        const QString chain = QStringLiteral(REMAT_TEST_DATA "/chains/") + name + ".chain.json";
        const CliResult result = cli({"solve", chain, "--mode", "flat", "--schedules", "--json"});
        QCOMPARE(result.exit, 0);
        const QJsonObject expected = QJsonDocument::fromJson(readTestData("chains/" + name + ".expect.json")).object();
        const QJsonArray frontier = result.json()["frontier"].toArray();
        QCOMPARE(frontier, expected["flat"].toArray());
        const QJsonArray schedules = result.json()["schedules"].toArray();
        QCOMPARE(schedules.size(), frontier.size());
        for (const qsizetype p : {qsizetype{0}, frontier.size() / 2, frontier.size() - 1}) {
            const QString file = cli.write("schedule.json", QJsonDocument(schedules[p].toArray()).toJson());
            const QJsonObject replayed = cli({"replay", chain, file, "--json"}).json();
            QCOMPARE(replayed["peak"], frontier[p][0]);
            QCOMPARE(replayed["time"], frontier[p][1]);
        }
    }

    /// `exhaustive` of these chains comes from a search that shares no code with ours, and the nested class reaches it.
    void nestedReachesTheExhaustiveFrontier()
    {
        const Cli cli;
        for (const QString name : {"homogeneous-n4", "huge-head-0", "tiny-transformer-n4"}) {
            const QString chain = QStringLiteral(REMAT_TEST_DATA "/chains/") + name + ".chain.json";
            const CliResult result = cli({"solve", chain, "--mode", "nested", "--exhaustive", "--schedules", "--json"});
            QCOMPARE(result.exit, 0);
            const QJsonObject solved = result.json();
            QCOMPARE(solved["class"].toString(), "nested");
            QVERIFY(solved["exact"].toBool());
            const QJsonObject truth = solved["exhaustive"].toObject();
            QCOMPARE(truth["equal"], QJsonValue(true));
            QCOMPARE(solved["least_budget_bytes"], solved["frontier"][0][0]);
            QCOMPARE(truth["missed"].toInt(-1), 0);
            const QJsonArray frontier = solved["frontier"].toArray();
            const QJsonArray schedules = solved["schedules"].toArray();
            QCOMPARE(schedules.size(), frontier.size());
            const QString file = cli.write("schedule.json", QJsonDocument(schedules[0].toArray()).toJson());
            const QJsonObject replayed = cli({"replay", chain, file, "--json"}).json();
            QCOMPARE(replayed["peak"], frontier[0][0]);
            QCOMPARE(replayed["time"], frontier[0][1]);
            const CliResult bare = cli({"solve", chain, "--exhaustive"});
            QCOMPARE(bare.exit, 0);
            QVERIFY(bare.out.contains("class nested, exact") && bare.out.contains("all are reached"));
        }
        const QString longer = QStringLiteral(REMAT_TEST_DATA "/chains/gpt2-medium-b8-s1024.chain.json");
        QCOMPARE(cli({"solve", longer, "--mode", "nested", "--exhaustive", "--json"}).exit, 3);
    }
};

QTEST_GUILESS_MAIN(CliFilesTest)
#include "cli_files_test.moc"
