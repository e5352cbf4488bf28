// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/region_realization.h"

#include <QTest>

#include "core/model/families.h"

using namespace remat;

/// Simulated regions by module path.  Expected paths are those of transformers 5.24; tests/torch/families_test.py
/// applies the same ones to real models.
class RegionRealizationTest : public QObject {
    Q_OBJECT

    static ModelShape shapeOf(const char* modelType, std::int64_t layers = 4)
    {
        ModelShape shape = findFamily(modelType)->defaults;
        shape.layers = layers;
        return shape;
    }

    static torch::TorchSetup everyLayer(const torch::LayerRegions& regions, std::size_t layers = 4)
    {
        torch::TorchSetup setup;
        setup.layers.assign(layers, regions);
        return setup;
    }

    static std::vector<TorchRegion> firstLayer(const char* modelType, const torch::LayerRegions& regions)
    {
        const TorchRealization all = realizationOf(shapeOf(modelType), everyLayer(regions)).value();
        return all.layers.front().regions;
    }

private slots:
    void partsHavePaths_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("attention");
        QTest::addColumn<QString>("core");
        QTest::addColumn<QString>("ffn");
        const auto row = [](const char* type, const char* attention, const char* core, const char* ffn) {
            QTest::newRow(type) << type << attention << core << ffn;
        };
        row("bert", "bert.encoder.layer.0.attention", "bert.encoder.layer.0.attention.self",
            "bert.encoder.layer.0:feed_forward_chunk");
        row("gpt2", "transformer.h.0.attn", "transformer.h.0.attn", "transformer.h.0.mlp");
        row("llama", "model.layers.0.self_attn", "model.layers.0.self_attn", "model.layers.0.mlp");
        row("gpt_neox", "gpt_neox.layers.0.attention", "gpt_neox.layers.0.attention", "gpt_neox.layers.0.mlp");
        row("vit", "vit.layers.0.attention", "vit.layers.0.attention", "vit.layers.0.mlp");
        row("t5", "encoder.block.0.layer.0", "", "encoder.block.0.layer.1");
    }

    void partsHavePaths()
    {
        QFETCH(const QString, type);
        QFETCH(const QString, attention);
        QFETCH(const QString, core);
        QFETCH(const QString, ffn);
        const QByteArray name = type.toUtf8();
        const auto both = firstLayer(name, {.isAttention = true, .isFfn = true});
        QCOMPARE(both.size(), std::size_t{2});
        QCOMPARE(QString::fromStdString(both[0].paths.front()), attention);
        QCOMPARE(QString::fromStdString(both[1].paths.front()), ffn);
        QVERIFY(both[0].norm.empty() && both[0].tail.empty() && both[0].save.empty());
        if (core.isEmpty())
            return;
        const auto inner = firstLayer(name, {.isAttentionCore = true});
        QVERIFY(inner.front().kind == TorchRegion::Kind::Core);
        QCOMPARE(QString::fromStdString(inner.front().paths.front()), core);
    }

    void normsAndTailsAreNamed()
    {
        const auto gpt2 = firstLayer("gpt2",
            {.isAttention = true,
                .isFfn = true,
                .hasAttentionNorm = true,
                .hasFfnNorm = true,
                .hasAttentionTail = true,
                .hasFfnTail = true});
        QCOMPARE(gpt2[0].norm, std::string("transformer.h.0.ln_1"));
        QCOMPARE(gpt2[0].tail, std::string("transformer.h.0.attn.resid_dropout"));
        QCOMPARE(gpt2[1].norm, std::string("transformer.h.0.ln_2"));
        QCOMPARE(gpt2[1].tail, std::string("transformer.h.0.mlp.dropout"));
        const auto gemma = firstLayer("gemma2", {.isFfn = true, .hasFfnNorm = true});
        QCOMPARE(gemma[0].norm, std::string("model.layers.0.pre_feedforward_layernorm"));
    }

    void savedNamesGoToTheirRegion()
    {
        torch::LayerRegions regions{
            .isAttention = true, .isFfn = true, .saved = {"self_attn.q_proj", "mlp.up_proj"}, .savesSdpa = true};
        const auto parts = firstLayer("llama", regions);
        QVERIFY(parts[0].save == (std::vector<std::string>{"self_attn.q_proj", "sdpa"}));
        QVERIFY(parts[1].save == (std::vector<std::string>{"mlp.up_proj"}));
        regions.isAttention = regions.isFfn = false;
        regions.isBlock = true;
        const auto block = firstLayer("llama", regions);
        QVERIFY(block.front().save == (std::vector<std::string>{"self_attn.q_proj", "mlp.up_proj", "sdpa"}));
    }

    void spansHoldTheirLayers()
    {
        torch::TorchSetup setup = everyLayer({.isBlock = true});
        setup.layers[1].span = 3;
        const TorchRealization all = realizationOf(shapeOf("llama"), setup).value();
        QCOMPARE(all.layers.size(), std::size_t{4});
        QVERIFY(all.layers[0].regions.front().kind == TorchRegion::Kind::Block);
        const TorchRegion& span = all.layers[1].regions.front();
        QVERIFY(span.kind == TorchRegion::Kind::Blocks);
        QVERIFY(span.paths == (std::vector<std::string>{"model.layers.1", "model.layers.2", "model.layers.3"}));
        QCOMPARE(span.inside.size(), std::size_t{3});
        QCOMPARE(span.inside[1].layer, std::string("model.layers.2"));
        QVERIFY(all.layers[2].regions.empty() && all.layers[3].regions.empty());
    }

    void blocksHoldTheirParts()
    {
        const auto block = firstLayer("gpt2", {.isBlock = true, .isAttention = true});
        QCOMPARE(block.size(), std::size_t{1});
        QVERIFY(block.front().inside.front().kind == TorchRegion::Kind::Attention);
    }

    void optionsAreOfEveryRegion()
    {
        torch::TorchSetup setup = everyLayer({.isBlock = true});
        setup.stopsEarly = false;
        setup.isReentrant = true;
        const TorchRegion block = realizationOf(shapeOf("gpt2"), setup).value().layers.front().regions.front();
        QVERIFY(!block.stopsEarly && block.isReentrant);
    }

    void theDecoderFollowsTheEncoder()
    {
        ModelShape shape = shapeOf("t5", 2);
        shape.decoderLayers = 2;
        const TorchRealization all = realizationOf(shape, everyLayer({.isBlock = true})).value();
        QCOMPARE(all.layers[1].path, std::string("encoder.block.1"));
        QCOMPARE(all.layers[2].path, std::string("decoder.block.0"));
        QCOMPARE(all.modelClass, std::string("T5ForConditionalGeneration"));
    }

    void whatAModelHasNotIsRefused_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("what");
        QTest::newRow("OPT's FFN") << "opt" << 0;
        for (const char* type : {"falcon", "bloom", "gpt_neo", "t5"})
            QTest::addRow("%s's core", type) << type << 1;
        for (const char* type : {"falcon", "bloom", "gpt_neo", "t5"})
            QTest::addRow("spans of %s", type) << type << 2;
        for (const char* type : {"bert", "phi", "gptj", "gpt_neox", "falcon", "bloom", "olmo2", "t5"})
            QTest::addRow("norm inside of %s", type) << type << 3;
        for (const char* type : {"bert", "llama", "vit"})
            QTest::addRow("tail of %s", type) << type << 4;
    }

    void whatAModelHasNotIsRefused()
    {
        QFETCH(const QString, type);
        QFETCH(const int, what);
        const torch::LayerRegions all[] = {{.isFfn = true}, {.isAttentionCore = true}, {.isBlock = true, .span = 2},
            {.isAttention = true, .hasAttentionNorm = true}, {.isAttention = true, .hasAttentionTail = true}};
        const QByteArray name = type.toUtf8();
        const auto result = realizationOf(shapeOf(name), everyLayer(all[what]));
        QVERIFY(!result);
        QCOMPARE(result.error().code->name, std::string_view("export-no-such-region"));
    }
};

QTEST_APPLESS_MAIN(RegionRealizationTest)
#include "region_realization_test.moc"
