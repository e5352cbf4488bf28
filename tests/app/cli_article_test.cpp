// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"

using remat::test::Cli;
using remat::test::CliResult;

/// The article beside the computed values, and its profile in the verbs that plan.
class CliArticleTest : public QObject {
    Q_OBJECT

    static constexpr qint64 kMiB = 1 << 20;

    static QStringList step(const QString& verb)
    {
        return {verb, "--json", "--model", "bert-base", "--batch", "32", "--seq", "512", "--profile", "article"};
    }

private slots:
    /// Figures worked out by hand from the article's formulas for S = 512, H = 768, B = 32 and 2 bytes a number.
    void formulasGiveWhatTheyGiveByHand()
    {
        const Cli cli;
        const CliResult result = cli({"article", "--json"});
        QCOMPARE(result.exit, 0);
        const QJsonObject article = result.json();
        QCOMPARE(article["format"].toString(), "remat-article");
        const QJsonArray layer = article["layer"].toArray();
        // S (3H + heads S + H) = 512 (4 x 768 + 12 x 512) = 4,718,592 numbers a sample: 288 MiB, not 192.
        QCOMPARE(layer[0]["formula_bytes"].toInteger(), 288 * kMiB);
        QCOMPARE(layer[0]["claimed_mb"].toDouble(), 192.0);
        QCOMPARE(layer[1]["formula_bytes"].toInteger(), 96 * kMiB);
        // Two norms of B S H numbers, and mean and rstd of every row.
        QCOMPARE(layer[2]["formula_bytes"].toInteger(), 48 * kMiB + 2 * 2 * 32 * 512 * 2);
        // The prose's B S H (6 + S / H_head) gives 336 MiB for attention alone.
        QCOMPARE(article["prose_attention_bytes"].toInteger(), 336 * kMiB);
    }

    /// batch / step of the article's own columns: 1.00 / 2.17 / 1.79 and 1.00 / 2.48 / 2.00, by hand.
    void throughputFollowsFromItsColumns()
    {
        const Cli cli;
        const QJsonArray rows = cli({"article", "--json"}).json()["throughput"].toArray();
        const double expected[] = {1.00, 2.17, 1.79, 1.00, 2.48, 2.00};
        QCOMPARE(rows.size(), 6);
        for (int i = 0; i < 6; ++i)
            QVERIFY(std::abs(rows[i]["batch_over_seconds"].toDouble() - expected[i]) < 0.005);
    }

    /// At saturation full recomputation costs a third of a step by FLOPs (0.75 of the throughput); the FFN is 16 of 24
    /// BSH^2 FLOPs of a layer plus attention's 4 BS^2H (Korthikanti et al. 2022, appendix A): 0.6 of a forward at this
    /// shape.
    void savingsAreComputedForEveryModel()
    {
        const Cli cli;
        const QJsonArray rows = cli({"article", "--json"}).json()["savings"].toArray();
        const QJsonObject full = rows[0]["computed"].toObject(), ffn = rows[1]["computed"].toObject();
        const double s = 512, h = 768;
        const double share = 16 * h * h / (24 * h * h + 4 * s * h);
        QVERIFY(std::abs(ffn["runtime eager"]["extra_forward"].toDouble() - share) < 1e-9);
        QVERIFY(std::abs(full["runtime eager"]["saturated_throughput"].toDouble() - 0.75) < 0.07);
        for (const char* model : {"article", "runtime sdpa", "runtime eager"}) {
            const double freed = full[model]["freed"].toDouble();
            QVERIFY(freed > 0.8 && freed < 1.0);
            QVERIFY(ffn[model]["freed"].toDouble() < freed);
        }
        const QByteArray text = cli({"article"}).out;
        QVERIFY(text.contains("claimed") && text.contains("runtime eager") && text.contains("MiB"));
    }

