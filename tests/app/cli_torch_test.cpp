// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"

using remat::test::Cli;
using remat::test::CliResult;

namespace {

const QStringList kBert{
    "--model", "bert-base", "--profile", "pytorch", "--batch", "16", "--seq", "512", "--dtype", "fp16"};

QStringList with(const QStringList& more)
{
    return QStringList(kBert) << more;
}

} // namespace

/// The profile pytorch from the command line; the step itself is tested against measured records in core/torch.
class CliTorchTest : public QObject {
    Q_OBJECT

private slots:
    void describesAStepOfPytorch()
    {
        const CliResult result = Cli()(QStringList{"describe", "--json"} + kBert);
        QCOMPARE(result.exit, 0);
        // BertForMaskedLM of Hugging Face: 109,514,298 weights (tests/data/configs/parameters.json).
        QCOMPARE(result.json()["model"]["parameters"].toInteger(), 109'514'298);
        const QJsonObject saved = result.json()["saved"].toObject();
        // 34 sbh + 4 abs and two norms' statistics (16 bs) with SDPA at dropout 0.1, and the kernel's two random states
        // of 512 bytes (reference notes on memory, section 3.2).
        const qint64 tokens = 16 * 512;
        QCOMPARE(saved["per_layer_bytes"].toInteger(), 34 * tokens * 768 + 4 * 12 * tokens + 16 * tokens + 1024);
        QVERIFY(result.json()["layer_tensors"].toArray().size() > 10);
        QCOMPARE(result.json()["setup"]["loss"].toString(), "mlm_hf");
    }

