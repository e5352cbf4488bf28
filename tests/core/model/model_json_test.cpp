// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/model/model_json.h"
#include "core/model/names.h"
#include "core/model/presets.h"
#include "core/model/setup_json.h"

using namespace remat;

namespace {

ModelShape unusualShape()
{
    ModelShape shape;
    shape.name = "odd \"name\" \u00e9";
    shape.modelType = "bert";
    shape.layers = 7;
    shape.hidden = 30;
    shape.heads = 4;
    shape.ffn = 77;
    shape.vocabulary = 1001;
    shape.maxPositions = 33;
    shape.tokenTypes = 0;
    shape.keyValueHeads = 1;
    shape.ownHeadWidth = 8;
    shape.normPlace = NormPlace::Post;
    shape.norm = NormKind::RmsNorm;
    shape.positions = PositionKind::Rotary;
    shape.rotaryBase = 1234.5;
    shape.slidingWindow = 31;
    shape.activation = Activation::Relu;
    shape.ffnKind = FfnKind::Gated;
    shape.hasQkvBias = false;
    shape.hasFfnBias = false;
    shape.head = HeadKind::MaskedLm;
    shape.isCausal = false;
    shape.hasTiedHead = false;
    shape.normEpsilon = 1.0 / 3.0;
    shape.dropout = {0.1, 0.2, 1.0 / 7.0};
    return shape;
}

/// Every feature of images, of a second stack and of experts in one shape, as no real model has them.
std::vector<ModelShape> farShapes()
{
    ModelShape image = unusualShape();
    image.name = "image";
    image.keyValueHeads = image.ownHeadWidth = image.slidingWindow = image.vocabulary = 0;
    image.hidden = 32;
    image.head = HeadKind::ImageClassifier;
    image.positions = PositionKind::Learned;
    image.image = {20, 31, 4, 5, 2, 2};
    image.maxPositions = 5 * 6 + 2;
    image.labels = 13;
    image.hasNormWeights = image.hasEmbeddingNorm = false;
    image.norm = NormKind::RmsNormPlusOne;
    image.block = BlockKind::ParallelTwoNorms;
    image.hasFinalNorm = image.hasNormedResidual = true;
    ModelShape stacks = unusualShape();
    stacks.name = "stacks";
    stacks.head = HeadKind::SeqToSeqLm;
    stacks.decoderLayers = 5;
    stacks.normPlace = NormPlace::Sandwich;
    stacks.positionOffset = 3;
    stacks.rotaryWidth = 6;
    stacks.relativeBuckets = 32;
    stacks.windowPattern = "ssf";
    stacks.qkNorm = QkNorm::Width;
    stacks.queryScale = 0.125;
    stacks.attentionSoftcap = 50;
    stacks.finalSoftcap = 30;
    stacks.hasFusedQkv = stacks.hasFusedGate = stacks.hasScaledEmbedding = stacks.hasScaledHeadInput = true;
    stacks.hasHeadBias = false;
    stacks.activation = Activation::GeluTanh;
    stacks.activationForm = ActivationForm::BloomGelu;
    stacks.headActivation = Activation::QuickGelu;
    stacks.experts = 8;
    stacks.expertsPerToken = 3;
    stacks.ownEmbeddingWidth = 17;
    stacks.hasInOutWeights = stacks.hasInnerDropouts = true;
    stacks.attentionBranchDropout = BranchDropout::None;
    return {unusualShape(), image, stacks};
}

/// A preset file with one key replaced by JSON text, or removed where the text is empty.
std::string changed(const char* key, const std::string& value)
{
    nlohmann::json json = nlohmann::json::parse(modelFileText(unusualShape()));
    if (value.empty())
        json.erase(key);
    else
        json[key] = nlohmann::json::parse(value);
    return json.dump();
}

} // namespace

class ModelJsonTest : public QObject {
    Q_OBJECT
private slots:
    void shapeSurvivesItsFile()
    {
        for (const ModelShape& shape : farShapes()) {
            const Result<ModelShape> read = parseModelFile(modelFileText(shape), "odd.json");
            QVERIFY2(read, read ? "" : englishSentence(read.error()).c_str());
            QCOMPARE(*read, shape);
            QCOMPARE(modelFileText(*read), modelFileText(shape));
        }
    }