    /// The rows are core's (article_table_test); here they are all printed, for the device that was asked for.
    void theStrategyTableIsRebuiltForADevice()
    {
        const Cli cli;
        QVERIFY(cli({"article", "--json"}).json()["strategies"].isNull());
        const QJsonObject table
            = cli({"article", "--json", "--device", "t4", "--budget", "6GiB"}).json()["strategies"].toObject();
        QCOMPARE(table["device"].toString(), "t4");
        QCOMPARE(table["budget_bytes"].toInteger(), 6 * 1024 * kMiB);
        const QJsonArray rows = table["rows"].toArray();
        QCOMPARE(rows.size(), 12);
        for (const QJsonValue& row : rows) {
            QVERIFY(row["peak_bytes"].toInteger() <= 6 * 1024 * kMiB);
            QVERIFY(row["largest_batch"].toInteger() > 0);
            QVERIFY(!row["why"].toArray().isEmpty());
        }
        QCOMPARE(rows[1]["claimed_batch"].toInteger(), 96);
        QVERIFY(rows[4]["claimed_batch"].isNull());
        // The batch by the verb that searches for one, with the same defaults.
        const QJsonObject searched = cli({"max-batch", "--json", "--model", "gpt2-medium", "--seq", "512", "--device",
                                             "t4", "--budget", "6GiB", "--strategy", "full"})
                                         .json();
        QCOMPARE(rows[9]["largest_batch"].toInteger(), searched["largest"].toObject()["batch"].toInteger());
        QCOMPARE(cli({"article", "--budget", "6GiB"}).exit, 2);
        QCOMPARE(cli({"article", "--device", "t5"}).exit, 2);
        QVERIFY(cli({"article", "--device", "t4", "--budget", "6GiB"}).out.contains("throughput claimed"));
    }

    void articleProfileHasItsThreeGranularities()
    {
        const Cli cli;
        const QJsonArray stages = cli(step("chain")).json()["stages"].toArray();
        QCOMPARE(stages.size(), 14); // 12 layers between the input and the turn
        // By its own formulas the FFN (96 MiB for 0.63 of a forward) is never worth recomputing beside the attention
        // (288 MiB for 0.37), so three of the four ways are of use: all, attention only, nothing.
        QCOMPARE(stages[1]["options"].toArray().size(), 3);
        const QJsonObject description = cli(step("describe")).json();
        QCOMPARE(description["base"]["total_bytes"].toInteger(), 0);
        QCOMPARE(description["setup"]["precision"].toString(), "half");
        QCOMPARE(description["setup"]["device"].toString(), "a100-80");
        QCOMPARE(
            description["kinds"][1]["total"]["kept_bytes"].toInteger(), (288 + 96 + 48) * kMiB + 2 * 2 * 32 * 512 * 2);
    }

    void articleProfileIsPlannedAndCompared()
    {
        const Cli cli;
        const QJsonObject compared = cli(step("compare") + QStringList{"--budget", "3GiB"}).json();
        // Its layers are an attention and an FFN of a few formulas each: rules about whole layers and about these two
        // apply, and so do planners; rules about ops inside them do not.
        const QSet<QString> apply{"none", "full", "every-2", "ffn-only", "attention-only", "megatron-block-4",
            "article-greedy", "rotor-500", "optimal", "optimal-nested"};
        for (const QJsonValue& row : compared["strategies"].toArray())
            QVERIFY2(row["problem"].isNull() == apply.contains(row["strategy"].toString()),
                qPrintable(row["strategy"].toString()));
        const CliResult plan = cli(step("plan") + QStringList{"--budget", "3GiB"});
        QCOMPARE(plan.exit, 0);
        QVERIFY(plan.json()["prediction"]["peak_bytes"].toInteger() <= 3072 * kMiB);
        const QString file = cli.write("plan.json", plan.out);
        QCOMPARE(cli({"verify", file}).exit, 0);
        // A plan of a model on paper does not run.
        QCOMPARE(cli({"run", file}).exit, 3);
        // Kept are 12 layers, their inputs and the last one's output, 24 MiB each: nothing else is counted.
        const QJsonObject none = cli(step("plan") + QStringList{"--strategy", "none"}).json();
        const qint64 layer = (288 + 96 + 48) * kMiB + 2 * 2 * 32 * 512 * 2;
        QCOMPARE(none["prediction"]["saved_bytes"].toInteger(), 12 * layer + 13 * 24 * kMiB);
        QVERIFY(cli(step("frontier")).json()["frontier"].toArray().size() > 12);
        QCOMPARE(cli(step("plan") + QStringList{"--pin", "L1.ffn=recompute", "--budget", "4GiB"}).exit, 0);
        QCOMPARE(
            cli(step("plan") + QStringList{"--pin", "L1.norms=recompute", "--pin", "L1.ffn=keep", "--budget", "4GiB"})
                .exit,
            2);
    }

