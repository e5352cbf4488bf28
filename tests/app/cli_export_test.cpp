// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"

using remat::test::Cli;
using remat::test::CliResult;

/// remat export: plans as code and settings of trainers.
class CliExportTest : public QObject {
    Q_OBJECT

    static QString plan(const Cli& cli, const QStringList& how, const QString& name = "plan.json")
    {
        const QString file = cli.path(name);
        const CliResult made = cli(QStringList{"plan", "--out", file} + how + cli.smallStep());
        return made.exit == 0 ? file : QString();
    }

private slots:
    void pytorchIsAModule_data()
    {
        QTest::addColumn<QString>("realization");
        QTest::newRow("regions") << "regions";
        QTest::newRow("exact") << "exact";
    }

    void pytorchIsAModule()
    {
        QFETCH(const QString, realization);
        const Cli cli;
        const QString file = plan(cli, {"--strategy", "full"}), out = cli.path("remat_plan.py");
        const QStringList words{"export", file, "--to", "pytorch", "--realization", realization};
        const CliResult printed = cli(words);
        QCOMPARE(printed.exit, 0);
        QVERIFY(printed.out.startsWith("# SPDX-FileCopyrightText"));
        QVERIFY(printed.out.contains("SPDX-License-Identifier: 0BSD"));
        QCOMPARE(cli(words + QStringList{"--out", out}).exit, 0);
        QFile written(out);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(written.readAll(), printed.out);

        const QJsonObject json = cli(words + QStringList{"--json"}).json();
        QCOMPARE(json["text"].toString().toUtf8(), printed.out);
        const QJsonObject object = json["realization"].toObject();
        QCOMPARE(object["realization"].toString(), realization);
        QCOMPARE(object["model_class"].toString(), "GPT2LMHeadModel");
        QCOMPARE(object["layers"].toArray().size(), 2);
        QCOMPARE(object["layers"].toArray()[1].toObject()["layer"].toString(), "transformer.h.1");
    }

    void settingsStateTheirDifferences_data()
    {
        QTest::addColumn<QString>("to");
        QTest::addColumn<QByteArray>("setting");
        QTest::newRow("megatron") << "megatron" << QByteArray("--recompute-granularity full\n--recompute-method ");
        QTest::newRow("torchtitan") << "torchtitan" << QByteArray("[activation_checkpoint]\nmode = ");
    }

    void settingsStateTheirDifferences()
    {
        QFETCH(const QString, to);
        QFETCH(const QByteArray, setting);
        const Cli cli;
        const QString file = plan(cli, {"--strategy", "full"});
        const CliResult text = cli({"export", file, "--to", to});
        QCOMPARE(text.exit, 0);
        QVERIFY2(text.out.contains(setting), text.out);
        const QJsonObject json = cli({"export", file, "--to", to, "--json"}).json();
        // Differences are against the plan's own figures, which "remat verify" derives.
        const QJsonObject prediction = cli(QStringList{"plan", "--json", "--strategy", "full"} + cli.smallStep())
                                           .json()["prediction"]
                                           .toObject();
        QCOMPARE(json["peak_bytes"].toInteger() - json["peak_difference_bytes"].toInteger(),
            prediction["peak_bytes"].toInteger());
        QCOMPARE(
            json["step_ns"].toInteger() - json["step_difference_ns"].toInteger(), prediction["step_ns"].toInteger());
        QVERIFY(json["fits"].toBool());
        QVERIFY(json["peak_difference_bytes"].toInteger() <= 0);
    }

    void whatCannotBeIsRefused()
    {
        const Cli cli;
        const QString ordered = plan(cli, {"--strategy", "megatron-uniform-2"});
        const CliResult exact = cli({"export", ordered, "--to", "pytorch", "--realization", "exact", "--json"});
        QCOMPARE(exact.exit, 3);
        QCOMPARE(exact.errorCode(), "export-not-exact");
        QCOMPARE(cli({"export", ordered, "--to", "pytorch"}).exit, 0);
        const QString article = cli.path("article.json");
        QCOMPARE(cli({"plan", "--model", "bert-base", "--profile", "article", "--batch", "8", "--seq", "128",
                         "--strategy", "none", "--device", "a100-80", "--out", article})
                     .exit,
            0);
        QCOMPARE(cli({"export", article, "--to", "pytorch", "--json"}).errorCode(), "export-without-modules");
        QCOMPARE(cli({"export", article, "--to", "megatron", "--json"}).errorCode(), "settings-without-ops");
        QCOMPARE(cli({"export", ordered, "--to", "csv", "--realization", "exact"}).exit, 2);
        QCOMPARE(cli({"export", ordered, "--to", "pytorch", "--realization", "runtime"}).exit, 2);
    }
};

QTEST_APPLESS_MAIN(CliExportTest)
#include "cli_export_test.moc"