    void tellsWhatWasMeasured_data()
    {
        // Measured records, by their names (tests/data/torch): peak of forward and backward, and saved bytes.
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<qint64>("peak");
        QTest::addColumn<qint64>("saved");
        const QStringList bert{"--model", "bert-base", "--dtype", "fp16"};
        const QStringList gpt2{"--model", "gpt2", "--attention", "eager"};
        const QStringList step{"--batch", "4", "--seq", "512", "--optimizer", "none", "--profile", "pytorch"};
        QTest::newRow("bert-base_half-fp16_sdpa_b4s512_p0.1_none")
            << bert + step << qint64{1'254'777'344} << qint64{785'671'168};
        QTest::newRow("gpt2_half_eager_b4s512_p0.1_none")
            << gpt2 + step << qint64{3'341'995'520} << qint64{2'269'688'832};
    }
    void tellsWhatWasMeasured()
    {
        QFETCH(QStringList, flags);
        QFETCH(qint64, peak);
        QFETCH(qint64, saved);
        const CliResult result = Cli()(QStringList{"describe", "--json"} + flags);
        QCOMPARE(result.exit, 0);
        QCOMPARE(result.json()["keep_all"]["saved_bytes"].toInteger(), saved);
        QCOMPARE(result.json()["keep_all"]["peak_bytes"].toInteger(), peak);
    }

    /// A model that this project's own executor does not run is described as PyTorch runs it, without being asked to.
    void modelsThatTheExecutorLacksAreDescribedByPytorch()
    {
        const CliResult result = Cli()(
            {"describe", "--config", QStringLiteral(REMAT_TEST_DATA "/configs/falcon-7b.config.json"), "--json"});
        QVERIFY2(result.exit == 0, result.out);
        QCOMPARE(result.json()["setup"]["profile"].toString(), "pytorch");
    }

    /// Another type's config names the nearest type that is read.
    void typesThatAreNotReadNameTheNearest()
    {
        const Cli cli;
        const QString whisper = cli.write("config.json", R"({"model_type": "whisper", "d_model": 384})");
        const CliResult result = cli({"plan", "--config", whisper, "--budget", "4GiB", "--json"});
        QCOMPARE(result.exit, 3);
        QCOMPARE(result.errorCode(), "config-model-type-unsupported");
        QVERIFY2(result.json()["error"]["remedy"].toString().contains("nearest is \"t5\""), result.out);
    }

    void plansWithinTheBudgetAndIsVerified()
    {
        const Cli cli;
        const QString file = cli.path("plan.json");
        const CliResult plan = cli(QStringList{"plan", "--json", "--budget", "3.5GiB", "--out", file} + kBert);
        QVERIFY2(plan.exit == 0, plan.err);
        const QJsonObject prediction = plan.json()["prediction"].toObject();
        QVERIFY(prediction["peak_bytes"].toInteger() <= qint64(3.5 * (1 << 30)));
        QVERIFY(prediction["overhead_ns"].toInteger() > 0);
        QVERIFY(prediction["reserved_bytes"].toInteger() > prediction["peak_bytes"].toInteger());
        QVERIFY(prediction["device_bytes"].toInteger() > prediction["reserved_bytes"].toInteger());
        QCOMPARE(plan.json()["realization"].toString(), "regions");
        QCOMPARE(plan.json()["layers"].toArray().size(), 12);
        const CliResult verified = cli({"verify", file, "--json"});
        QCOMPARE(verified.exit, 0);
        QCOMPARE(verified.json()["prediction"]["peak_bytes"], plan.json()["prediction"]["peak_bytes"]);
        // The plan is code as it is; what it is not is refused.
        const CliResult code = cli({"export", file, "--to", "pytorch"});
        QCOMPARE(code.exit, 0);
        QVERIFY(code.out.contains("def apply(model, plan=None)") && code.out.contains("BertForMaskedLM"));
        const CliResult exported = cli({"export", file, "--to", "pytorch", "--json"});
        QCOMPARE(exported.json()["peak_bytes"], plan.json()["prediction"]["peak_bytes"]);
        QCOMPARE(exported.json()["realization"]["layers"].toArray().size(), 12);
        QCOMPARE(cli({"export", file, "--to", "pytorch", "--realization", "exact", "--json"}).errorCode(),
            "export-other-realization");
        // Trainers' nearest settings, and tables.
        for (const char* trainer : {"megatron", "torchtitan"}) {
            const QJsonObject nearest = cli({"export", file, "--to", trainer, "--json"}).json();
            QCOMPARE(nearest["peak_bytes"].toInteger() - nearest["peak_difference_bytes"].toInteger(),
                prediction["peak_bytes"].toInteger());
            QVERIFY(!nearest["fits"].toBool() || nearest["peak_bytes"].toInteger() <= qint64(3.5 * (1 << 30)));
        }
        QCOMPARE(cli({"export", file, "--to", "csv"}).out.count('\n'), 1 + 12);
        QVERIFY(cli({"export", file, "--to", "markdown"}).out.contains("profile pytorch"));
        QCOMPARE(cli({"run", file, "--json"}).errorCode(), "run-in-pytorch");
        // What each option frees and costs is the difference to the same plan without it; all together to keeping all.
        const QJsonObject why = cli({"explain", file, "--json"}).json();
        qint64 layers = 0;
        for (const QJsonValue& reason : why["reasons"].toArray()) {
            QVERIFY(reason["freed_bytes"].toInteger() > 0);
            QVERIFY(reason["time_ns"].toInteger() > 0);
            layers += reason["layers"].toInteger();
        }
        qint64 recomputed = 0;
        for (const QJsonValue& layer : plan.json()["layers"].toArray())
            recomputed += layer["option"].toString() == "keep" ? 0 : 1;
        QCOMPARE(layers, recomputed);
        QVERIFY(why["more_budget"]["saved_ns"].toInteger() > 0);
        // The last step is keeping everything.
        const QJsonArray steps = why["budget_steps"].toArray();
        QCOMPARE(steps.last()["time_ns"], prediction["keep_all_ns"]);
        QVERIFY(why["slack_bytes"].toInteger() >= 0);
        QCOMPARE(why["prediction"]["peak_bytes"], prediction["peak_bytes"]);
        // Only plans of the runtime profile run.
        QCOMPARE(cli({"run", file, "--json"}).exit, 3);
    }

    /// --exact plans keep-sets of single tensors; the file says so, and the export is of that kind alone.
    void exactPlansAreExportedAsSuch()
    {
        const Cli cli;
        const QString file = cli.path("plan.json");
        const CliResult plan
            = cli(QStringList{"plan", "--json", "--exact", "--budget", "3.5GiB", "--out", file} + kBert);
        QVERIFY2(plan.exit == 0, plan.err);
        QCOMPARE(plan.json()["realization"].toString(), "exact");
        QCOMPARE(cli({"verify", file}).exit, 0);
        const CliResult code = cli({"export", file, "--to", "pytorch"});
        QVERIFY(code.out.contains("class _Forward(TorchDispatchMode)"));
        QCOMPARE(cli({"export", file, "--to", "pytorch", "--realization", "regions", "--json"}).errorCode(),
            "export-other-realization");
        QCOMPARE(cli(QStringList{"plan", "--json", "--exact", "--strategy", "full"} + kBert).errorCode(),
            "exact-without-planner");
        QCOMPARE(cli({"plan", "--json", "--exact", "--model", "t5-small", "--profile", "pytorch", "--budget", "2GiB"})
                     .errorCode(),
            "exact-without-layers");
    }

    void belowTheLeastIsTheCertificate()
    {
        const CliResult result = Cli()(QStringList{"plan", "--json", "--budget", "1GiB"} + kBert);
        QCOMPARE(result.exit, 4);
        QCOMPARE(result.errorCode(), "no-regions-fit");
    }

    void comparesStrategies()
    {
        const CliResult result = Cli()(QStringList{"compare", "--json", "--budget", "4GiB"} + kBert);
        QCOMPARE(result.exit, 0);
        QMap<QString, qint64> peaks;
        for (const QJsonValue& row : result.json()["strategies"].toArray())
            peaks[row["strategy"].toString()] = row["peak_bytes"].toInteger();
        QVERIFY(peaks["full"] < peaks["ffn-only"]);
        QVERIFY(peaks["ffn-only"] < peaks["none"]);
        QVERIFY(peaks["optimal"] <= qint64(4) << 30);
    }

    void frontierRisesAndFalls()
    {
        const CliResult result = Cli()(QStringList{"frontier", "--json"} + kBert);
        QCOMPARE(result.exit, 0);
        const QJsonArray points = result.json()["frontier"].toArray();
        QVERIFY(points.size() > 3);
        // For people with units, for scripts whole numbers.
        const QByteArray text = Cli()(QStringList{"frontier"} + kBert).out;
        QVERIFY2(text.contains("GiB") && !text.contains(QByteArray::number(points[0][0].toInteger())), text);
        const QByteArray csv = Cli()(QStringList{"frontier", "--csv"} + kBert).out;
        QVERIFY2(csv.contains(QByteArray::number(points[0][0].toInteger())), csv);
        for (qsizetype i = 1; i < points.size(); ++i) {
            QVERIFY(points[i][0].toInteger() > points[i - 1][0].toInteger());
            QVERIFY(points[i][1].toInteger() < points[i - 1][1].toInteger());
        }
    }

    void findsTheLargestBatch()
    {
        const Cli cli;
        const QStringList model{"--model", "bert-base", "--profile", "pytorch", "--seq", "512", "--budget", "6GiB"};
        const CliResult result = cli(QStringList{"max-batch", "--json", "--strategy", "none"} + model);
        QCOMPARE(result.exit, 0);
        const qint64 batch = result.json()["largest"]["batch"].toInteger();
        const auto fits = [&](qint64 of) {
            const QStringList flags{"plan", "--strategy", "none", "--batch", QString::number(of)};
            return cli(flags + model).exit == 0;
        };
        QVERIFY(fits(batch));
        QVERIFY(!fits(batch + 1));
    }

    /// Regions of the older kind, around every part of a layer: the rest of a layer is no argument of all of them.
    void reentrantRegionsArePlanned()
    {
        const Cli cli;
        for (const char* model : {"tiny-gpt2", "tiny-bert", "tiny-llama", "gemma-3-1b-pt", "t5-small"}) {
            const QStringList step{"--model", model, "--profile", "pytorch", "--device", "l4", "--batch", "2",
                "--reentrant", "--budget", "20GiB", "--json"};
            const CliResult compared = cli(QStringList{"compare"} + step);
            QVERIFY2(compared.exit == 0, model);
            QMap<QString, double> peaks;
            for (const QJsonValue& row : compared.json()["strategies"].toArray())
                peaks[row["strategy"].toString()] = row["peak_bytes"].toDouble();
            QVERIFY2(peaks["full"] > 0 && peaks["full"] < peaks["none"], model);
            const CliResult plan = cli(QStringList{"plan", "--strategy", "full"} + step);
            QVERIFY2(plan.exit == 0, model);
            QCOMPARE(plan.json()["prediction"]["peak_bytes"].toDouble(), peaks["full"]);
        }
    }

    /// A plan file with one value changed is refused, whether or not the peak depends on it.
    void changedPlansAreRefused_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        const auto row = [](const char* name, const char* from, const char* to) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to);
        };
        row("parameters", "\n \"parameters\": ", "\n \"parameters\": 1");
        row("of the model", "\n  \"parameters\": ", "\n  \"parameters\": 1");
        row("profile", "\"profile\": \"pytorch\"", "\"profile\": \"runtime\"");
        row("class", "\"class\": \"fixed\"", "\"class\": \"regions\"");
        row("rule", "\"strategy\": \"full\"", "\"strategy\": \"every-2\"");
        row("number of a layer", "\"layer\": 1,", "\"layer\": 0,");
        row("card", "\"fits_device\": true", "\"fits_device\": false");
        row("efficiency", "\"efficiency\": {", "\"efficiency\": 1, \"x\": {");
    }
    void changedPlansAreRefused()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        const Cli cli;
        QVERIFY(cli({"plan", "--model", "tiny-gpt2", "--profile", "pytorch", "--device", "l4", "--strategy", "full",
                        "--out", cli.path("plan.json")})
                    .exit
            == 0);
        QFile file(cli.path("plan.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray text = file.readAll();
        QCOMPARE(cli({"verify", cli.path("plan.json")}).exit, 0);
        QVERIFY2(text.contains(from), text);
        text.replace(text.indexOf(from), from.size(), to);
        QCOMPARE(cli({"verify", cli.write("changed.json", text)}).exit, 3);
    }

    void mistakesAreNamed_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("exit");
        const auto row = [](const char* name, const QStringList& arguments, const char* code, int exit) {
            QTest::newRow(name) << arguments << QString(code) << exit;
        };
        row("type", QStringList{"describe", "--model", "gpt2", "--profile", "pytorch", "--dtype", "fp8"},
            "unknown-torch-choice", 2);
        row("precision", with({"--precision", "int8"}), "unknown-torch-choice", 2);
        row("loss of another class", with({"--loss", "lm_hf"}), "loss-of-other-class", 2);
        row("chunks", with({"--head-chunks", "4"}), "flag-not-in-pytorch", 2);
        row("cpu", with({"--device", "cpu"}), "torch-on-cpu", 2);
        row("reentrant early stop", with({"--reentrant", "--early-stop", "on"}), "reentrant-early-stop", 2);
        row("too long", QStringList{"--model", "bert-base", "--profile", "pytorch", "--seq", "513"},
            "torch-sequence-too-long", 2);
        row("no batch", QStringList{"--model", "bert-base", "--profile", "pytorch", "--batch", "0"},
            "torch-size-not-positive", 2);
        row("too much", QStringList{"--model", "gpt2", "--profile", "pytorch", "--batch", "67108864"},
            "torch-step-too-large", 2);
        row("layers", QStringList{"--model", "gpt2", "--profile", "pytorch", "--layers", "1001"},
            "torch-too-many-layers", 2);
        row("profile", QStringList{"--model", "gpt2", "--profile", "torch"}, "unknown-profile", 2);
        row("flag of pytorch elsewhere", QStringList{"--model", "gpt2", "--use-cache"}, "flag-only-in-pytorch", 2);
    }
    void mistakesAreNamed()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, code);
        QFETCH(int, exit);
        if (arguments.first() != "describe")
            arguments.prepend("describe");
        const CliResult result = Cli()(arguments + QStringList{"--json"});
        QCOMPARE(result.errorCode(), code);
        QCOMPARE(result.exit, exit);
    }

    void strategiesOfOtherProfilesAreRefused()
    {
        const Cli cli;
        QCOMPARE(
            cli(QStringList{"plan", "--strategy", "llmc-r1", "--json"} + kBert).errorCode(), "strategy-not-in-pytorch");
        QCOMPARE(cli(QStringList{"plan", "--pin", "L0=keep", "--budget", "4GiB", "--json"} + kBert).errorCode(),
            "pins-not-in-pytorch");
    }
};

QTEST_GUILESS_MAIN(CliTorchTest)
#include "cli_torch_test.moc"
