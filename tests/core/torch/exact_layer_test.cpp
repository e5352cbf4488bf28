// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>

#include "core/model/presets.h"
#include "core/torch/torch_step.h"

using namespace remat;
using namespace remat::torch;

/// Layers under exact keep-sets.  Expected bytes are the closed forms that tests/torch/exact_test.py measures on real
/// code; whole plans are held against it in exact_predictions_test.py beside it.
class ExactLayerTest : public QObject {
    Q_OBJECT

    static constexpr std::int64_t kBatch = 2, kLength = 128, kTokens = kBatch * kLength;

    static ModelShape shapeOf(const char* preset)
    {
        ModelShape shape = *findPreset(preset);
        shape.layers = 3;
        shape.vocabulary = 1024;
        return shape;
    }

    static TorchSetup setupOf(std::vector<std::string> kept, TorchAttention attention, double dropout)
    {
        TorchSetup setup;
        setup.batch = kBatch;
        setup.sequence = kLength;
        setup.attention = attention;
        setup.embeddingDropout = setup.attentionDropout = setup.residualDropout = dropout;
        LayerRegions exact;
        exact.isExact = true;
        exact.kept = std::move(kept);
        setup.layers.assign(6, exact);
        return setup;
    }

private slots:
    void aKeepSetKeepsItsClosedForm_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<QStringList>("kept");
        QTest::addColumn<bool>("isEager");
        QTest::addColumn<qint64>("bytes");
        const auto two = [](std::int64_t numbers) { return qint64{2 * kTokens * numbers}; };
        for (const char* preset : {"gpt2", "bert-base", "opt-125m"})
            QTest::addRow("%s keeps nothing", preset) << preset << QStringList{} << true << two(768);
        QTest::newRow("llama keeps nothing") << "llama-3.2-1b" << QStringList{} << true << two(2048);
        // c_attn is the layer's first addmm, the FFN's first its third.
        QTest::newRow("gpt2 keeps two products")
            << "gpt2" << QStringList{"attn.c_attn/addmm@0", "mlp.c_fc/addmm@2"} << true << two(768 + 3 * 768 + 4 * 768);
        // Its output, a number in fp32 for each row and head, and two random states of 512 bytes.
        QTest::newRow("gpt2 keeps fused attention")
            << "gpt2" << QStringList{"sdpa"} << false << two(2 * 768) + 4 * 12 * kTokens + 1024;
        // The product that ends attention is read when the sum behind it, the second norm's input, is made again.
        QTest::newRow("gpt2 keeps one product") << "gpt2" << QStringList{"attn.c_proj/addmm@1"} << true << two(2 * 768);
    }
    void aKeepSetKeepsItsClosedForm()
    {
        QFETCH(QString, preset);
        QFETCH(QStringList, kept);
        QFETCH(bool, isEager);
        QFETCH(qint64, bytes);
        std::vector<std::string> names;
        for (const QString& name : kept)
            names.push_back(name.toStdString());
        const TorchSetup setup
            = setupOf(names, isEager ? TorchAttention::Eager : TorchAttention::Sdpa, isEager ? 0.1 : 0.0);
        QCOMPARE(savedBytesPerLayer(shapeOf(preset.toLatin1()), setup).value, bytes);
    }

    /// exact_test.py: BERT's backward runs both norms, the GELU, the softmax and all six products again, each once.
    void anOpRunsAgainAtMostOnceAndOnlyIfRead()
    {
        const TorchStep step = simulateTorchStep(shapeOf("bert-base"), setupOf({}, TorchAttention::Eager, 0.1));
        const auto again = [&](OpCode op) {
            return int(std::count_if(step.events.begin(), step.events.end(),
                [op](const Event& event) { return event.op == op && event.phase == Phase::Recompute; }));
        };
        QCOMPARE(again(OpCode::LayerNorm), 3 * 2);
        QCOMPARE(again(OpCode::Gelu), 3);
        QCOMPARE(again(OpCode::Softmax), 3);
        QCOMPARE(again(OpCode::Addmm), 3 * 6);
    }

    /// Tensors come back one by one, where a block region brings its whole saved set back: its backward's peak is
    /// lower.
    void tensorsComeBackOneByOne()
    {
        ModelShape shape = shapeOf("gpt2");
        shape.ffn = 32 * 768;
        const TorchSetup exact = setupOf({}, TorchAttention::Eager, 0.1);
        TorchSetup block = exact;
        LayerRegions region;
        region.isBlock = true;
        block.layers.assign(3, region);
        QVERIFY(simulateTorchStep(shape, exact).backwardPeak < simulateTorchStep(shape, block).backwardPeak);
    }

    /// Forward, loss and gradients are the model's own: no FLOPs but recomputed ones are added.
    void onlyRecomputationIsAdded()
    {
        const ModelShape shape = shapeOf("llama-3.2-1b");
        const TorchSetup exact = setupOf({}, TorchAttention::Sdpa, 0.0);
        TorchSetup plain = exact;
        plain.layers.clear();
        const TorchStep with = simulateTorchStep(shape, exact), without = simulateTorchStep(shape, plain);
        QCOMPARE(with.forward.value, without.forward.value);
        QCOMPARE(with.backward.value, without.backward.value);
        QVERIFY(with.recompute.value > 0 && with.recompute.value < without.forward.value);
    }
};

QTEST_GUILESS_MAIN(ExactLayerTest)
#include "exact_layer_test.moc"
