// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "tests/app/cli_process.h"

using remat::test::Cli;
using remat::test::CliResult;

namespace {

const QStringList kModel{"--model", "tiny-gpt2", "--batch", "2", "--seq", "32", "--dropout", "0"};

/// Kind, and of a linear layer its width inside and out: enough to tell the ops of tiny-gpt2 apart.
QString keyOf(const QJsonObject& op)
{
    QString key = op["kind"].toString();
    if (key == "linear")
        key += QStringLiteral(" %1 %2").arg(op["in"].toInteger()).arg(op["out"].toInteger());
    return key;
}

} // namespace

/// Costs that are measured by a real run of tiny-gpt2 (two layers, width 128, FFN 512, vocabulary 1000).
class CliProfileTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_costs = m_cli.path("profile.json");
        m_profile
            = m_cli(QStringList{"profile", "--json", "--steps", "2", "--threads", "1", "--out", m_costs} + kModel);
        QCOMPARE(m_profile.exit, 0);
    }

    void costsAreOfThisModel()
    {
        const QJsonObject costs = m_profile.json();
        QCOMPARE(costs["format"].toString(), "remat-costs");
        QCOMPARE(costs["threads"].toInt(), 1);
        QCOMPARE(costs["step"].toString(), "tiny-gpt2, 2 x 32 tokens");
        QFile file(m_costs);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QJsonDocument::fromJson(file.readAll()).object(), costs);
        // GPT-2 without dropout: embedding, norm, four products of a layer, attention, GELU, add, logits, loss.
        QStringList kinds;
        for (const QJsonValue& op : costs["ops"].toArray())
            kinds << keyOf(op.toObject());
        kinds.sort();
        QCOMPARE(kinds,
            (QStringList{"activation", "add", "attention", "cross_entropy", "embedding", "layer_norm",
                "linear 128 1000", "linear 128 128", "linear 128 384", "linear 128 512", "linear 512 128"}));
        QVERIFY(costs["rates"]["gemm"].toObject().contains("overhead_ns"));
        QVERIFY(!costs["rates"]["stored_attention"].toObject().contains("overhead_ns"));
    }

    /// A full layer makes its ops up to the GELU again; their times come from the file, added up by hand.
    void plansTakeTheFilesTimes()
    {
        std::map<QString, std::int64_t> forward;
        for (const QJsonValue& op : m_profile.json()["ops"].toArray())
            forward[keyOf(op.toObject())] = op["forward_ns"].toInteger();
        const std::int64_t layer = 2 * forward["layer_norm"] + forward["linear 128 384"] + forward["attention"]
            + forward["linear 128 128"] + forward["add"] + forward["linear 128 512"] + forward["activation"];
        const QString plan = m_cli.path("plan.json");
        const CliResult full
            = m_cli(QStringList{"plan", "--json", "--strategy", "full", "--costs", m_costs, "--out", plan} + kModel);
        QCOMPARE(full.exit, 0);
        QCOMPARE(full.json()["prediction"]["overhead_ns"].toInteger(), 2 * layer);
        QCOMPARE(m_cli({"verify", plan}).exit, 0);
        // The run of that plan is predicted with them too, and tells what it measured.
        const CliResult run = m_cli({"run", plan, "--json", "--steps", "1", "--threads", "1"});
        QCOMPARE(run.exit, 0);
        QCOMPARE(run.json()["time"]["predicted_step_ns"], full.json()["prediction"]["step_ns"]);
        std::int64_t predicted = 0;
        for (const QJsonValue& stage : run.json()["predicted_stages"].toArray())
            predicted += stage["rerun_ns"].toInteger();
        QCOMPARE(predicted, 2 * layer);
        QCOMPARE(run.json()["stages"].toArray().size(), 4);
        for (const char* verb : {"compare", "frontier"}) {
            QStringList words = QStringList{verb, "--costs", m_costs} + kModel;
            if (QByteArray(verb) == "compare")
                words += {"--budget", "1GiB"};
            QCOMPARE(m_cli(words).exit, 0);
        }
    }

    void theTableIsForPeople()
    {
        const CliResult text = m_cli(QStringList{"profile", "--steps", "1", "--threads", "1"} + kModel);
        QCOMPARE(text.exit, 0);
        for (const char* word : {"block: ffn_up", "GFLOP/s", "GB/s", "everything else", "overhead of an op"})
            QVERIFY2(text.out.contains(word), text.out);
    }

    void mistakesAreSaid_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("exit");
        QTest::addColumn<QString>("code");
        QTest::newRow("machine") << QStringList{"--machine", "tpu"} << 2 << "unknown-machine";
        QTest::newRow("gpu") << QStringList{"--device", "t4"} << 2 << "profile-of-other-device";
        QTest::newRow("article") << QStringList{"--profile", "article"} << 2 << "profile-of-other-profile";
        QTest::newRow("steps") << QStringList{"--steps", "0"} << 2 << "run-flag-out-of-bounds";
        QTest::newRow("costs") << QStringList{"--costs", "costs.json"} << 2 << "unknown-flag";
        QTest::newRow("too large") << QStringList{"--layers", "10000", "--hidden", "16384", "--heads", "128"} << 10
                                   << "out-of-memory-at-every-batch";
    }
    void mistakesAreSaid()
    {
        QFETCH(QStringList, words);
        QFETCH(int, exit);
        QFETCH(QString, code);
        const CliResult result = m_cli(QStringList{"profile", "--json", "--model", "tiny-gpt2"} + words);
        QCOMPARE(result.exit, exit);
        QCOMPARE(result.errorCode(), code);
    }

private:
    Cli m_cli;
    QString m_costs;
    CliResult m_profile;
};

QTEST_GUILESS_MAIN(CliProfileTest)
#include "cli_profile_test.moc"
