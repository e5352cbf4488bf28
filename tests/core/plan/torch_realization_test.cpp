// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/torch_realization.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include "core/base/json_cursor.h"

using namespace remat;

/// The plan that Python reads, as a file.
class TorchRealizationTest : public QObject {
    Q_OBJECT

    using Kind = TorchRegion::Kind;

    static Result<TorchRealization> read(const nlohmann::json& object)
    {
        const JsonCursor root(object, "plan.json");
        TorchRealization realization = readTorchRealization(root);
        if (root.failed())
            return root.error();
        return realization;
    }

    static TorchRealization everything()
    {
        const std::string layer = "model.layers.0", next = "model.layers.1";
        TorchRealization realization{.modelClass = "LlamaForCausalLM"};
        realization.layers
            = {{.path = layer,
                   .regions = {{.kind = Kind::Attention,
                                   .paths = {layer + ".self_attn"},
                                   .norm = layer + ".input_layernorm",
                                   .tail = layer + ".drop",
                                   .save = {"self_attn.q_proj", "sdpa"}},
                       {.kind = Kind::Ffn, .paths = {layer + ":feed_forward_chunk"}, .stopsEarly = false},
                       {.kind = Kind::Core, .paths = {layer + ".self_attn"}, .isReentrant = true}}},
                {.path = next,
                    .regions = {{.kind = Kind::Blocks,
                        .paths = {next, "model.layers.2"},
                        .inside = {{.kind = Kind::Block, .paths = {next}, .layer = next}}}}}};
        return realization;
    }

private slots:
    void whatIsWrittenIsRead()
    {
        TorchRealization realization = everything();
        QVERIFY(read(toJson(realization)).value() == realization);
        realization.kind = TorchRealization::Kind::Exact;
        realization.layers = {{.path = "h.0", .keep = {"mlp.c_fc/addmm#0", "sdpa"}}, {.path = "h.1"}};
        QVERIFY(read(toJson(realization)).value() == realization);
    }

    /// The keys that resources/export/pytorch_regions.py reads.
    void keysArePythons()
    {
        const nlohmann::json object = toJson(everything());
        QCOMPARE(object["format"].get<std::string>(), std::string("remat-torch"));
        QCOMPARE(object["realization"].get<std::string>(), std::string("regions"));
        const nlohmann::json attention = object["layers"][0]["regions"][0];
        for (const char* key : {"kind", "path", "norm", "tail", "save"})
            QVERIFY2(attention.contains(key), key);
        QCOMPARE(object["layers"][0]["regions"][1]["early_stop"].get<bool>(), false);
        QCOMPARE(object["layers"][0]["regions"][2]["reentrant"].get<bool>(), true);
        QCOMPARE(object["layers"][1]["regions"][0]["paths"].size(), std::size_t{2});
        QCOMPARE(
            object["layers"][1]["regions"][0]["inside"][0]["layer"].get<std::string>(), std::string("model.layers.1"));
    }

    void mistakesAreNamed_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("code");
        QTest::newRow("format") << "/format"
                                << "\"remat-plan\""
                                << "wrong-format";
        QTest::newRow("realization") << "/realization"
                                     << "\"runtime\""
                                     << "torch-unknown-realization";
        QTest::newRow("kind") << "/layers/0/regions/0/kind"
                              << "\"layer\""
                              << "torch-unknown-region";
        QTest::newRow("one block of several") << "/layers/1/regions/0/paths"
                                              << "[\"a\"]"
                                              << "torch-region-without-path";
        QTest::newRow("saving in a core") << "/layers/0/regions/2/save"
                                          << "[\"sdpa\"]"
                                          << "torch-region-cannot-save";
        QTest::newRow("saving around") << "/layers/1/regions/0/save"
                                       << "[\"sdpa\"]"
                                       << "torch-region-cannot-save";
        QTest::newRow("saving inside") << "/layers/1/regions/0/inside/0/save"
                                       << "[\"sdpa\"]"
                                       << "torch-region-cannot-save";
        QTest::newRow("no paths") << "/layers/0/regions/0/path"
                                  << "3"
                                  << "json-wrong-type";
    }

    void mistakesAreNamed()
    {
        QFETCH(const QString, pointer);
        QFETCH(const QString, value);
        QFETCH(const QString, code);
        nlohmann::json object = toJson(everything());
        object[nlohmann::json::json_pointer(pointer.toStdString())] = nlohmann::json::parse(value.toStdString());
        const Result<TorchRealization> result = read(object);
        QVERIFY(!result);
        QCOMPARE(
            QString::fromUtf8(result.error().code->name.data(), qsizetype(result.error().code->name.size())), code);
    }

    void nestingHasAnEnd()
    {
        nlohmann::json region{{"kind", "block"}, {"path", "a"}};
        for (int i = 0; i < 20; ++i)
            region = {{"kind", "block"}, {"path", "a"}, {"inside", {region}}};
        nlohmann::json object = toJson(everything());
        object["layers"][0]["regions"] = {region};
        QCOMPARE(read(object).error().code->name, std::string_view("torch-regions-too-deep"));
    }
};

QTEST_APPLESS_MAIN(TorchRealizationTest)
#include "torch_realization_test.moc"
