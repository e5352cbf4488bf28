// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"

using remat::test::Cli;
using remat::test::CliResult;
using remat::test::readTestData;

/// Happy paths of the verbs that plan, each checked against another verb or against figures from elsewhere.
class CliPlanTest : public QObject {
    Q_OBJECT

private slots:
    void modelsAndDevicesAreListed()
    {
        const Cli cli;
        const QJsonObject models = cli({"models", "--json"}).json();
        QCOMPARE(models["format"].toString(), "remat-models");
        QStringList names;
        for (const QJsonValue& model : models["models"].toArray())
            names << model["name"].toString();
        for (const char* name : {"bert-base", "bert-large", "gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl", "tiny-gpt2",
                 "tiny-bert", "tiny-llama", "llama-3-8b", "mistral-7b", "qwen2.5-0.5b"})
            QVERIFY2(names.contains(name), name);
        QVERIFY(cli({"models"}).out.contains("gpt2-medium"));

        const CliResult devices = cli({"devices", "--json"});
        QCOMPARE(devices.exit, 0);
        QStringList deviceNames;
        for (const QJsonValue& device : devices.json()["devices"].toArray())
            deviceNames << device["name"].toString();
        for (const char* name : {"cpu", "a100-80", "h100-sxm", "h200", "rtx-4090", "rtx-3090", "v100-16", "t4"})
            QVERIFY2(deviceNames.contains(name), name);
    }

