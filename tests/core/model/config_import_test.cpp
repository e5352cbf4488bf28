// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/model/config_import.h"
#include "core/model/presets.h"

using namespace remat;

namespace {

std::string configPath(const QString& name)
{
    return REMAT_TEST_DATA "/configs/" + name.toStdString() + ".config.json";
}

/// A real config with keys replaced, or removed where the new value is "absent".
std::string changed(const char* name, const std::initializer_list<std::pair<const char*, const char*>>& changes)
{
    nlohmann::json json = nlohmann::json::parse(*readFile(configPath(name)));
    for (const auto& [key, value] : changes) {
        if (std::string_view(value) == "absent")
            json.erase(key);
        else
            json[key] = nlohmann::json::parse(value);
    }
    return json.dump();
}

QStringList notesOf(const ImportedModel& model)
{
    QStringList notes;
    for (const Message& note : model.notes)
        notes << QString::fromStdString(englishText(note));
    return notes;
}

/// The sizes of the configs below that give every key.
ModelShape smallShape(const char* name, const char* modelType)
{
    ModelShape shape;
    shape.name = name;
    shape.modelType = modelType;
    shape.layers = 3;
    shape.hidden = 40;
    shape.heads = 5;
    shape.ffn = 99;
    shape.vocabulary = 111;
    shape.maxPositions = 77;
    return shape;
}

} // namespace

class ConfigImportTest : public QObject {
    Q_OBJECT
private slots:
    /// The files are transformers 5.24's; the presets' sizes are checked against its parameter counts elsewhere.
    void realFilesAreTheirPresets_data()
    {
        QTest::addColumn<QStringList>("notes");
        const QStringList gpt2{"n_inner is not given: 4 x the width, 3072, is used."};
        const QStringList medium{"n_inner is not given: 4 x the width, 4096, is used."};
        QTest::newRow("gpt2") << gpt2;
        QTest::newRow("gpt2-medium") << medium;
        QTest::newRow("bert-base") << QStringList{};
        QTest::newRow("bert-large") << QStringList{};
    }
    void realFilesAreTheirPresets()
    {
        QFETCH(QStringList, notes);
        const QString name = QTest::currentDataTag();
        const Result<ImportedModel> model = importConfigFile(configPath(name));
        QVERIFY2(model, model ? "" : englishSentence(model.error()).c_str());
        QCOMPARE(model->shape, *findPreset(name.toStdString()));
        QCOMPARE(notesOf(*model), notes);
    }

    /// The files hold transformers' defaults of the norm's epsilon, the rotary base and Mistral's positions; the
    /// presets the published models' own.  Everything else is equal.
    void realLlamasAreTheirPresets_data()
    {
        QTest::addColumn<QStringList>("notes");
        for (const char* name : {"llama-3-8b", "llama-3.2-1b", "mistral-7b"})
            QTest::newRow(name) << QStringList();
        QTest::newRow("qwen2.5-0.5b") << QStringList{"head_dim is not given: transformers' default 64 is used."};
    }
    void realLlamasAreTheirPresets()
    {
        QFETCH(QStringList, notes);
        const QString name = QTest::currentDataTag();
        const Result<ImportedModel> model = importConfigFile(configPath(name));
        QVERIFY2(model, model ? "" : englishSentence(model.error()).c_str());
        ModelShape expected = *findPreset(name.toStdString());
        expected.normEpsilon = 1e-6;
        expected.rotaryBase = 10000;
        if (name == "mistral-7b")
            expected.maxPositions = 131072;
        QCOMPARE(model->shape, expected);
        QCOMPARE(notesOf(*model), notes);
    }

