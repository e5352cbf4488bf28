// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/model/families.h"
#include "core/model/model_json.h"
#include "core/model/nearest_names.h"
#include "core/model/presets.h"
#include "core/model/training_setup.h"
#include "core/model/weights.h"

using namespace remat;

namespace {

bool isLlamaKind(const ModelShape& s)
{
    return s.modelType == "llama" || s.modelType == "mistral" || s.modelType == "qwen2";
}

/// Parameters by the closed formulas of the families: embeddings, norms, L (4C^2+4C + 2CF+F+C + 4C), head; for LLaMA
/// VC (1 or 2) + L (2 C HD + 2 C KD + 3 CF + 2C) + C, and in Qwen2 the biases of queries, keys and values.
std::int64_t parameters(const ModelShape& s)
{
    const std::int64_t C = s.hidden, F = s.ffn, V = s.vocabulary;
    if (isLlamaKind(s)) {
        const std::int64_t D = C / s.heads, K = s.keyValueHeads > 0 ? s.keyValueHeads : s.heads;
        const std::int64_t biases = s.modelType == "qwen2" ? (s.heads + 2 * K) * D : 0;
        const std::int64_t block = 2 * C * C + 2 * C * K * D + biases + 3 * C * F + 2 * C;
        return (s.hasTiedHead ? 1 : 2) * V * C + s.layers * block + C;
    }
    const std::int64_t blocks = s.layers * (4 * C * C + 4 * C + 2 * C * F + F + C + 4 * C);
    const std::int64_t embeddings = (V + s.maxPositions + s.tokenTypes) * C;
    const std::int64_t maskedHead = C * C + C + 2 * C + V;
    return embeddings + 2 * C + blocks + (s.modelType == "bert" ? maskedHead : 0);
}

void write(const QString& folder, const char* name, const std::string& text)
{
    QVERIFY(QDir().mkpath(folder));
    std::ofstream((folder + "/" + name).toStdString()) << text;
}

} // namespace