    void shortFileTakesTheFamilysFeatures()
    {
        const Result<ModelShape> shape = parseModelFile(R"({"format": "remat-model", "version": 1, "name": "mini",
            "model_type": "gpt2", "layers": 2, "hidden": 64, "heads": 4, "vocabulary": 500, "max_positions": 32})",
            "mini.json");
        QVERIFY(shape);
        QCOMPARE(shape->ffn, std::int64_t{256});
        QCOMPARE(shape->normPlace, NormPlace::Pre);
        QCOMPARE(shape->groups(), std::int64_t{4});
        QCOMPARE(shape->headWidth(), std::int64_t{16});
        QCOMPARE(shape->activation, Activation::GeluTanh);
        QVERIFY(shape->isCausal && shape->hasTiedHead);
        QCOMPARE(shape->dropout, Dropouts{});
    }

    void badShapeFilesNameFileKeyAndRemedy_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("where");
        QTest::newRow("0 layers") << "layers"
                                  << "0"
                                  << "layers";
        QTest::newRow("1e9 layers") << "layers"
                                    << "1000000000"
                                    << "layers";
        QTest::newRow("negative width") << "hidden"
                                        << "-30"
                                        << "hidden";
        QTest::newRow("text") << "ffn"
                              << "\"77\""
                              << "ffn";
        QTest::newRow("fraction") << "vocabulary"
                                  << "10.5"
                                  << "vocabulary";
        QTest::newRow("beyond 64 bits") << "vocabulary"
                                        << "18446744073709551615"
                                        << "vocabulary";
        QTest::newRow("missing") << "heads"
                                 << ""
                                 << "heads";
        QTest::newRow("heads do not divide") << "head_width"
                                             << ""
                                             << "heads";
        QTest::newRow("key/value heads do not divide") << "key_value_heads"
                                                       << "3"
                                                       << "key_value_heads";
        QTest::newRow("no key/value heads") << "key_value_heads"
                                            << "0"
                                            << "key_value_heads";
        QTest::newRow("odd rotation") << "head_width"
                                      << "7"
                                      << "head_width";
        QTest::newRow("rotary base 0") << "rotary_base"
                                       << "0"
                                       << "rotary_base";
        QTest::newRow("unknown norm") << "norm"
                                      << "\"batch_norm\""
                                      << "norm";
        QTest::newRow("unknown type") << "model_type"
                                      << "\"rwkv\""
                                      << "model_type";
        QTest::newRow("unknown activation") << "activation"
                                            << "\"swish\""
                                            << "activation";
        QTest::newRow("dropout 1") << "dropout"
                                   << R"({"embedding": 0, "attention": 1.0, "residual": 0})"
                                   << "dropout.attention";
        QTest::newRow("dropout list") << "dropout"
                                      << "[0.1]"
                                      << "dropout";
        QTest::newRow("epsilon 0") << "norm_epsilon"
                                   << "0"
                                   << "norm_epsilon";
        QTest::newRow("empty name") << "name"
                                    << "\"\""
                                    << "name";
        QTest::newRow("other version") << "version"
                                       << "2"
                                       << "odd.json";
        QTest::newRow("other format") << "format"
                                      << "\"remat-plan\""
                                      << "odd.json";
        QTest::newRow("long name") << "name" << QString("\"%1\"").arg(QString(10'000'000, 'x')) << "name";
    }
    void badShapeFilesNameFileKeyAndRemedy()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, where);
        const Result<ModelShape> shape
            = parseModelFile(changed(key.toStdString().c_str(), value.toStdString()), "odd.json");
        QVERIFY(!shape);
        QCOMPARE(shape.error().exitCode(), ExitCode::BadInput);
        QVERIFY(QString::fromStdString(shape.error().where).startsWith("odd.json"));
        QVERIFY2(QString::fromStdString(shape.error().where).contains(where), shape.error().where.c_str());
        QVERIFY(!englishRemedy(shape.error()).empty());
        QVERIFY(englishSentence(shape.error()).size() < 500);
    }

    void setupSurvivesJson()
    {
        TrainingSetup setup;
        setup.batch = 3;
        setup.sequence = 17;
        setup.profile = Profile::Article;
        setup.attention = AttentionKind::Stored;
        setup.loss = LossKind::ChunkedCrossEntropy;
        setup.headChunks = 5;
        setup.optimizer = OptimizerKind::Sgd;
        setup.precision = Precision::Half;
        setup.dropout = 0.0;
        setup.microBatches = 4;
        setup.gradientsResident = true;
        setup.masterWeights = true;
        setup.variants = VariantChoice::Auto;
        setup.device = "a100-80";
        for (const TrainingSetup& written : {setup, TrainingSetup{}}) {
            const nlohmann::json json = toJson(written);
            const JsonCursor at(json, "setup.json");
            const TrainingSetup read = readTrainingSetup(at);
            QVERIFY(!at.failed());
            QCOMPARE(read, written);
        }
    }

    void badSetupsNameTheKey_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("where");
        QTest::newRow("negative batch") << R"({"batch": -1, "sequence": 8})"
                                        << "setup.json: batch";
        QTest::newRow("missing sequence") << R"({"batch": 1})"
                                          << "setup.json: sequence";
        QTest::newRow("dropout 1") << R"({"batch": 1, "sequence": 8, "dropout": 1.0})"
                                   << "setup.json: dropout";
        QTest::newRow("unknown optimizer") << R"({"batch": 1, "sequence": 8, "optimizer": "lion"})"
                                           << "setup.json: optimizer";
        QTest::newRow("later optimizer") << R"({"batch": 1, "sequence": 8, "optimizer": "adafactor"})"
                                         << "setup.json: optimizer";
        QTest::newRow("later loss") << R"({"batch": 1, "sequence": 8, "loss": "lm_hf"})"
                                    << "setup.json: loss";
        QTest::newRow("no chunks") << R"({"batch": 1, "sequence": 8, "head_chunks": 0})"
                                   << "setup.json: head_chunks";
        QTest::newRow("empty device") << R"({"batch": 1, "sequence": 8, "device": ""})"
                                      << "setup.json: device";
        QTest::newRow("list") << R"([])"
                              << "setup.json";
    }
    void badSetupsNameTheKey()
    {
        QFETCH(QString, json);
        QFETCH(QString, where);
        const nlohmann::json parsed = nlohmann::json::parse(json.toStdString());
        const JsonCursor at(parsed, "setup.json");
        readTrainingSetup(at);
        QVERIFY(at.failed());
        QCOMPARE(QString::fromStdString(at.error().where), where);
        QCOMPARE(at.error().exitCode(), ExitCode::BadInput);
    }

    /// Names: docs/command-line.md.
    void namesAreThoseOfTheCommandLine()
    {
        QCOMPARE(toName(*fromName<AttentionKind>("sdpa")), std::string_view("sdpa"));
        QCOMPARE(*fromName<AttentionKind>("sdpa"), AttentionKind::Blocked);
        QCOMPARE(*fromName<AttentionKind>("eager"), AttentionKind::Stored);
        QCOMPARE(*fromName<LossKind>("chunked_cross_entropy"), LossKind::ChunkedCrossEntropy);
        QCOMPARE(*fromName<OptimizerKind>("adamw"), OptimizerKind::AdamW);
        QCOMPARE(*fromName<Profile>("article"), Profile::Article);
        QCOMPARE(*fromName<Precision>("amp"), Precision::Amp);
        QCOMPARE(*fromName<VariantChoice>("auto"), VariantChoice::Auto);
        QCOMPARE(knownNames<OptimizerKind>(), std::string("none, sgd, adamw"));
    }

    void namesOfLaterProfilesSaySo()
    {
        for (const char* name : {"lm_hf", "mlm_hf", "logits_sum"}) {
            const Result<LossKind> loss = fromName<LossKind>(name);
            QVERIFY(!loss);
            QCOMPARE(loss.error().exitCode(), ExitCode::Usage);
            QVERIFY(englishText(loss.error()).find("pytorch") != std::string::npos);
            QVERIFY(englishRemedy(loss.error()).find("cross_entropy") != std::string::npos);
        }
        QVERIFY(englishText(fromName<Profile>("paper").error()).find("paper") != std::string::npos);
        QVERIFY(englishText(fromName<LossKind>("mse").error()).find("unknown") != std::string::npos);
    }

    /// LLaMA 3 8B shares 8 key/value heads among 32; with 8 heads none are shared, and that comes back as it was.
    void settledHeadsComeBack()
    {
        ModelShape shape = *findPreset("llama-3-8b");
        shape.heads = 8;
        settleHeads(shape);
        QCOMPARE(shape.keyValueHeads, std::int64_t{0});
        QCOMPARE(shape.groups(), std::int64_t{8});
        const nlohmann::json json = toJson(shape);
        const JsonCursor root(json, "model.json");
        QCOMPARE(readModelShape(root), shape);
        // Width / heads is what D is anyway; another one is its own.
        shape.ownHeadWidth = 512;
        settleHeads(shape);
        QCOMPARE(shape.ownHeadWidth, std::int64_t{0});
        shape.ownHeadWidth = 64;
        settleHeads(shape);
        QCOMPARE(shape.ownHeadWidth, std::int64_t{64});
    }
};

QTEST_APPLESS_MAIN(ModelJsonTest)
#include "model_json_test.moc"