    /// The files are transformers 5.24's and hold every key of their class; defaults remain where a key is null and
    /// where the modelling code asks for a key that the class has not.
    void realFilesOfOtherTypesAreRead_data()
    {
        QTest::addColumn<QStringList>("notes");
        QTest::newRow("distilbert") << QStringList{};
        QTest::newRow("falcon-7b") << QStringList{};
        QTest::newRow("gemma-2-2b") << QStringList{};
        QTest::newRow("gpt_neo-125m") << QStringList{"intermediate_size is not given: 4 x the width, 3072, is used."};
        QTest::newRow("opt-125m") << QStringList{};
        QTest::newRow("phi-2") << QStringList{};
        QTest::newRow("t5-small") << QStringList{};
        QTest::newRow("vit-base") << QStringList{};
    }
    void realFilesOfOtherTypesAreRead()
    {
        QFETCH(QStringList, notes);
        const Result<ImportedModel> model = importConfigFile(configPath(QTest::currentDataTag()));
        QVERIFY2(model, model ? "" : englishSentence(model.error()).c_str());
        QCOMPARE(notesOf(*model), notes);
    }

    void otherTypesAreRefusedByName_data()
    {
        QTest::addColumn<QString>("nearest");
        for (const auto& [type, nearest] : {std::pair("whisper", "t5"), {"albert", "bert"}, {"xlm-roberta", "roberta"},
                 {"dinov2", "vit"}, {"qwen3_moe", "mixtral"}, {"mpt", "bloom"}, {"olmo", "olmo2"},
                 {"never-heard-of", "llama"}, {"deepseek_v2", "mixtral"}})
            QTest::newRow(type) << QString(nearest);
    }
    void otherTypesAreRefusedByName()
    {
        QFETCH(QString, nearest);
        const std::string type = QTest::currentDataTag();
        const Result<ImportedModel> model = type == "deepseek_v2"
            ? importConfigFile(configPath("deepseek_v2-lite"))
            : importConfig("{\"model_type\": \"" + type + "\"}", "x.config.json");
        QVERIFY(!model);
        QCOMPARE(model.error().exitCode(), ExitCode::BadInput);
        QVERIFY(QString::fromStdString(model.error().where).endsWith(".config.json: model_type"));
        QCOMPARE(QString::fromStdString(englishText(model.error())),
            QString("Models of type \"%1\" are not supported.").arg(QString::fromStdString(type)));
        QVERIFY(
            QString::fromStdString(englishRemedy(model.error())).contains(QString("nearest is \"%1\"").arg(nearest)));
    }

