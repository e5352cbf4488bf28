// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"

using remat::test::Cli;
using remat::test::CliResult;

/// What is wrong on the command line itself: exit code 2, one JSON object under --json.
class CliUsageTest : public QObject {
    Q_OBJECT

private slots:
    void helpAndVersionExitWithZero()
    {
        const Cli cli;
        QCOMPARE(cli({"--help"}).exit, 0);
        QVERIFY(cli({"--help"}).out.contains("frontier"));
        QVERIFY(cli({"plan", "--help"}).out.contains("--budget"));
        QVERIFY(cli({"--version"}).out.startsWith("remat "));
        QCOMPARE(cli({"--version", "--json"}).json()["format"].toString(), "remat-version");
    }

    void usageErrorsExitWithTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const QStringList gpt2{"--model", "tiny-gpt2", "--device", "a100-80"};
        const auto row = [](const char* name, const QStringList& arguments) { QTest::newRow(name) << arguments; };
        row("no verb", {});
        row("unknown verb", {"palnn"});
        row("plan missing", {"explain"});
        row("max-batch without budget", {"max-batch", "--model", "tiny-gpt2"});
        row("unknown flag", {"models", "--frobnicate"});
        row("unexpected argument", {"models", "gpt2"});
        row("missing value", {"describe", "--model"});
        row("doubled flag", {"describe", "--model", "gpt2", "--model", "gpt2"});
        row("doubled number", {"describe", "--model", "gpt2", "--batch", "1", "--batch", "2"});
        row("no model", {"describe", "--device", "a100-80"});
        row("preset and config", {"describe", "--model", "gpt2", "--config", "x.json"});
        row("unknown preset", {"describe", "--model", "gtp2"});
        row("unknown device", {"describe", "--model", "gpt2", "--device", "a200"});
        row("budget missing", {"plan", "--model", "tiny-gpt2"});
        row("budget without number", QStringList{"plan", "--budget", "much"} + gpt2);
        row("negative budget", QStringList{"plan", "--budget", "-1GiB"} + gpt2);
        row("unknown unit", QStringList{"plan", "--budget", "8Gi"} + gpt2);
        row("unknown strategy", QStringList{"plan", "--strategy", "best", "--budget", "1GiB"} + gpt2);
        row("every-0", QStringList{"plan", "--strategy", "every-0", "--budget", "1GiB"} + gpt2);
        row("malformed pin", QStringList{"plan", "--pin", "L3", "--budget", "1GiB"} + gpt2);
        row("pin of no layer", QStringList{"plan", "--pin", "L99=keep", "--budget", "1GiB"} + gpt2);
        row("pins that contradict",
            QStringList{"plan", "--pin", "L0=keep", "--pin", "L0=recompute", "--budget", "1GiB"} + gpt2);
        row("compare without budget", {"compare", "--model", "tiny-gpt2"});
        row("out without to", QStringList{"compare", "--out", "table.csv"} + gpt2);
        row("comparison as code", QStringList{"compare", "--to", "pytorch"} + gpt2);
        row("unit of another flag", QStringList{"describe", "--batch", "6", "GiB"} + gpt2);
        for (const char* value : {"0", "-1", "1.5", "x", "", "1e3", "0x10", "99999999999999999999", "nan"})
            for (const char* flag : {"--batch", "--seq", "--layers", "--hidden", "--heads", "--kv-heads", "--ffn",
                     "--vocab", "--max-positions", "--micro-batches", "--head-chunks"})
                QTest::addRow("%s '%s'", flag, value) << (QStringList{"describe", flag, value} + gpt2);
        for (const char* value : {"1", "-0.1", "nan", "inf", "x", ""})
            QTest::addRow("--dropout '%s'", value) << (QStringList{"describe", "--dropout", value} + gpt2);
        for (const char* flag : {"--profile", "--precision", "--attention", "--loss", "--optimizer", "--variants"})
            QTest::addRow("%s nonsense", flag) << (QStringList{"describe", flag, "nonsense"} + gpt2);
        row("frontier of three points", QStringList{"frontier", "--profile", "paper"} + gpt2);
        row("chain of another profile", QStringList{"chain", "--profile", "pytorch"} + gpt2);
        row("precision that runtime lacks", QStringList{"describe", "--precision", "amp"} + gpt2);
        row("heads that do not divide", QStringList{"describe", "--heads", "7"} + gpt2);
        row("key/value heads that do not divide", QStringList{"describe", "--kv-heads", "3"} + gpt2);
        row("sequence beyond the window", {"describe", "--model", "mistral-7b", "--seq", "5000"});
        row("sequence beyond positions", QStringList{"describe", "--seq", "1000000"} + gpt2);
        row("chunks of the plain loss",
            QStringList{"describe", "--head-chunks", "4", "--loss", "cross_entropy"} + gpt2);
        row("10^9 layers", QStringList{"describe", "--layers", "1000000000"} + gpt2);
        for (const char* flag : {"--zero", "--tp", "--dtype", "--early-stop", "--dp", "--pp"})
            QTest::addRow("%s of another profile", flag) << (QStringList{"describe", flag, "2"} + gpt2);
        for (const char* flag : {"--sp", "--reentrant", "--master-weights", "--use-cache"})
            QTest::addRow("%s of another profile", flag) << (QStringList{"describe", flag} + gpt2);
        row("article has no attention kinds",
            {"describe", "--model", "bert-base", "--profile", "article", "--attention", "eager"});
        row("unknown mode", {"solve", "chain.json", "--mode", "best"});
        row("mode missing", {"solve", "chain.json"});
        row("chain missing", {"solve", "--mode", "flat"});
        row("schedule missing", {"replay", "chain.json"});
        row("realization of a table", {"export", "plan.json", "--to", "csv", "--realization", "exact"});
        row("unknown export", {"export", "plan.json", "--to", "pdf"});
        row("unknown machine", {"run", "plan.json", "--machine", "tpu"});
        row("no steps", {"run", "plan.json", "--steps", "0"});
    }

    void usageErrorsExitWithTwo()
    {
        QFETCH(const QStringList, arguments);
        const Cli cli;
        const CliResult text = cli(arguments);
        QCOMPARE(text.exit, 2);
        QVERIFY(text.out.isEmpty());
        QVERIFY2(text.err.startsWith("remat: ") && text.err.size() > 30, text.err);
        const CliResult json = cli(arguments + QStringList{"--json"});
        QCOMPARE(json.exit, 2);
        const QJsonObject error = json.json()["error"].toObject();
        for (const char* key : {"code", "where", "message", "remedy"})
            QVERIFY2(error.contains(key), key);
        QVERIFY(!error["code"].toString().isEmpty() && !error["message"].toString().isEmpty());
    }

    void flagsAreNamedInErrors()
    {
        const Cli cli;
        const QStringList step{"describe", "--json", "--model", "gpt2", "--device", "a100-80"};
        QCOMPARE(cli(step + QStringList{"--heads", "7"}).errorWhere(), "--heads");
        QCOMPARE(cli(step + QStringList{"--batch", "0"}).errorWhere(), "--batch");
        QCOMPARE(cli(step + QStringList{"--seq", "2000"}).errorWhere(), "--seq");
        QCOMPARE(cli(step + QStringList{"--attention", "flash"}).errorWhere(), "--attention");
        QCOMPARE(cli(step + QStringList{"--zero", "3"}).errorCode(), "flag-only-of-many-gpus");
        QCOMPARE(cli({"sweep", "--json"}).exit, 2);
        QCOMPARE(cli({"solve", "chain.json", "--json"}).errorWhere(), "--mode");
        QCOMPARE(cli({"describe", "--model", "gpt2", "--json", "--vocab", "x"}).errorWhere(), "--vocab");
        QCOMPARE(cli({"describe", "--json", "--model"}).errorCode(), "missing-value");
        QCOMPARE(cli(step + QStringList{"--model", "gpt2"}).errorCode(), "repeated-flag");
        // Comma-separated values are no JSON object.
        QCOMPARE(cli({"frontier", "--model", "gpt2", "--csv", "--json"}).exit, 2);
    }

    /// What no profile has is not offered.
    void precisionsThatWorkAreListed()
    {
        const Cli cli;
        const QStringList step{"describe", "--json", "--model", "bert-base", "--device", "h100-sxm", "--precision"};
        const auto remedy
            = [&](const QStringList& flags) { return cli(step + flags).json()["error"]["remedy"].toString(); };
        QCOMPARE(remedy({"bf16"}), "Use one of: fp32, half.");
        QVERIFY(remedy({"amp"}).contains("fp32 or half"));
        QCOMPARE(cli(step + QStringList{"half"}).exit, 0);
        const CliResult onCpu = cli({"describe", "--json", "--model", "bert-base", "--precision", "half"});
        QCOMPARE(onCpu.exit, 2);
        QCOMPARE(onCpu.errorCode(), "precision-not-on-cpu");
    }

    void helpTellsTheStrategies()
    {
        const Cli cli;
        for (const char* verb : {"plan", "compare"}) {
            const QByteArray help = cli({verb, "--help"}).out;
            for (const char* word : {"every-K", "recompute every layer from its input", "(attention core only)",
                     "\"blocked\"", "\"overhead\""})
                QVERIFY2(help.contains(word), word);
        }
    }

    void numbersLookTheSameUnderEveryLocale()
    {
        const QStringList plan{
            "plan", "--model", "tiny-bert", "--device", "t4", "--strategy", "full", "--budget", "4.5GiB"};
        Cli cli;
        cli.setEnvironment("LC_ALL", "C");
        const CliResult reference = cli(plan);
        QCOMPARE(reference.exit, 0);
        for (const char* locale : {"de_DE.UTF-8", "tr_TR.UTF-8"}) {
            cli.setEnvironment("LC_ALL", locale);
            cli.setEnvironment("LANG", locale);
            QCOMPARE(cli(plan).out, reference.out);
        }
    }
};

QTEST_GUILESS_MAIN(CliUsageTest)
#include "cli_usage_test.moc"
