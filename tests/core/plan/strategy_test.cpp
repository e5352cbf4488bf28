// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include "core/plan/plan.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::testing;

namespace {

constexpr std::int64_t kBatch = 2, kSequence = 4, kFfn = 16;

StepTape tapeOf(bool isBert, AttentionKind attention, Profile profile = Profile::Runtime)
{
    const Variety variety{.isBert = isBert, .attention = attention, .hasDropout = true};
    const ModelShape shape = smallShape(variety, 4, 2, 4, kFfn, 20, 8);
    TrainingSetup setup = setupOf(variety, kBatch, kSequence);
    setup.profile = profile;
    return buildStepTape(shape, withDefaults(shape, setup), {});
}

/// What each stage recomputes, by op name.
QStringList dropped(const StepTape& tape, const std::vector<KeepSet>& keep)
{
    QStringList stages;
    for (std::size_t s = 0; s < keep.size(); ++s) {
        const StageTape& stage = tape.tapeOf(static_cast<int>(s));
        QStringList ops;
        for (const int op : stage.candidates())
            if (!keeps(keep[s], op))
                ops << QString::fromStdString(stage.ops[static_cast<std::size_t>(op)].name);
        stages << ops.join(' ');
    }
    return stages;
}

/// The same of every layer, nothing of embedding and head.
QStringList everyLayer(const QString& ops)
{
    return {"", ops, ops, ops, ops, ""};
}

} // namespace

class StrategyTest : public QObject {
    Q_OBJECT

private slots:
    void namesComeBack()
    {
        for (const char* name :
            {"none", "full", "full-no-early-stop", "every-1", "every-3", "ffn-only", "attention-only", "core-attention",
                "chen-sqrt", "chen-greedy", "megatron-uniform-3", "megatron-block-5", "llmc-r1", "llmc-r2",
                "torchtitan-selective", "article-greedy", "knapsack", "optimal", "rotor-500", "optimal-nested"}) {
            const Result<Strategy> strategy = parseStrategy(name);
            QVERIFY2(strategy, name);
            QCOMPARE(toName(*strategy), std::string(name));
        }
        for (const char* name : {"", "every-", "every-0", "every--2", "every-2x", "every-99999999999", "Full",
                 "megatron-uniform", "megatron-block-0", "llmc-r3"})
            QVERIFY2(!parseStrategy(name), name);
    }

    /// Help texts have a line for each, in the order of a comparison, and the command line's document says the same.
    void everyStrategyHasItsRule()
    {
        QFile document(QStringLiteral(REMAT_TEST_DATA "/../../docs/command-line.md"));
        QVERIFY(document.open(QIODevice::ReadOnly));
        const QByteArray text = document.readAll();
        std::vector<Strategy> compared = comparedStrategies();
        for (const Strategy& slow : slowStrategies())
            compared.push_back(slow);
        QCOMPARE(strategyRules().size(), compared.size());
        for (std::size_t i = 0; i < compared.size(); ++i) {
            const StrategyRule& row = strategyRules()[i];
            const QString name = QString::fromStdString(toName(compared[i]));
            QCOMPARE(QString(row.name).replace(QRegularExpression("-K$"), "-" + QString::number(compared[i].k)), name);
            QVERIFY2(
                text.contains("| `" + QByteArray(row.name) + "` | " + row.title + " | " + row.rule + " |"), row.name);
        }
    }

    /// By the rules in the header, on the block tables of core/tape/block_builder.h: a pre-norm block drops what lies
    /// in the sublayer; a post-norm one the residual (and for the FFN the norm) that closes it as well.
    void rulesByHand_data()
    {
        QTest::addColumn<bool>("isBert");
        QTest::addColumn<bool>("isStored");
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<QStringList>("expected");
        const QString gpt2 = "norm1 qkv attn_core residual1 norm2 ffn_up gelu";
        const QString bert = "qkv attn_core residual1 norm1 ffn_up gelu residual2 norm2";
        const auto row = [](bool isBert, bool isStored, const char* strategy, const QStringList& expected) {
            QTest::addRow("%s %s %s", isBert ? "bert" : "gpt2", isStored ? "stored" : "blocked", strategy)
                << isBert << isStored << strategy << expected;
        };
        for (const bool isBert : {false, true}) {
            const QString all = isBert ? bert : gpt2;
            row(isBert, false, "none", everyLayer(""));
            row(isBert, false, "full", everyLayer(all));
            row(isBert, false, "every-1", everyLayer(all));
            row(isBert, false, "every-2", {"", all, "", all, "", ""});
            row(isBert, false, "every-3", {"", all, "", "", all, ""});
            row(isBert, false, "core-attention", everyLayer("attn_core"));
            row(isBert, true, "core-attention", everyLayer("probs"));
            row(isBert, false, "megatron-block-3", {"", all, all, all, "", ""});
            row(isBert, false, "megatron-block-9", everyLayer(all));
            row(isBert, false, "llmc-r1", everyLayer("gelu"));
            // Layers that run forward again keep everything then.
            for (const char* segments : {"full-no-early-stop", "chen-sqrt", "chen-greedy", "megatron-uniform-2"})
                row(isBert, false, segments, everyLayer(""));
        }
        row(false, false, "ffn-only", everyLayer("ffn_up gelu"));
        row(true, false, "ffn-only", everyLayer("ffn_up gelu residual2 norm2"));
        row(false, false, "attention-only", everyLayer("qkv attn_core"));
        row(true, false, "attention-only", everyLayer("qkv attn_core residual1"));
        // The stored core is two ops: the probabilities, and the context that attn_out's backward reads.
        row(false, true, "attention-only", everyLayer("qkv probs attn_core"));
        row(true, true, "attention-only", everyLayer("qkv probs attn_core residual1"));
        // llm.c, train_gpt2.cu at "recompute": 1 leaves fch_gelu out, 2 also ln1 and ln2.  BERT's norm2 makes the
        // layer's output.
        row(false, false, "llmc-r2", everyLayer("norm1 norm2 gelu"));
        row(true, false, "llmc-r2", everyLayer("norm1 gelu"));
        // torchtitan counts products from the layer's start: qkv saved, attn_out not, ffn_up saved, ffn_down not; of
        // attention only the fused kernels are on its list.
        row(false, false, "torchtitan-selective", everyLayer("norm1 residual1 norm2 gelu"));
        row(true, false, "torchtitan-selective", everyLayer("residual1 norm1 gelu residual2 norm2"));
        row(false, true, "torchtitan-selective", everyLayer("norm1 probs attn_core residual1 norm2 gelu"));
        row(true, true, "torchtitan-selective", everyLayer("probs attn_core residual1 norm1 gelu residual2 norm2"));
    }