class PresetsTest : public QObject {
    Q_OBJECT
private slots:
    /// Counts: transformers 5.24 (tests/data/configs/parameters.json), for the others the sizes of the published
    /// weights (total of the safetensors index).
    void sizesGivePublishedParameterCounts_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<qint64>("expected");
        const Result<std::string> text = readFile(REMAT_TEST_DATA "/configs/parameters.json");
        QVERIFY(text);
        const nlohmann::json published = nlohmann::json::parse(*text);
        for (const char* name : {"bert-base", "bert-large", "gpt2", "gpt2-medium", "llama-3-8b", "llama-3.2-1b",
                 "mistral-7b", "qwen2.5-0.5b"})
            QTest::newRow(name) << QString(name) << qint64(published[name]["parameters"].get<std::int64_t>());
        QTest::newRow("gpt2-large") << QString("gpt2-large") << qint64(774'030'080);
        QTest::newRow("gpt2-xl") << QString("gpt2-xl") << qint64(1'557'611'200);
        QTest::newRow("tinyllama-1.1b") << QString("tinyllama-1.1b") << qint64(1'100'048'384);
        QTest::newRow("llama-2-7b") << QString("llama-2-7b") << qint64(6'738'415'616);
        QTest::newRow("llama-2-13b") << QString("llama-2-13b") << qint64(13'015'864'320);
        QTest::newRow("llama-2-70b") << QString("llama-2-70b") << qint64(68'976'648'192);
        QTest::newRow("llama-3-70b") << QString("llama-3-70b") << qint64(70'553'706'496);
        QTest::newRow("qwen2.5-1.5b") << QString("qwen2.5-1.5b") << qint64(1'543'714'304);
        QTest::newRow("qwen2.5-3b") << QString("qwen2.5-3b") << qint64(3'085'938'688);
        QTest::newRow("qwen2.5-7b") << QString("qwen2.5-7b") << qint64(7'615'616'512);
        QTest::newRow("qwen2.5-14b") << QString("qwen2.5-14b") << qint64(14'770'033'664);
        QTest::newRow("qwen2.5-32b") << QString("qwen2.5-32b") << qint64(32'763'876'352);
        QTest::newRow("qwen2.5-72b") << QString("qwen2.5-72b") << qint64(72'706'203'648);
    }
    void sizesGivePublishedParameterCounts()
    {
        QFETCH(QString, name);
        QFETCH(qint64, expected);
        const Result<ModelShape> shape = findPreset(name.toStdString());
        QVERIFY(shape);
        QCOMPARE(qint64(parameters(*shape)), expected);
    }

    /// Counts of the published weights (total of the safetensors index; roberta's and electra's with the masked head
    /// that is described, deit's with one classifier), each equal to what transformers 5.24 counts of the published
    /// config.json.
    void weightsGivePublishedCounts_data()
    {
        QTest::addColumn<qint64>("expected");
        QTest::newRow("roberta-base") << qint64(124'697'433);
        QTest::newRow("roberta-large") << qint64(355'412'057);
        QTest::newRow("distilbert-base-uncased") << qint64(66'985'530);
        QTest::newRow("electra-small-generator") << qint64(13'546'682);
        QTest::newRow("opt-125m") << qint64(125'239'296);
        QTest::newRow("opt-350m") << qint64(331'196'416);
        QTest::newRow("opt-1.3b") << qint64(1'315'758'080);
        QTest::newRow("opt-2.7b") << qint64(2'651'596'800);
        QTest::newRow("opt-6.7b") << qint64(6'658'473'984);
        QTest::newRow("opt-13b") << qint64(12'853'473'280);
        QTest::newRow("opt-30b") << qint64(29'974'540'288);
        QTest::newRow("gpt-neo-125m") << qint64(125'198'592);
        QTest::newRow("gpt-neo-1.3b") << qint64(1'315'575'808);
        QTest::newRow("gpt-neo-2.7b") << qint64(2'651'307'520);
        QTest::newRow("gpt-j-6b") << qint64(6'050'882'784);
        QTest::newRow("gpt-neox-20b") << qint64(20'554'567'680);
        QTest::newRow("pythia-160m") << qint64(162'322'944);
        QTest::newRow("pythia-1.4b") << qint64(1'414'647'808);
        QTest::newRow("pythia-6.9b") << qint64(6'857'302'016);
        QTest::newRow("bloom-560m") << qint64(559'214'592);
        QTest::newRow("bloom-7b1") << qint64(7'069'016'064);
        QTest::newRow("falcon-7b") << qint64(6'921'720'704);
        QTest::newRow("phi-2") << qint64(2'779'683'840);
        QTest::newRow("phi-3-mini-4k-instruct") << qint64(3'821'079'552);
        QTest::newRow("mixtral-8x7b") << qint64(46'702'792'704);
        QTest::newRow("qwen3-0.6b") << qint64(596'049'920);
        QTest::newRow("qwen3-8b") << qint64(8'190'735'360);
        QTest::newRow("gemma-3-1b-pt") << qint64(999'885'952);
        QTest::newRow("gemma-2b") << qint64(2'506'172'416);
        QTest::newRow("gemma-2-2b") << qint64(2'614'341'888);
        QTest::newRow("gemma-7b") << qint64(8'537'680'896);
        QTest::newRow("gemma-2-9b") << qint64(9'241'705'984);
        QTest::newRow("gemma-2-27b") << qint64(27'227'128'320);
        QTest::newRow("olmo-2-1124-7b") << qint64(7'298'617'344);
        QTest::newRow("starcoder2-3b") << qint64(3'030'371'328);
        QTest::newRow("vit-base-patch16-224") << qint64(86'567'656);
        QTest::newRow("vit-large-patch16-224") << qint64(304'326'632);
        QTest::newRow("vit-huge-patch14-224") << qint64(632'045'800);
        QTest::newRow("deit-base-distilled-patch16-224") << qint64(86'569'192);
        QTest::newRow("t5-small") << qint64(60'506'624);
        QTest::newRow("t5-base") << qint64(222'903'552);
        QTest::newRow("t5-large") << qint64(737'668'096);
    }
    void weightsGivePublishedCounts()
    {
        QFETCH(qint64, expected);
        const Result<ModelShape> shape = findPreset(QTest::currentDataTag());
        QVERIFY(shape);
        QVERIFY(validateShape(*shape));
        QCOMPARE(qint64(parameterCount(*shape)), expected);
    }

    /// Every family has a preset, so that each can be picked by name.
    void everyFamilyHasAPreset()
    {
        const std::vector<ModelShape> shapes = presets().shapes;
        for (const Family& family : families())
            QVERIFY2(std::any_of(shapes.begin(), shapes.end(),
                         [&](const ModelShape& shape) { return shape.modelType == family.defaults.modelType; }),
                family.defaults.modelType.c_str());
    }

    /// The list of weights and the closed formulas agree.
    void weightsAddUpToTheFormulas()
    {
        for (const ModelShape& shape : presets().shapes)
            if (isLlamaKind(shape) || shape.modelType == "gpt2" || shape.modelType == "bert")
                QCOMPARE(parameterCount(shape), parameters(shape));
    }

    /// Features: GPT-2 (Radford et al. 2019) is pre-norm and causal; BERT (Devlin et al. 2019) post-norm, both ways.
    void familiesHaveTheirFeatures()
    {
        for (const ModelShape& shape : presets().shapes) {
            if (shape.modelType != "gpt2" && shape.modelType != "bert")
                continue;
            const bool isGpt2 = shape.modelType == "gpt2";
            QCOMPARE(shape.isCausal, isGpt2);
            QCOMPARE(shape.normPlace == NormPlace::Pre, isGpt2);
            QCOMPARE(shape.head == HeadKind::CausalLm, isGpt2);
            QCOMPARE(shape.activation == Activation::GeluTanh, isGpt2);
            QCOMPARE(shape.tokenTypes, std::int64_t{isGpt2 ? 0 : 2});
            QCOMPARE(shape.normEpsilon, isGpt2 ? 1e-5 : 1e-12);
            QVERIFY(shape.hasTiedHead);
            QCOMPARE(shape.dropout, (Dropouts{0.1, 0.1, 0.1}));
            QVERIFY(validateShape(shape));
        }
    }

    /// Features: LLaMA (Touvron et al. 2023), Mistral (Jiang et al. 2023) and Qwen2.5 (Yang et al. 2024): pre-norm with
    /// RMSNorm, RoPE, SwiGLU and no biases, but for Qwen's of queries, keys and values.
    void llamasHaveTheirFeatures()
    {
        for (const ModelShape& shape : presets().shapes) {
            if (!isLlamaKind(shape))
                continue;
            QVERIFY(shape.isCausal && shape.head == HeadKind::CausalLm && shape.normPlace == NormPlace::Pre);
            QVERIFY(shape.norm == NormKind::RmsNorm && shape.positions == PositionKind::Rotary);
            QVERIFY(shape.activation == Activation::Silu && shape.ffnKind == FfnKind::Gated);
            QCOMPARE(shape.hasQkvBias, shape.modelType == "qwen2");
            QVERIFY(!shape.hasAttentionOutBias && !shape.hasFfnBias);
            QCOMPARE(shape.slidingWindow, std::int64_t{shape.modelType == "mistral" ? 4096 : 0});
            QCOMPARE(shape.dropout, Dropouts{});
            QVERIFY(validateShape(shape));
        }
    }

    /// max_position_embeddings, rope_theta (10000 where the file has none) and rms_norm_eps of the config.json of
    /// meta-llama's, TinyLlama's, mistralai's (v0.1) and Qwen's base models on Hugging Face; LitGPT's config.py repeats
    /// them.
    void llamasHaveTheirPublishedPositionsAndEpsilon_data()
    {
        QTest::addColumn<qint64>("positions");
        QTest::addColumn<double>("rotaryBase");
        QTest::addColumn<double>("epsilon");
        QTest::newRow("tinyllama-1.1b") << qint64(2048) << 1e4 << 1e-5;
        QTest::newRow("llama-2-7b") << qint64(4096) << 1e4 << 1e-5;
        QTest::newRow("llama-2-13b") << qint64(4096) << 1e4 << 1e-5;
        QTest::newRow("llama-2-70b") << qint64(4096) << 1e4 << 1e-5;
        QTest::newRow("llama-3-8b") << qint64(8192) << 5e5 << 1e-5;
        QTest::newRow("llama-3-70b") << qint64(8192) << 5e5 << 1e-5;
        QTest::newRow("llama-3.2-1b") << qint64(131072) << 5e5 << 1e-5;
        QTest::newRow("mistral-7b") << qint64(32768) << 1e4 << 1e-5;
        QTest::newRow("qwen2.5-0.5b") << qint64(32768) << 1e6 << 1e-6;
        QTest::newRow("qwen2.5-1.5b") << qint64(131072) << 1e6 << 1e-6;
        QTest::newRow("qwen2.5-3b") << qint64(32768) << 1e6 << 1e-6;
        QTest::newRow("qwen2.5-7b") << qint64(131072) << 1e6 << 1e-6;
        QTest::newRow("qwen2.5-14b") << qint64(131072) << 1e6 << 1e-5;
        QTest::newRow("qwen2.5-32b") << qint64(131072) << 1e6 << 1e-5;
        QTest::newRow("qwen2.5-72b") << qint64(131072) << 1e6 << 1e-5;
    }
    void llamasHaveTheirPublishedPositionsAndEpsilon()
    {
        QFETCH(qint64, positions);
        QFETCH(double, rotaryBase);
        QFETCH(double, epsilon);
        const Result<ModelShape> shape = findPreset(QTest::currentDataTag());
        QVERIFY(shape);
        QCOMPARE(qint64(shape->maxPositions), positions);
        QCOMPARE(shape->rotaryBase, rotaryBase);
        QCOMPARE(shape->normEpsilon, epsilon);
    }

    void allNamesOfTheCommandLineExist()
    {
        QStringList names;
        const PresetCatalog catalog = presets();
        QVERIFY(catalog.problems.empty());
        for (const ModelShape& shape : catalog.shapes)
            names << QString::fromStdString(shape.name);
        QCOMPARE(names,
            (QStringList{"tiny-bert", "bert-base", "bert-large", "bloom-560m", "bloom-7b1",
                "deit-base-distilled-patch16-224", "distilbert-base-uncased", "electra-small-generator", "falcon-7b",
                "gemma-2b", "gemma-7b", "gemma-2-2b", "gemma-2-9b", "gemma-2-27b", "gemma-3-1b-pt", "tiny-gpt2", "gpt2",
                "gpt2-medium", "gpt2-large", "gpt2-xl", "gpt-neo-125m", "gpt-neo-1.3b", "gpt-neo-2.7b", "pythia-160m",
                "pythia-1.4b", "pythia-6.9b", "gpt-neox-20b", "gpt-j-6b", "tiny-llama", "llama-3.2-1b",
                "tinyllama-1.1b", "llama-2-7b", "llama-3-8b", "llama-2-13b", "llama-2-70b", "llama-3-70b", "mistral-7b",
                "mixtral-8x7b", "olmo-2-1124-7b", "opt-125m", "opt-350m", "opt-1.3b", "opt-2.7b", "opt-6.7b", "opt-13b",
                "opt-30b", "phi-2", "phi-3-mini-4k-instruct", "qwen2.5-0.5b", "qwen2.5-1.5b", "qwen2.5-3b",
                "qwen2.5-7b", "qwen2.5-14b", "qwen2.5-32b", "qwen2.5-72b", "qwen3-0.6b", "qwen3-8b", "roberta-base",
                "roberta-large", "starcoder2-3b", "t5-small", "t5-base", "t5-large", "vit-base-patch16-224",
                "vit-large-patch16-224", "vit-huge-patch14-224"}));
    }

    void unknownNameListsTheNearest()
    {
        const Result<ModelShape> shape = findPreset("gpt-2-medium");
        QVERIFY(!shape);
        QCOMPARE(shape.error().exitCode(), ExitCode::Usage);
        const std::string remedy = englishRemedy(shape.error());
        QVERIFY2(remedy.find("Did you mean gpt2-medium") != std::string::npos, remedy.c_str());
        QVERIFY(remedy.find("tiny-bert") != std::string::npos);
        const std::string huge(10'000'000, 'x'); // NOLINT(bugprone-string-constructor)
        QVERIFY(!findPreset("") && !findPreset(huge));
    }

    void nearestNamesPreferBeginnings()
    {
        QCOMPARE(nearestNames("bert", {"gpt2", "bert-large", "bert-base"}, 2), std::string("bert-base, bert-large"));
        QCOMPARE(nearestNames("GPT2", {"bert-base", "gpt2"}, 1), std::string("gpt2"));
        QCOMPARE(nearestNames("x", {}), std::string());
    }

    /// What people type of a device: its number, its maker, another case.
    void nearestNamesFindPartsOfNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        QTest::newRow("number") << "4090"
                                << "rtx-4090";
        QTest::newRow("case and space") << "RTX 4090"
                                        << "rtx-4090, rtx-3090, rtx-5090";
        QTest::newRow("no dash") << "rtx4090"
                                 << "rtx-4090, rtx-3090, rtx-5090";
        QTest::newRow("maker before") << "nvidia-t4"
                                      << "t4";
        QTest::newRow("size after") << "V100"
                                    << "v100-16, v100-32";
        QTest::newRow("typo beside a shared word") << "rtx-4900"
                                                   << "rtx-4090, rtx-3090, rtx-5090";
    }

    void nearestNamesFindPartsOfNames()
    {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        const std::vector<std::string> names{
            "a10", "b200", "h200", "rtx-3090", "rtx-4090", "rtx-5090", "t4", "v100-16", "v100-32"};
        QCOMPARE(QString::fromStdString(nearestNames(name.toStdString(), names)), expected);
    }

    void filesOfThePersonAddAndOverride()
    {
        QTemporaryDir folder;
        ModelShape own = *findPreset("gpt2");
        own.layers = 3;
        write(folder.path() + "/presets", "anything.json", modelFileText(own));
        own.name = "mine";
        write(folder.path() + "/presets", "mine.json", modelFileText(own));
        write(folder.path() + "/presets", "ignored.txt", "not a preset");
        const std::string path = folder.path().toStdString();
        QCOMPARE(findPreset("gpt2", path)->layers, std::int64_t{3});
        QCOMPARE(*findPreset("mine", path), own);
        QCOMPARE(presets(path).shapes.size(), presets().shapes.size() + 1);
        QCOMPARE(findPreset("gpt2")->layers, std::int64_t{12});
    }

    void brokenFileOfThePersonIsNamedAndHarmsNoOther()
    {
        QTemporaryDir folder;
        write(folder.path() + "/presets", "gpt2.json", "{\"format\": \"remat-model\", \"version\": 1");
        const std::string path = folder.path().toStdString();
        const PresetCatalog catalog = presets(path);
        QCOMPARE(catalog.problems.size(), std::size_t{1});
        QCOMPARE(catalog.shapes.size(), presets().shapes.size());
        const Result<ModelShape> shape = findPreset("gpt2", path);
        QVERIFY(!shape);
        QCOMPARE(shape.error().exitCode(), ExitCode::BadInput);
        QVERIFY(shape.error().where.find("gpt2.json") != std::string::npos);
        QVERIFY(findPreset("bert-base", path));
    }

    void missingFolderIsNoError() { QVERIFY(presets("/no/such/folder").problems.empty()); }
};

QTEST_APPLESS_MAIN(PresetsTest)
#include "presets_test.moc"