    void parameterCountsAreHuggingFaces_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QStringList>("flags");
        const QStringList any{
            "--attention", "eager", "--batch", "3", "--seq", "16", "--optimizer", "sgd", "--micro-batches", "2"};
        for (const char* model : {"bert-base", "bert-large", "gpt2", "gpt2-medium", "llama-3-8b", "llama-3.2-1b",
                 "mistral-7b", "qwen2.5-0.5b"})
            QTest::newRow(model) << model << any + QStringList{"--head-chunks", "2"};
        for (const char* model :
            {"distilbert", "falcon-7b", "gemma-2-2b", "gpt_neo-125m", "opt-125m", "phi-2", "t5-small", "vit-base"})
            QTest::newRow(model) << model << any;
    }

    /// tests/data/configs/parameters.json was counted with transformers.
    void parameterCountsAreHuggingFaces()
    {
        QFETCH(const QString, model);
        QFETCH(const QStringList, flags);
        const Cli cli;
        const QJsonObject expected = QJsonDocument::fromJson(readTestData("configs/parameters.json")).object();
        const QString config = QStringLiteral(REMAT_TEST_DATA "/configs/") + model + ".config.json";
        const QStringList describe{"describe", "--json", "--config", config, "--device", "a100-80"};
        const QJsonObject result = cli(describe).json();
        QCOMPARE(result["model"]["parameters"].toInteger(), expected[model]["parameters"].toInteger());
        // The count depends on no flag of the setup.
        const QJsonObject other = cli(describe + flags).json();
        QCOMPARE(other["model"]["parameters"].toInteger(), expected[model]["parameters"].toInteger());
    }

    void expertsAreOfTheProfilePytorch()
    {
        const Cli cli;
        const QStringList model{"--json", "--model", "mixtral-8x7b"};
        const CliResult described = cli(QStringList{"describe"} + model);
        QCOMPARE(described.exit, 0);
        QCOMPARE(described.json()["model"]["parameters"].toInteger(), qint64(46'702'792'704)); // as published
        QCOMPARE(described.json()["setup"]["profile"].toString(), "pytorch");
        const CliResult refused = cli(QStringList{"describe", "--profile", "runtime"} + model);
        QCOMPARE(refused.exit, 3);
        QCOMPARE(refused.errorCode(), "model-type-not-in-runtime");
    }

    /// What no profile describes is listed weight by weight; with a profile it is refused, as are other types.
    void whatNoProfileDescribesIsListedOrRefused()
    {
        const Cli cli;
        const QString odd
            = cli.write("config.json", R"({"model_type": "mixtral", "hidden_size": 20, "num_attention_heads": 2,
            "num_key_value_heads": 1, "intermediate_size": 9, "num_hidden_layers": 3, "vocab_size": 50,
            "num_local_experts": 4, "head_dim": 10})");
        const CliResult listed = cli({"describe", "--json", "--config", odd});
        QCOMPARE(listed.exit, 0);
        qint64 sum = 0;
        const QJsonArray groups = listed.json()["weights"].toArray();
        for (const QJsonValue& group : groups)
            for (const QJsonValue& weight : group["weights"].toArray()) {
                qint64 numbers = weight["tied"].toBool() ? 0 : 1;
                for (const QJsonValue& size : weight["shape"].toArray())
                    numbers *= size.toInteger();
                sum += numbers * group["count"].toInteger();
            }
        // By hand: two tables, the last norm, and of each layer two norms, queries and output, key and value, the
        // router and 4 experts of 3 matrices.
        QCOMPARE(sum, 2 * 50 * 20 + 20 + 3 * (2 * 20 + 2 * 20 * 20 + 2 * 20 * 10 + 4 * 20 + 4 * 3 * 20 * 9));
        const auto refusedWith = [&](const QStringList& arguments) {
            const CliResult refused = cli(arguments + QStringList{"--json"});
            return refused.exit == 3 ? refused.errorCode() : QString::number(refused.exit);
        };
        const QStringList model{"--config", odd};
        QCOMPARE(refusedWith(QStringList{"describe", "--profile", "pytorch"} + model), "torch-step-of-experts");
        QCOMPARE(refusedWith(QStringList{"plan", "--budget", "1GiB"} + model), "torch-step-of-experts");
        const CliResult other
            = cli({"describe", "--json", "--config", REMAT_TEST_DATA "/configs/deepseek_v2-lite.config.json"});
        QCOMPARE(other.exit, 3);
        QVERIFY(other.json()["error"]["remedy"].toString().contains("nearest is \"mixtral\""));
    }

    /// Shapes times four bytes, written out by hand for B = 16, T = 64 of tiny-gpt2.
    /// One key/value head in tiny-llama, by hand: two layers of 2 x 128 x 128 (queries, output) + 2 x 128 x 32 (key,
    /// value) + 3 x 128 x 352 (FFN) + 2 x 128 (norms), two tables of 1000 x 128, the last norm.
    void keyValueHeadsChangeTheParameters()
    {
        const Cli cli;
        const QJsonObject result
            = cli({"describe", "--json", "--model", "tiny-llama", "--kv-heads", "1", "--device", "t4"}).json();
        QCOMPARE(result["model"]["parameters"].toInteger(), 2LL * 176'384 + 256'000 + 128);
    }

    void describeListsTensors()
    {
        const Cli cli;
        const CliResult result = cli(QStringList{"describe", "--json"} + cli.smallStep());
        QCOMPARE(result.exit, 0);
        const QJsonObject description = result.json();
        QCOMPARE(description["format"].toString(), "remat-description");
        const qint64 width = description["model"]["hidden"].toInteger(), ffn = description["model"]["ffn"].toInteger();
        qint64 found = 0;
        const QJsonArray kinds = description["kinds"].toArray();
        for (const QJsonValue& kind : kinds) {
            qint64 kept = 0;
            for (const QJsonValue& tensor : kind["tensors"].toArray()) {
                if (tensor["kept"].toBool())
                    kept += tensor["bytes"].toInteger();
                if (kind["kind"].toString() == "block" && tensor["name"].toString() == "ffn_up") {
                    QCOMPARE(tensor["bytes"].toInteger(), 16 * 64 * ffn * 4);
                    QCOMPARE(tensor["read_in_backward_by"].toArray(), QJsonArray({"gelu"}));
                    QCOMPARE(tensor["recomputed_ops"].toArray(), QJsonArray({"ffn_up"}));
                    QVERIFY(tensor["recompute_ns"].toInteger() > 0);
                    ++found;
                }
                if (kind["kind"].toString() == "block" && tensor["name"].toString() == "qkv") {
                    QCOMPARE(tensor["bytes"].toInteger(), 16 * 64 * 3 * width * 4);
                    ++found;
                }
            }
            QCOMPARE(kind["total"]["kept_bytes"].toInteger(), kept);
        }
        QCOMPARE(found, 2);
        QVERIFY(!description["defaults"].toArray().isEmpty());
        const CliResult text = cli(QStringList{"describe"} + cli.smallStep());
        QVERIFY(text.out.contains("ffn_up") && text.out.contains("read in backward by"));
    }

    void everyImportableConfigIsDescribed()
    {
        const Cli cli;
        for (const char* model : {"bert-base", "bert-large", "gpt2", "gpt2-medium"}) {
            const QString config = QStringLiteral(REMAT_TEST_DATA "/configs/") + model + ".config.json";
            QCOMPARE(cli({"describe", "--config", config, "--device", "t4"}).exit, 0);
        }
    }

    void planAgreesWithTheChainSolvedOnItsOwn()
    {
        const Cli cli;
        const QStringList step = cli.smallStep();
        const QJsonObject frontier = cli(QStringList{"frontier", "--json"} + step).json();
        const QJsonArray points = frontier["frontier"].toArray();
        QVERIFY(points.size() > 3);
        const qint64 least = points.first()[0].toInteger(), most = points.last()[0].toInteger();
        const QString budget = QString::number((least + most) / 2);

        const CliResult plan = cli(QStringList{"plan", "--json", "--budget", budget} + step);
        QCOMPARE(plan.exit, 0);
        QCOMPARE(plan.json()["format"].toString(), "remat-plan");
        QVERIFY(plan.json()["fits"].toBool());
        const QString chain = cli.write("chain.json", cli(QStringList{"chain"} + step).out);
        const CliResult solution = cli({"solve", chain, "--mode", "flat", "--json", "--budget", budget, "--schedules"});
        QCOMPARE(solution.exit, 0);
        const QJsonObject solved = solution.json();
        QCOMPARE(solved["time"].toInteger(), plan.json()["prediction"]["time_ns"].toInteger());
        QCOMPARE(solved["peak"].toInteger(), plan.json()["prediction"]["peak_bytes"].toInteger());
        QCOMPARE(solved["frontier"].toArray(), points);
        QCOMPARE(solved["class"].toString(), "flat");
        QVERIFY(solved["exact"].toBool());
        QCOMPARE(solved["gap"].toDouble(), 0.0);
        QCOMPARE(solved["schedules"].toArray().size(), points.size());

        const QString schedule = cli.write("solution.json", solution.out);
        const QJsonObject replayed = cli({"replay", chain, schedule, "--json"}).json();
        QCOMPARE(replayed["peak"].toInteger(), solved["peak"].toInteger());
        QCOMPARE(replayed["time"].toInteger(), solved["time"].toInteger());
        QCOMPARE(replayed["reruns"].toInteger(), solved["reruns"].toInteger());
        QVERIFY(cli({"replay", chain, schedule}).out.contains("reruns"));
        QVERIFY(cli({"solve", chain, "--mode", "flat", "--budget", budget}).out.contains("exact"));
    }

    void frontierEndsAtKeepEverything()
    {
        const Cli cli;
        const QStringList step = cli.smallStep();
        const QJsonObject frontier = cli(QStringList{"frontier", "--json"} + step).json();
        const QJsonArray last = frontier["frontier"].toArray().last().toArray();
        const QJsonObject none = cli(QStringList{"plan", "--json", "--strategy", "none"} + step).json();
        QCOMPARE(last[1].toInteger(), none["prediction"]["time_ns"].toInteger());
        QCOMPARE(none["prediction"]["overhead_ns"].toInteger(), 0);
        QCOMPARE(none["prediction"]["reruns"].toInteger(), 0);
        const QByteArray csv = cli(QStringList{"frontier", "--csv"} + step).out;
        QCOMPARE(csv.count('\n') - 1, frontier["frontier"].toArray().size());
        QVERIFY(csv.startsWith("peak_bytes,time_ns"));
        QVERIFY(cli(QStringList{"frontier"} + step).out.contains("points, class flat"));
    }

    void planFilesVerifyAndRefuseAChangedDigit()
    {
        const Cli cli;
        const QString file = cli.path("plan.json");
        const CliResult plan = cli(QStringList{"plan", "--budget", "1GiB", "--pin", "L0.ffn_up=recompute", "--pin",
                                       "head.logits=keep", "--out", file}
            + cli.smallStep());
        QCOMPARE(plan.exit, 0);
        QVERIFY2(plan.out.contains("fits: peak"), plan.out);
        const CliResult verified = cli({"verify", file, "--json"});
        QCOMPARE(verified.exit, 0);
        QVERIFY(verified.json()["agrees"].toBool());
        QVERIFY(cli({"verify", file}).out.contains("agrees"));

        QFile saved(file);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        QByteArray text = saved.readAll();
        const qsizetype at = text.indexOf(':', text.indexOf("\"peak_bytes\"")) + 2;
        text[at] = text[at] == '9' ? '8' : static_cast<char>(text[at] + 1);
        const CliResult changed = cli({"verify", cli.write("changed.json", text), "--json"});
        QCOMPARE(changed.exit, 3);
        QVERIFY2(changed.errorWhere().contains("prediction.peak_bytes"), changed.out);
    }

    void standardOutputOfPlanIsAPlanFile()
    {
        const Cli cli;
        const QString file = cli.write(
            "plan.json", cli(QStringList{"plan", "--json", "--strategy", "ffn-only"} + cli.smallStep()).out);
        QCOMPARE(cli({"verify", file}).exit, 0);
        const CliResult csv = cli({"export", file, "--to", "csv"});
        QVERIFY(csv.out.startsWith("stage,module,keep_set"));
        QVERIFY(cli({"export", file, "--to", "markdown"}).out.contains("| stage |"));
        const QString out = cli.path("plan.md");
        const CliResult json = cli({"export", file, "--to", "markdown", "--out", out, "--json"});
        QCOMPARE(json.json()["format"].toString(), "remat-export");
        QVERIFY(QFile::exists(out));
    }

    void nothingFitsSaysWhatWould()
    {
        const Cli cli;
        const CliResult result = cli(QStringList{"plan", "--json", "--budget", "1MiB"} + cli.smallStep());
        QCOMPARE(result.exit, 4);
        const QJsonObject error = result.json()["error"].toObject();
        const qint64 least = error["least_budget_bytes"].toInteger();
        QVERIFY(least > (1 << 20));
        // The certificate is exact: its budget works, and one byte less does not.
        QCOMPARE(cli(QStringList{"plan", "--budget", QString::number(least)} + cli.smallStep()).exit, 0);
        QCOMPARE(cli(QStringList{"plan", "--budget", QString::number(least - 1)} + cli.smallStep()).exit, 4);
        QVERIFY(cli(QStringList{"plan", "--budget", "1MiB"} + cli.smallStep())
                    .err.contains("No flat plan fits into 1.00 MiB: the leanest needs"));
    }

    void aFixedStrategyAboveTheBudgetIsWrittenAndExitsWithFour()
    {
        const Cli cli;
        const QString file = cli.path("over.json");
        const CliResult result = cli(
            QStringList{"plan", "--json", "--strategy", "none", "--budget", "1MiB", "--out", file} + cli.smallStep());
        QCOMPARE(result.exit, 4);
        QCOMPARE(result.json()["fits"], QJsonValue(false));
        QCOMPARE(result.errorCode(), "plan-over-budget");
        const CliResult verified = cli({"verify", file, "--json"});
        QCOMPARE(verified.exit, 0);
        QCOMPARE(verified.json()["fits"], QJsonValue(false));
    }

    void compareHoldsEveryStrategyAgainstTheSameReplay()
    {
        const Cli cli;
        const QStringList step = cli.smallStep();
        const CliResult result = cli(QStringList{"compare", "--json", "--budget", "1GiB"} + step);
        QCOMPARE(result.exit, 0);
        QStringList names;
        const QJsonArray strategies = result.json()["strategies"].toArray();
        for (const QJsonValue& row : strategies) {
            const QString name = row["strategy"].toString();
            names << name;
            const QJsonObject plan
                = cli(QStringList{"plan", "--json", "--strategy", name, "--budget", "1GiB"} + step).json();
            QCOMPARE(row["peak_bytes"], plan["prediction"]["peak_bytes"]);
            QCOMPARE(row["time_ns"], plan["prediction"]["time_ns"]);
        }
        for (const char* name :
            {"none", "full", "ffn-only", "attention-only", "core-attention", "article-greedy", "optimal"})
            QVERIFY2(names.contains(name), name);
        QVERIFY(cli(QStringList{"compare", "--budget", "1GiB"} + step).out.contains("strategy"));
    }

    /// Who has the nested planner's refusal is not sent to it.
    void remediesAreOfUse()
    {
        const Cli cli;
        const auto remedy = [&](const QStringList& flags) {
            const QJsonObject answer = cli(QStringList{"plan", "--json"} + flags + cli.smallStep()).json();
            return answer["error"]["code"].toString() + ": " + answer["error"]["remedy"].toString();
        };
        const qint64 flat
            = cli(QStringList{"frontier", "--json"} + cli.smallStep()).json()["frontier"][0][0].toInteger();
        QVERIFY(remedy({"--budget", QString::number(flat - 1)}).contains("optimal-nested"));
        const QString nested = remedy({"--budget", QString::number(flat / 2), "--strategy", "optimal-nested"});
        QVERIFY2(nested.startsWith("does-not-fit-nested-") && !nested.contains("optimal-nested"), qPrintable(nested));
    }

    void variantsAreChosenWhenAsked()
    {
        const Cli cli;
        const QJsonObject fixed = cli(QStringList{"frontier", "--json"} + cli.smallStep()).json();
        const QJsonObject chosen
            = cli(QStringList{"frontier", "--json", "--variants", "auto"} + cli.smallStep()).json();
        QVERIFY(chosen["frontier"][0][0].toInteger() <= fixed["frontier"][0][0].toInteger());

        // A budget that the variants given (scores stored, the head whole) cannot meet at all: the answer says which it
        // took and what that bought, the file carries it, and its gradients are those of keep-all with the same ones.
        const qint64 budget = fixed["frontier"][0][0].toInteger() - 1;
        for (const char* strategy : {"optimal", "optimal-nested"}) {
            const QString file = cli.path("open.json");
            const QStringList arguments = QStringList{"plan", "--variants", "auto", "--attention", "eager",
                                              "--strategy", strategy, "--budget", QString::number(budget)}
                + cli.smallStep();
            const QJsonObject plan = cli(arguments + QStringList{"--json", "--out", file}).json();
            QVERIFY(plan["setup"]["head_chunks"].toInteger() > 1);
            const QJsonArray offers = plan["variants"].toArray();
            QCOMPARE(offers.size(), 8);
            QCOMPARE(offers[0]["attention"].toString(), "eager");
            int taken = 0;
            for (const QJsonValue& offer : offers)
                if (offer["chosen"].toBool()) {
                    ++taken;
                    QCOMPARE(offer["head_chunks"], plan["setup"]["head_chunks"]);
                    QCOMPARE(offer["attention"], plan["setup"]["attention"]);
                    QCOMPARE(offer["time_ns"], plan["prediction"]["time_ns"]);
                }
            QCOMPARE(taken, 1);
            const QByteArray text = cli(arguments).out;
            QVERIFY2(text.contains("variants: use "), text);
            QCOMPARE(cli({"verify", file}).exit, 0);
            const CliResult explained = cli({"explain", file});
            QVERIFY2(explained.out.contains("within this budget the variants offer"), explained.out);
            const QJsonObject run = cli({"run", file, "--json", "--steps", "1", "--check-gradients"}).json();
            QCOMPARE(run["gradients"]["bit_equal"], QJsonValue(true));
            QCOMPARE(run["setup"]["head_chunks"], plan["setup"]["head_chunks"]);
        }
        const QJsonObject batch
            = cli(QStringList{"max-batch", "--json", "--variants", "auto", "--budget", QString::number(budget)}
                + cli.smallStep())
                  .json();
        QVERIFY(batch["largest"]["head_chunks"].toInteger() > 1);
        QCOMPARE(batch["best"]["head_chunks"], batch["best"]["plan"]["setup"]["head_chunks"]);
        const QJsonObject chunked
            = cli(QStringList{"plan", "--json", "--strategy", "none", "--head-chunks", "4"} + cli.smallStep()).json();
        QCOMPARE(chunked["setup"]["loss"].toString(), "chunked_cross_entropy");
    }

    void sizesReplaceThoseOfTheModel()
    {
        const Cli cli;
        const QJsonObject model
            = cli({"describe", "--json", "--device", "t4", "--model", "gpt2", "--layers", "3", "--hidden", "256",
                      "--heads", "4", "--vocab", "1000", "--max-positions", "64"})
                  .json()["model"]
                  .toObject();
        QCOMPARE(model["layers"].toInteger(), 3);
        QCOMPARE(model["ffn"].toInteger(), 1024);
        // GPT-2's count: (V + P) C + L (12 C^2 + 13 C) + 2 C, Radford et al. 2019 with biases.
        QCOMPARE(model["parameters"].toInteger(), (1000 + 64) * 256 + 3 * (12 * 256 * 256 + 13 * 256) + 2 * 256);
    }

    void ownPresetsAndDevicesAreFound()
    {
        const Cli cli;
        QVERIFY(QDir().mkpath(cli.path("config/rematscope/presets")));
        QJsonObject preset = cli({"models", "--json"}).json()["models"][0].toObject();
        preset["name"] = "mine";
        preset["format"] = "remat-model";
        preset["version"] = 1;
        preset.remove("parameters");
        QVERIFY(!cli.write("config/rematscope/presets/mine.json", QJsonDocument(preset).toJson()).isEmpty());
        QCOMPARE(cli({"describe", "--model", "mine", "--device", "t4"}).exit, 0);
        cli.write("config/rematscope/presets/broken.json", "{");
        QCOMPARE(cli({"describe", "--model", "broken", "--device", "t4"}).exit, 3);
        QVERIFY(cli({"models"}).err.contains("broken.json"));
    }

    void probeSaysWhyCudaIsOff()
    {
        const Cli cli;
        const QJsonObject probe = cli({"probe", "--json"}).json();
        QCOMPARE(probe["format"].toString(), "remat-probe");
        QCOMPARE(probe["devices"][0]["name"].toString(), "cpu");
        QVERIFY(probe["devices"][0]["threads"].toInteger() >= 1);
        const bool isOn = probe["cuda"]["available"].toBool();
        QCOMPARE(probe["cuda"]["reason"].toString().isEmpty(), isOn);
        QVERIFY(isOn || cli({"probe"}).out.contains("cuda: off"));
        QVERIFY(probe["devices"][0]["measured"]["peak_flops_per_second"]["fp32"].toDouble() > 0);
        // What was measured is kept: the second answer is the first one's.
        QCOMPARE(cli({"probe", "--json"}).json()["devices"][0]["measured"]["peak_flops_per_second"],
            probe["devices"][0]["measured"]["peak_flops_per_second"]);
    }
};

QTEST_GUILESS_MAIN(CliPlanTest)
#include "cli_plan_test.moc"