    /// Table 2 of Korthikanti et al. 2022 at b 4, s 512, h 768, a 12: sbh = 1,572,864 and 5as/h = 40.
    void paperDescribesALayerOfARank()
    {
        const Cli cli;
        const QStringList step{
            "describe", "--json", "--model", "bert-base", "--batch", "4", "--seq", "512", "--profile", "paper"};
        const qint64 sbh = 1'572'864;
        const auto kept = [&](const QStringList& flags) {
            QList<qint64> bytes;
            for (const QJsonValue& row : cli(step + flags).json()["strategies"].toArray())
                bytes << row["layer"]["total_bytes"].toInteger();
            return bytes;
        };
        QCOMPARE(kept({}), (QList<qint64>{74 * sbh, 34 * sbh, 2 * sbh}));
        QCOMPARE(kept({"--tp", "4"}), (QList<qint64>{(10 + 6 + 10) * sbh, 16 * sbh, 2 * sbh}));
        QCOMPARE(kept({"--tp", "4", "--sp"}), (QList<qint64>{74 * sbh / 4, 34 * sbh / 4, 2 * sbh}));
    }

    void paperPlansAndFindsTheLargestBatch()
    {
        const Cli cli;
        const QStringList setup{"--json", "--model", "gpt2-xl", "--seq", "1024", "--profile", "paper", "--tp", "5",
            "--dp", "2", "--zero", "1", "--budget", "20GiB"};
        const QJsonObject largest = cli(QStringList{"max-batch"} + setup).json()["largest"].toObject();
        const int batch = largest["batch"].toInt();
        QVERIFY(batch > 1);
        QCOMPARE(largest["strategy"].toString(), "full");
        const auto plan = [&](int of) { return cli(QStringList{"plan", "--batch", QString::number(of)} + setup); };
        QCOMPARE(plan(batch).exit, 0);
        QCOMPARE(plan(batch + 1).exit, 4);
        QCOMPARE(plan(batch + 1).errorCode(), "paper-nothing-fits");
        // One sequence needs nothing run again.
        QCOMPARE(plan(1).json()["strategy"].toString(), "none");
        QVERIFY(plan(1).json()["prediction"]["device_bytes"].toInteger()
            > plan(1).json()["prediction"]["peak_bytes"].toInteger());
        const QJsonArray rows = cli(QStringList{"compare", "--batch", "8"} + setup).json()["strategies"].toArray();
        QCOMPARE(rows.size(), 3);
        for (int i = 1; i < 3; ++i) {
            QVERIFY(rows[i]["peak_bytes"].toInteger() < rows[i - 1]["peak_bytes"].toInteger());
            QVERIFY(rows[i]["time_ns"].toInteger() > rows[i - 1]["time_ns"].toInteger());
        }
    }