    /// Models of text and images hold the decoder's keys in text_config.
    void textPartIsReadAlone()
    {
        const std::string part = changed("llama-3.2-1b", {{"hidden_size", "1024"}});
        const auto whole
            = importConfig(R"({"model_type": "llava", "vision_config": {}, "text_config": )" + part + "}", "v.json");
        QVERIFY2(whole, whole ? "" : englishSentence(whole.error()).c_str());
        QCOMPARE(whole->shape.modelType, std::string("llama"));
        QCOMPARE(whole->shape.hidden, std::int64_t{1024});
        QCOMPARE(notesOf(*whole),
            QStringList{"This is a model of type \"llava\": its text part, of type llama, is described alone."});
        // Gemma3Config gives a part without a type its own.
        const auto gemma
            = importConfig(R"({"model_type": "gemma3", "text_config": {"num_hidden_layers": 3}})", "g.json");
        QVERIFY2(gemma, gemma ? "" : englishSentence(gemma.error()).c_str());
        QCOMPARE(gemma->shape.modelType, std::string("gemma3_text"));
        QCOMPARE(gemma->shape.layers, std::int64_t{3});
        const auto broken = importConfig(R"({"text_config": {"model_type": "llama", "vocab_size": -1}})", "b.json");
        QVERIFY(!broken);
        QCOMPARE(broken.error().where, std::string("b.json: text_config.vocab_size"));
        const auto unknown
            = importConfig(R"({"model_type": "llava", "text_config": {"model_type": "jamba"}})", "u.json");
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().where, std::string("u.json: text_config.model_type"));
        QVERIFY(englishText(unknown.error()).find("jamba") != std::string::npos);
    }

    void everyKeyOfGpt2IsHonoured()
    {
        const Result<ImportedModel> model = importConfig(R"({"model_type": "gpt2", "n_embd": 40, "n_layer": 3,
            "n_head": 5, "n_positions": 77, "n_inner": 99, "vocab_size": 111, "activation_function": "relu",
            "attn_pdrop": 0.2, "embd_pdrop": 0.3, "resid_pdrop": 0.4, "tie_word_embeddings": false,
            "layer_norm_epsilon": 1e-6})",
            "small.json");
        QVERIFY(model);
        ModelShape expected = smallShape("small", "gpt2");
        expected.hasFusedQkv = expected.hasInOutWeights = true; // attn.c_attn, pytorch_utils.Conv1D
        expected.activation = Activation::Relu;
        expected.hasTiedHead = false;
        expected.normEpsilon = 1e-6;
        expected.dropout = {0.3, 0.2, 0.4};
        QCOMPARE(model->shape, expected);
        QCOMPARE(notesOf(*model), QStringList{});
    }

    void everyKeyOfLlamaIsHonoured()
    {
        const Result<ImportedModel> model = importConfig(R"({"model_type": "llama", "hidden_size": 40,
            "num_hidden_layers": 3, "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 8,
            "intermediate_size": 99, "vocab_size": 111, "max_position_embeddings": 77, "hidden_act": "gelu",
            "attention_dropout": 0.2, "attention_bias": true, "mlp_bias": true, "rms_norm_eps": 1e-5,
            "rope_theta": 500000.0, "rope_scaling": {"rope_type": "llama3", "factor": 32.0},
            "tie_word_embeddings": true, "pretraining_tp": 2})",
            "small.json");
        QVERIFY2(model, model ? "" : englishSentence(model.error()).c_str());
        ModelShape expected = smallShape("small", "llama");
        expected.heads = 6;
        expected.keyValueHeads = 2;
        expected.ownHeadWidth = 8;
        expected.normPlace = NormPlace::Pre;
        expected.norm = NormKind::RmsNorm;
        expected.positions = PositionKind::Rotary;
        expected.activation = Activation::Gelu;
        expected.ffnKind = FfnKind::Gated;
        expected.normEpsilon = 1e-5;
        expected.rotaryBase = 500000;
        expected.dropout.attention = 0.2;
        QCOMPARE(model->shape, expected);
        QCOMPARE(notesOf(*model),
            (QStringList{"rope_scaling is llama3: it changes the angles of the positions, not memory or time; plain "
                         "angles are used.",
                "pretraining_tp is 2, which the training step here does not depend on."}));
    }

    /// LlamaConfig(), MistralConfig() and Qwen2Config() of transformers 5.24.
    void llamasDefaultsAreTheirClasses()
    {
        const auto requireDefaults = [](const char* type, const ModelShape& expected) {
            const auto model = importConfig("{\"model_type\": \"" + std::string(type) + "\"}", "x.json");
            QVERIFY2(model, model ? "" : englishSentence(model.error()).c_str());
            QCOMPARE(model->shape, expected);
        };
        ModelShape shape;
        shape.name = "x";
        shape.modelType = "llama";
        shape.layers = 32;
        shape.hidden = 4096;
        shape.heads = 32;
        shape.ffn = 11008;
        shape.vocabulary = 32000;
        shape.maxPositions = 2048;
        shape.norm = NormKind::RmsNorm;
        shape.positions = PositionKind::Rotary;
        shape.activation = Activation::Silu;
        shape.ffnKind = FfnKind::Gated;
        shape.hasTiedHead = shape.hasQkvBias = shape.hasAttentionOutBias = shape.hasFfnBias = false;
        shape.normEpsilon = 1e-6;
        shape.rotaryBase = 10000;
        requireDefaults("llama", shape);
        ModelShape mistral = shape;
        mistral.modelType = "mistral";
        mistral.ffn = 14336;
        mistral.keyValueHeads = 8;
        mistral.maxPositions = 131072;
        mistral.slidingWindow = 4096;
        requireDefaults("mistral", mistral);
        ModelShape qwen2 = shape;
        qwen2.modelType = "qwen2";
        qwen2.ffn = 22016;
        qwen2.vocabulary = 151936;
        qwen2.maxPositions = 32768;
        qwen2.hasQkvBias = true;
        requireDefaults("qwen2", qwen2);
    }

    /// A null key is Python's None: as many key/value heads as heads, and no window.
    void nullIsNotTheDefaultOfGroupsAndWindow()
    {
        const auto model = importConfig(
            changed("mistral-7b", {{"num_key_value_heads", "null"}, {"sliding_window", "null"}, {"head_dim", "null"}}),
            "m.json");
        QVERIFY(model);
        QCOMPARE(model->shape.groups(), std::int64_t{32});
        QCOMPARE(model->shape.slidingWindow, std::int64_t{0});
        QCOMPARE(model->shape.headWidth(), std::int64_t{128});
    }

    /// configuration_qwen2.py: the window counts with use_sliding_window, for layers from max_window_layers on.
    void qwensWindowCountsWhereALayerSeesIt()
    {
        const auto window = [](const char* used, const char* layersBefore, const char* types) {
            return importConfig(changed("qwen2.5-0.5b",
                                    {{"use_sliding_window", used}, {"sliding_window", "512"},
                                        {"max_window_layers", layersBefore}, {"layer_types", types}}),
                "q.json")
                ->shape.slidingWindow;
        };
        QCOMPARE(window("false", "0", "absent"), std::int64_t{0});
        QCOMPARE(window("true", "28", "absent"), std::int64_t{0});
        QCOMPARE(window("true", "20", "absent"), std::int64_t{512});
        QCOMPARE(window("true", "20", "[\"full_attention\"]"), std::int64_t{0});
        QCOMPARE(window("true", "20", "[\"full_attention\", \"sliding_attention\"]"), std::int64_t{512});
        // Qwen2Config's max_window_layers is 28: none of the 24 layers comes after it.
        QCOMPARE(window("true", "absent", "absent"), std::int64_t{0});
        const auto deeper = importConfig(
            changed("qwen2.5-0.5b",
                {{"use_sliding_window", "true"}, {"sliding_window", "512"}, {"max_window_layers", "absent"},
                    {"layer_types", "absent"}, {"num_hidden_layers", "29"}}),
            "q.json");
        QCOMPARE(deeper->shape.slidingWindow, std::int64_t{512});
        QVERIFY(notesOf(*deeper).contains("max_window_layers is not given: transformers' default 28 is used."));
    }

    /// A folder's name may be any bytes and of any length; a model's is UTF-8 of at most 200 bytes.
    void namesFromFilesAreText()
    {
        const auto nameOf = [](const std::string& file) {
            return QString::fromStdString(importConfig(R"({"model_type": "gpt2"})", file)->shape.name);
        };
        QCOMPARE(nameOf("caf\xE9.json"), QString("caf\uFFFD"));
        QCOMPARE(nameOf("mod\u00E8le/config.json"), QString("mod\u00E8le"));
        QString characters;
        for (int i = 0; i < 100; ++i)
            characters += QChar(0x6A21); // three bytes each: 66 of them are 198 bytes
        QCOMPARE(nameOf(characters.toStdString() + ".json"), characters.left(66));
    }

    void everyKeyOfBertIsHonoured()
    {
        const Result<ImportedModel> model = importConfig(R"({"model_type": "bert", "hidden_size": 40,
            "num_hidden_layers": 3, "num_attention_heads": 5, "intermediate_size": 99, "vocab_size": 111,
            "max_position_embeddings": 77, "type_vocab_size": 3, "hidden_act": "gelu_new",
            "hidden_dropout_prob": 0.2, "attention_probs_dropout_prob": 0.3, "layer_norm_eps": 1e-6,
            "tie_word_embeddings": false, "is_decoder": false, "position_embedding_type": "absolute"})",
            "folder/config.json");
        QVERIFY(model);
        ModelShape expected = smallShape("folder", "bert");
        expected.tokenTypes = 3;
        expected.normPlace = NormPlace::Post;
        expected.activation = Activation::GeluTanh;
        expected.activationForm = ActivationForm::GeluNew;
        expected.head = HeadKind::MaskedLm;
        expected.hasEmbeddingNorm = expected.hasHeadBias = true;
        expected.isCausal = expected.hasFinalNorm = false;
        expected.hasTiedHead = false;
        expected.normEpsilon = 1e-6;
        expected.dropout = {0.2, 0.3, 0.2};
        QCOMPARE(model->shape, expected);
        QCOMPARE(notesOf(*model), QStringList{});
    }

    /// transformers' GPT2Config() and BertConfig() are gpt2 and bert-base-uncased.
    void absentAndNullKeysTakeTheClassDefaults()
    {
        for (const char* name : {"gpt2", "bert-base"}) {
            const std::string type = QString(name).startsWith("bert") ? "bert" : "gpt2";
            const Result<ImportedModel> model = importConfig("{\"model_type\": \"" + type + "\"}", std::string(name));
            QVERIFY(model);
            QCOMPARE(model->shape, *findPreset(name));
            QCOMPARE(model->notes.size(), std::size_t{12});
        }
        const Result<ImportedModel> nulls
            = importConfig(changed("gpt2", {{"n_layer", "null"}, {"attn_pdrop", "absent"}}), "gpt2");
        QVERIFY(nulls);
        const QStringList notes = notesOf(*nulls);
        QVERIFY(notes.contains("n_layer is not given: transformers' default 12 is used."));
        QVERIFY(notes.contains("attn_pdrop is not given: transformers' default 0.1 is used."));
        QCOMPARE(notes.size(), 3);
    }

    void otherNamesOfSizesAreRead()
    {
        const Result<ImportedModel> alias
            = importConfig(changed("gpt2", {{"n_embd", "absent"}, {"hidden_size", "1536"}}), "gpt2");
        QVERIFY(alias);
        QCOMPARE(alias->shape.hidden, std::int64_t{1536});
        QCOMPARE(alias->shape.ffn, std::int64_t{6144});
        const Result<ImportedModel> context
            = importConfig(changed("gpt2", {{"n_positions", "absent"}, {"n_ctx", "2048"}}), "gpt2");
        QVERIFY(context);
        QCOMPARE(context->shape.maxPositions, std::int64_t{2048});
        const Result<ImportedModel> both = importConfig(changed("gpt2", {{"n_ctx", "512"}}), "gpt2");
        QVERIFY(both);
        QCOMPARE(both->shape.maxPositions, std::int64_t{1024});
        QVERIFY(notesOf(*both).contains("n_ctx is 512; n_positions, 1024, counts."));
    }

    void keysWithoutEffectAreNoted()
    {
        const Result<ImportedModel> model = importConfig(
            changed(
                "bert-base", {{"output_attentions", "true"}, {"architectures", "[\"BertForSequenceClassification\"]"}}),
            "bert");
        QVERIFY(model);
        QCOMPARE(notesOf(*model).size(), 2);
        QVERIFY(notesOf(*model)[1].contains("BertForSequenceClassification"));
        QVERIFY(importConfig(changed("bert-base", {{"architectures", "[\"BertForMaskedLM\"]"}}), "b")->notes.empty());
    }

    /// gelu_new and gelu_pytorch_tanh are one function in transformers/activations.py, the first written out in Python.
    void activationsAreThoseOfTransformers()
    {
        const auto requireActivation = [](const char* value, Activation activation, ActivationForm form) {
            const auto model = importConfig(changed("gpt2", {{"activation_function", value}}), "gpt2");
            QVERIFY(model);
            QCOMPARE(model->shape.activation, activation);
            QCOMPARE(model->shape.activationForm, form);
        };
        requireActivation("\"gelu\"", Activation::Gelu, ActivationForm::Fused);
        requireActivation("\"gelu_new\"", Activation::GeluTanh, ActivationForm::GeluNew);
        requireActivation("\"gelu_fast\"", Activation::GeluTanh, ActivationForm::GeluFast);
        requireActivation("\"gelu_pytorch_tanh\"", Activation::GeluTanh, ActivationForm::Fused);
        requireActivation("\"quick_gelu\"", Activation::QuickGelu, ActivationForm::Fused);
        requireActivation("\"relu\"", Activation::Relu, ActivationForm::Fused);
    }

    void badValuesAreRefusedWithFileKeyAndRemedy_data()
    {
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        const QString longText = "\"" + QString(1'000'000, 'x') + "\"";
        QTest::newRow("0 layers") << "gpt2"
                                  << "n_layer"
                                  << "0";
        QTest::newRow("1e9 layers") << "gpt2"
                                    << "n_layer"
                                    << "1000000000";
        QTest::newRow("negative layers") << "bert-base"
                                         << "num_hidden_layers"
                                         << "-12";
        QTest::newRow("text for number") << "bert-base"
                                         << "hidden_size"
                                         << "\"768\"";
        QTest::newRow("true for number") << "bert-base"
                                         << "hidden_size"
                                         << "true";
        QTest::newRow("fraction") << "gpt2"
                                  << "n_embd"
                                  << "768.5";
        QTest::newRow("1e300") << "gpt2"
                               << "vocab_size"
                               << "1e300";
        QTest::newRow("2^64-1") << "gpt2"
                                << "vocab_size"
                                << "18446744073709551615";
        QTest::newRow("heads do not divide") << "gpt2"
                                             << "n_head"
                                             << "7";
        QTest::newRow("heads do not divide (bert)") << "bert-base"
                                                    << "num_attention_heads"
                                                    << "7";
        QTest::newRow("more heads than width") << "gpt2"
                                               << "n_head"
                                               << "1536";
        QTest::newRow("inner 0") << "gpt2"
                                 << "n_inner"
                                 << "0";
        QTest::newRow("dropout 1") << "gpt2"
                                   << "attn_pdrop"
                                   << "1.0";
        QTest::newRow("dropout negative") << "bert-base"
                                          << "hidden_dropout_prob"
                                          << "-0.1";
        QTest::newRow("dropout text") << "gpt2"
                                      << "embd_pdrop"
                                      << "\"0.1\"";
        QTest::newRow("epsilon 0") << "gpt2"
                                   << "layer_norm_epsilon"
                                   << "0";
        QTest::newRow("tie as text") << "gpt2"
                                     << "tie_word_embeddings"
                                     << "\"yes\"";
        QTest::newRow("unknown activation") << "gpt2"
                                            << "activation_function"
                                            << "\"mish\"";
        QTest::newRow("groups do not divide") << "llama-3-8b"
                                              << "num_key_value_heads"
                                              << "5";
        QTest::newRow("more groups than heads") << "mistral-7b"
                                                << "num_key_value_heads"
                                                << "64";
        QTest::newRow("head width 0") << "llama-3-8b"
                                      << "head_dim"
                                      << "0";
        QTest::newRow("heads too wide") << "llama-3-8b"
                                        << "head_dim"
                                        << "1000000";
        QTest::newRow("half rotated") << "llama-3-8b"
                                      << "partial_rotary_factor"
                                      << "0.5";
        QTest::newRow("quantized llama") << "llama-3-8b"
                                         << "quantization_config"
                                         << "{\"bits\": 4}";
        QTest::newRow("negative window") << "mistral-7b"
                                         << "sliding_window"
                                         << "-1";
        QTest::newRow("long activation") << "gpt2"
                                         << "activation_function" << longText;
        QTest::newRow("long number") << "gpt2"
                                     << "n_layer"
                                     << "\"" + QString(10'000'000, 'x') + "\"";
        QTest::newRow("long model type") << "gpt2"
                                         << "model_type" << longText;
        QTest::newRow("model type number") << "gpt2"
                                           << "model_type"
                                           << "3";
        QTest::newRow("cross attention") << "gpt2"
                                         << "add_cross_attention"
                                         << "true";
        QTest::newRow("encoder-decoder") << "gpt2"
                                         << "is_encoder_decoder"
                                         << "true";
        QTest::newRow("layer scale") << "gpt2"
                                     << "scale_attn_by_inverse_layer_idx"
                                     << "true";
        QTest::newRow("no scale") << "gpt2"
                                  << "scale_attn_weights"
                                  << "false";
        QTest::newRow("decoding bert") << "bert-base"
                                       << "is_decoder"
                                       << "true";
        QTest::newRow("relative positions") << "bert-base"
                                            << "position_embedding_type"
                                            << "\"relative_key\"";
        QTest::newRow("chunked ffn") << "bert-base"
                                     << "chunk_size_feed_forward"
                                     << "64";
        QTest::newRow("pruned heads") << "bert-base"
                                      << "pruned_heads"
                                      << "{\"0\": [1]}";
        QTest::newRow("quantized") << "bert-base"
                                   << "quantization_config"
                                   << "{\"bits\": 4}";
        QTest::newRow("two widths") << "gpt2"
                                    << "hidden_size"
                                    << "1024";
    }
    void badValuesAreRefusedWithFileKeyAndRemedy()
    {
        QFETCH(QString, base);
        QFETCH(QString, key);
        QFETCH(QString, value);
        const std::string keyText = key.toStdString(), valueText = value.toStdString();
        const std::string text = changed(base.toStdString().c_str(), {{keyText.c_str(), valueText.c_str()}});
        const Result<ImportedModel> model = importConfig(text, "some.json");
        QVERIFY(!model);
        QCOMPARE(model.error().exitCode(), ExitCode::BadInput);
        QCOMPARE(QString::fromStdString(model.error().where), "some.json: " + key);
        QVERIFY(!englishRemedy(model.error()).empty());
        QVERIFY(englishSentence(model.error()).size() < 500);
    }

    /// What a config leaves out and memory depends on is said.
    void defaultsOfAttentionAreNoted()
    {
        const auto llama = importConfig(changed("llama-3-8b", {{"num_key_value_heads", "absent"}}), "m.json");
        QCOMPARE(llama->shape.groups(), std::int64_t{32});
        QVERIFY(notesOf(*llama).contains("num_key_value_heads is not given: transformers' default 32 is used."));
        const auto usual = importConfig(changed("llama-3-8b", {{"head_dim", "absent"}}), "m.json");
        QCOMPARE(usual->shape.headWidth(), std::int64_t{128});
        QVERIFY(notesOf(*usual).contains("head_dim is not given: transformers' default 128 is used."));
        const auto qwen = importConfig(changed("qwen2.5-0.5b", {{"use_sliding_window", "absent"}}), "q.json");
        QVERIFY(notesOf(*qwen).contains("use_sliding_window is not given: transformers' default false is used."));
    }

    void rotarySettingsAreRead()
    {
        const auto import = [](const char* parameters, const char* theta) {
            return importConfig(
                changed("llama-3-8b", {{"rope_parameters", parameters}, {"rope_theta", theta}}), "some.json");
        };
        QCOMPARE(import(R"({"rope_type": "default", "rope_theta": 1234})", "absent")->shape.rotaryBase, 1234.0);
        QCOMPARE(import(R"({"rope_type": "default", "rope_theta": 1234})", "1234")->shape.rotaryBase, 1234.0);
        const auto where = [&](const char* parameters, const char* theta) {
            const auto model = import(parameters, theta);
            return model ? QString("read") : QString::fromStdString(model.error().where);
        };
        QCOMPARE(where(R"({"rope_theta": 1234})", "5678"), QString("some.json: rope_parameters.rope_theta"));
        QCOMPARE(where(R"("yarn")", "absent"), QString("some.json: rope_parameters"));
        QCOMPARE(where("[1]", "absent"), QString("some.json: rope_parameters"));
        QCOMPARE(where(R"({"full_attention": {"rope_theta": 1e6}})", "absent"), QString("some.json: rope_parameters"));
        QCOMPARE(where(R"({"rope_theta": 1e4, "partial_rotary_factor": 0.5})", "absent"),
            QString("some.json: rope_parameters.partial_rotary_factor"));
        QCOMPARE(where(R"({"rope_theta": 1e4, "partial_rotary_factor": 1.0})", "absent"), QString("read"));
        QVERIFY(!import(R"({"rope_theta": 0.5})", "absent"));
    }

    void unknownRotaryTypesAreRefused()
    {
        const auto model = importConfig(
            changed("llama-3-8b", {{"rope_parameters", R"({"rope_type": "mrope", "rope_theta": 1e4})"}}), "some.json");
        QVERIFY(!model);
        QCOMPARE(model.error().where, std::string("some.json: rope_parameters.rope_type"));
        QVERIFY(englishRemedy(model.error()).find("llama3") != std::string::npos);
    }

    void badFilesAreRefusedByName_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("truncated") << QByteArray("{\"model_type\": \"gpt2\", \"n_layer\": ");
        QTest::newRow("NaN") << QByteArray("{\"model_type\": \"gpt2\", \"attn_pdrop\": NaN}");
        QTest::newRow("1e400") << QByteArray("{\"model_type\": \"gpt2\", \"attn_pdrop\": 1e400}");
        QTest::newRow("list") << QByteArray("[]");
        QTest::newRow("null") << QByteArray("null");
        QTest::newRow("no type") << QByteArray("{\"hidden_size\": 768}");
        QTest::newRow("null type") << QByteArray("{\"model_type\": null}");
        QTest::newRow("deep") << QByteArray(100'000, '[');
        QTest::newRow("deep value") << "{\"model_type\": \"gpt2\", \"x\": " + QByteArray(100'000, '[') + "}";
        QTest::newRow("key twice") << QByteArray("{\"model_type\": \"gpt2\", \"n_layer\": 1, \"n_layer\": 2}");
        QTest::newRow("binary") << QByteArray("\0\1\2\377\376", 5);
    }
    void badFilesAreRefusedByName()
    {
        QFETCH(QByteArray, text);
        const Result<ImportedModel> model = importConfig(text.toStdString(), "some.json");
        QVERIFY(!model);
        QCOMPARE(model.error().exitCode(), ExitCode::BadInput);
        QVERIFY(QString::fromStdString(model.error().where).startsWith("some.json"));
        QVERIFY(!englishRemedy(model.error()).empty());
    }

    /// One of our own files is told what it is and which command takes it.
    void ownFilesAreNamed_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("command");
        QTest::newRow("plan") << QByteArray("remat-plan") << "config-is-own-file"
                              << "remat verify FILE";
        QTest::newRow("chain") << QByteArray("remat-chain") << "config-is-own-file"
                               << "remat solve FILE";
        QTest::newRow("answer") << QByteArray("remat-comparison") << "config-is-own-answer"
                                << "remat compare --json";
        QTest::newRow("of others") << QByteArray("onnx") << "config-no-model-type"
                                   << "model_type";
    }
    void ownFilesAreNamed()
    {
        QFETCH(QByteArray, format);
        QFETCH(QString, code);
        QFETCH(QString, command);
        const auto model = importConfig("{\"format\": \"" + format.toStdString() + "\", \"version\": 1}", "x.json");
        QVERIFY(!model);
        QCOMPARE(QString::fromUtf8(model.error().code->name.data()), code);
        QVERIFY(QString::fromStdString(englishSentence(model.error())).contains(command));
    }

    void missingFileIsAnError()
    {
        QCOMPARE(importConfigFile("/no/such.json").error().where, std::string("/no/such.json"));
    }
};

QTEST_APPLESS_MAIN(ConfigImportTest)
#include "config_import_test.moc"