    void rulesByHand()
    {
        QFETCH(bool, isBert);
        QFETCH(bool, isStored);
        QFETCH(QString, strategy);
        QFETCH(QStringList, expected);
        const StepTape tape = tapeOf(isBert, isStored ? AttentionKind::Stored : AttentionKind::Blocked);
        const Strategy rule = parseStrategy(strategy.toStdString()).value();
        QVERIFY(strategyApplies(rule, tape));
        QCOMPARE(dropped(tape, keepSetsOf(rule, tape, {}, {0})), expected);
    }

    /// Marks layers while the sum of B T F floats stays within the bytes to free.
    void articleGreedyMarksWhileItFits()
    {
        const StepTape tape = tapeOf(false, AttentionKind::Blocked);
        const Bytes layer{kBatch * kSequence * kFfn * 4};
        const auto marked = [&](Bytes toFree) {
            const QStringList stages = dropped(tape, keepSetsOf({Strategy::Kind::ArticleGreedy}, tape, {}, toFree));
            return stages.count("ffn_up gelu");
        };
        QCOMPARE(marked({0}), 0);
        QCOMPARE(marked(layer - Bytes{1}), 0);
        QCOMPARE(marked(layer), 1);
        QCOMPARE(marked(3 * layer - Bytes{1}), 2);
        QCOMPARE(marked(9 * layer), 4);
    }

    void pinsOverrideTheRule()
    {
        const StepTape tape = tapeOf(false, AttentionKind::Blocked);
        const auto rules = pinRules(tape, {parsePin("L1.gelu=keep").value(), parsePin("L2.qkv=recompute").value()});
        QCOMPARE(dropped(tape, keepSetsOf({Strategy::Kind::FfnOnly}, tape, *rules, {0})),
            (QStringList{"", "ffn_up gelu", "ffn_up", "qkv ffn_up gelu", "ffn_up gelu", ""}));
    }

    /// The article's layer has three ops, none of them an attention core of its own.
    void strategiesThatTheArticleCannotExpress()
    {
        const StepTape tape = tapeOf(false, AttentionKind::Blocked, Profile::Article);
        const QStringList known{"none", "full", "every-2", "ffn-only", "attention-only", "megatron-block-4",
            "article-greedy", "optimal", "optimal-nested"};
        for (const Strategy& strategy : comparedStrategies()) {
            const Result<void> applies = strategyApplies(strategy, tape);
            QCOMPARE(static_cast<bool>(applies), known.contains(QString::fromStdString(toName(strategy))));
            if (!applies)
                QCOMPARE(static_cast<int>(applies.error().exitCode()), 3);
        }
        QCOMPARE(dropped(tape, keepSetsOf({Strategy::Kind::FfnOnly}, tape, {}, {0})), everyLayer("ffn"));
        QCOMPARE(dropped(tape, keepSetsOf({Strategy::Kind::AttentionOnly}, tape, {}, {0})), everyLayer("attention"));
    }

    /// roundCpu(): 2e10 bytes/s and 300 ns to launch; 7 passes over the weights for AdamW, 3 for SGD.
    void optimizerStepKeepsTheMemoryBusy()
    {
        StepTape tape = tapeOf(false, AttentionKind::Blocked);
        tape.base.weights = {2'000'000};
        tape.base.optimizer = {4'000'000};
        QCOMPARE(optimizerTime(tape, roundCpu()), Nanoseconds{700'000 + 300});
        tape.setup.optimizer = OptimizerKind::Sgd;
        tape.base.optimizer = {0};
        QCOMPARE(optimizerTime(tape, roundCpu()), Nanoseconds{300'000 + 300});
        tape.setup.optimizer = OptimizerKind::None;
        QCOMPARE(optimizerTime(tape, roundCpu()), Nanoseconds{0});
    }
};

QTEST_APPLESS_MAIN(StrategyTest)
#include "strategy_test.moc"