    void paperRefusesWhatItDoesNotKnow_data()
    {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* name, const QStringList& flags, const char* code, const char* where) {
            QTest::newRow(name) << flags << QString(code) << QString(where);
        };
        row("gated FFN", {"describe", "--model", "llama-3-8b"}, "shape-not-in-paper", "--profile");
        row("attention", {"describe", "--model", "gpt2", "--attention", "eager"}, "flag-not-in-paper", "--attention");
        row("fp32", {"plan", "--model", "gpt2", "--precision", "fp32"}, "paper-is-half-precision", "--precision");
        row("heads", {"describe", "--model", "gpt2", "--tp", "5"}, "tensor-degree-does-not-divide", "--tp");
        row("no stage", {"describe", "--model", "gpt2", "--pp", "0"}, "parallel-degree-out-of-bounds", "--pp");
        row("frontier", {"frontier", "--model", "gpt2"}, "verb-not-in-paper", "--profile");
        row("strategy", {"plan", "--model", "gpt2", "--strategy", "ffn-only"}, "strategy-not-in-paper", "--strategy");
        row("plan file", {"plan", "--model", "gpt2", "--out", "plan.json"}, "flag-not-in-paper-verb", "--out");
        row("cpu", {"describe", "--model", "gpt2", "--device", "cpu"}, "paper-on-cpu", "--device");
    }
    void paperRefusesWhatItDoesNotKnow()
    {
        QFETCH(QStringList, flags);
        QFETCH(QString, code);
        QFETCH(QString, where);
        const CliResult result = Cli()(flags + QStringList{"--profile", "paper", "--json"});
        QCOMPARE(result.exit, 2);
        QCOMPARE(result.errorCode(), code);
        QCOMPARE(result.errorWhere(), where);
    }

    /// One rank of many in PyTorch: eight GPUs get an answer, and what is no simulation is named.
    void ranksOfPytorchAreDescribedAndCompared()
    {
        const Cli cli;
        const QStringList model{"--json", "--model", "llama-3.2-1b", "--seq", "2048", "--profile", "pytorch"};
        const QStringList ranks{"--tp", "2", "--sp", "--pp", "2", "--dp", "2", "--zero", "1", "--micro-batches", "4"};
        const QJsonObject described = cli(QStringList{"describe"} + model + ranks).json();
        QCOMPARE(described["setup"]["parallelism"]["gpus"].toInt(), 8);
        QCOMPARE(described["closed_forms"].toArray().size(), 4);
        const QJsonArray stages = described["keep_all"]["ranks"].toArray();
        QCOMPARE(stages.size(), 2);
        QCOMPARE(stages[0]["micro_batches_in_flight"].toInt(), 2);
        QCOMPARE(stages[1]["micro_batches_in_flight"].toInt(), 1);
        const qint64 peak = described["keep_all"]["peak_bytes"].toInteger();
        QCOMPARE(peak, std::max(stages[0]["peak_bytes"].toInteger(), stages[1]["peak_bytes"].toInteger()));
        QVERIFY(described["keep_all"]["device_bytes"].toInteger() > peak);
        QMap<QString, qint64> peaks;
        for (const QJsonValue& row : cli(QStringList{"compare"} + model + ranks).json()["strategies"].toArray())
            peaks[row["strategy"].toString()] = row["peak_bytes"].toInteger();
        QCOMPARE(peaks["none"], peak);
        QVERIFY(peaks["full"] < peaks["every-2"] && peaks["every-2"] < peaks["none"]);
        // The budget is a rank's: its largest micro-batch fits, one more does not.
        const QStringList budget{"--budget", "12GiB", "--strategy", "full"};
        const int batch = cli(QStringList{"max-batch"} + model + ranks + budget).json()["largest"]["batch"].toInt();
        const auto full = [&](int of) {
            for (const QJsonValue& row : cli(QStringList{"compare", "--batch", QString::number(of)} + model + ranks)
                                             .json()["strategies"]
                                             .toArray())
                if (row["strategy"].toString() == "full")
                    return row["peak_bytes"].toInteger();
            return qint64(0);
        };
        QVERIFY(full(batch) <= qint64(12) << 30);
        QVERIFY(full(batch + 1) > qint64(12) << 30);
        QCOMPARE(cli(QStringList{"plan", "--budget", "12GiB"} + model + ranks).errorCode(), "ranks-not-planned");
        const CliResult none = cli(QStringList{"describe", "--pp", "0"} + model);
        QCOMPARE(none.errorCode(), "parallel-degree-out-of-bounds");
        QCOMPARE(none.errorWhere(), "--pp");
        // What is divided is said of the flags that are given.
        const CliResult data = cli({"describe", "--model", "gpt2", "--profile", "pytorch", "--dp", "4"});
        QVERIFY2(data.out.contains("simulated: what one rank computes\n"), data.out);
        QVERIFY2(
            data.out.startsWith("gpt2 (124 M parameters), batch 1 x 1024 tokens, profile pytorch, half"), data.out);
    }
};

QTEST_GUILESS_MAIN(CliArticleTest)
#include "cli_article_test.moc"
