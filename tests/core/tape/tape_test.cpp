// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/model/config_import.h"
#include "core/model/presets.h"
#include "core/tape/step_tape.h"
#include "tests/support/small_models.h"

using namespace remat;

Q_DECLARE_METATYPE(remat::testing::Variety)

/// The tables that everything derives from, against published counts and closed forms.
class TapeTest : public QObject {
    Q_OBJECT

private slots:
    void parameterCountsArePublished_data();
    void parameterCountsArePublished();
    void parametersOfOwnHeadWidthAndBiasesAreCountedByHand();
    void forwardFlopsFollowKorthikanti_data();
    void forwardFlopsFollowKorthikanti();
    void causalBlockedAttentionSkipsHalf();
    void keptBytesOfABlockAreCountedByHand();
    void keptBytesOfALlamaBlockAreCountedByHand_data();
    void keptBytesOfALlamaBlockAreCountedByHand();
    void forwardFlopsOfLlamaFollowItsSizes();
    void tiedTableIsOneParameterWhoseGradientTheHeadMakes();
    void residualGradientPassesThroughInPlace();
    void baseHoldsGradientsOnlyWhenAsked();
    void halfPrecisionHalvesAllButStatisticsAndOptimizer();
    void bytesAreRoundedToTheGranule();
    void weightsAndOpsAreNamedAsInTransformers_data();
    void weightsAndOpsAreNamedAsInTransformers();
    void everyStageHasRoomForItsOps();
};

namespace {

StepTape tapeOfPreset(const char* name, std::int64_t batch, std::int64_t sequence, AttentionKind attention)
{
    const ModelShape shape = findPreset(name).value();
    TrainingSetup setup;
    setup.batch = batch;
    setup.sequence = sequence;
    setup.attention = attention;
    setup.dropout = 0.0;
    return buildStepTape(shape, setup, {});
}

std::int64_t forwardFlops(const StageTape& tape)
{
    std::int64_t sum = 0;
    for (const Op& op : tape.ops)
        sum += op.forwardFlops.value;
    return sum;
}

} // namespace

void TapeTest::parameterCountsArePublished_data()
{
    // Exact counts of the model classes named in parameters.json, made with transformers 5.24.
    QTest::addColumn<QString>("config");
    for (const char* name :
        {"bert-base", "bert-large", "gpt2", "gpt2-medium", "llama-3-8b", "llama-3.2-1b", "mistral-7b", "qwen2.5-0.5b"})
        QTest::newRow(name) << name;
}

void TapeTest::parameterCountsArePublished()
{
    QFETCH(QString, config);
    const std::string folder = REMAT_TEST_DATA "/configs/";
    const auto counts = nlohmann::json::parse(readFile(folder + "parameters.json").value());
    const ImportedModel model = importConfigFile(folder + config.toStdString() + ".config.json").value();
    TrainingSetup setup;
    const StepTape tape = buildStepTape(model.shape, withDefaults(model.shape, setup), {});
    QCOMPARE(tape.parameterCount(), counts[config.toStdString()]["parameters"].get<std::int64_t>());
}

/// No published model of these families has heads x head width other than the width, or these biases.  Per layer:
/// queries 40 x 48 + 48, keys and values 2 (40 x 16 + 16), output 48 x 40 + 40, gate and up 2 (40 x 99 + 99), down
/// 99 x 40 + 40, two norms 2 x 40: 17'438.  Two tables of 111 x 40 and the last norm.
void TapeTest::parametersOfOwnHeadWidthAndBiasesAreCountedByHand()
{
    ModelShape shape = findPreset("tiny-llama").value();
    shape.layers = 3;
    shape.hidden = 40;
    shape.heads = 6;
    shape.keyValueHeads = 2;
    shape.ownHeadWidth = 8;
    shape.ffn = 99;
    shape.vocabulary = 111;
    shape.hasQkvBias = shape.hasAttentionOutBias = shape.hasFfnBias = true;
    TrainingSetup setup;
    const StepTape tape = buildStepTape(shape, withDefaults(shape, setup), {});
    QCOMPARE(tape.parameterCount(), std::int64_t{3 * 17'438 + 2 * 111 * 40 + 40});
}

void TapeTest::forwardFlopsFollowKorthikanti_data()
{
    QTest::addColumn<QString>("preset");
    QTest::newRow("bert-base") << "bert-base";
    QTest::newRow("gpt2") << "gpt2";
}

void TapeTest::forwardFlopsFollowKorthikanti()
{
    // Korthikanti et al. 2022, appendix A: a layer's forward is 24 B s h^2 + 4 B s^2 h, the logits 2 B s h v.
    QFETCH(QString, preset);
    const std::int64_t b = 3, s = 128, h = 768;
    const StepTape tape = tapeOfPreset(preset.toLatin1().constData(), b, s, AttentionKind::Stored);
    QCOMPARE(forwardFlops(tape.kinds[1]), 24 * b * s * h * h + 4 * b * s * s * h);
    // BERT's head has one more dense layer of h^2 weights before the logits.
    const std::int64_t dense = preset == "bert-base" ? 2 * b * s * h * h : 0;
    QCOMPARE(forwardFlops(tape.kinds[2]), 2 * b * s * h * tape.shape.vocabulary + dense);
}

void TapeTest::causalBlockedAttentionSkipsHalf()
{
    // A causal row i sees i + 1 keys: s (s + 1) / 2 pairs instead of s^2; BERT's rows see all.
    const std::int64_t b = 2, s = 64, h = 768;
    const StepTape gpt2 = tapeOfPreset("gpt2", b, s, AttentionKind::Blocked);
    const StepTape bert = tapeOfPreset("bert-base", b, s, AttentionKind::Blocked);
    QCOMPARE(forwardFlops(gpt2.kinds[1]), 24 * b * s * h * h + 4 * b * h * s * (s + 1) / 2);
    QCOMPARE(forwardFlops(bert.kinds[1]), 24 * b * s * h * h + 4 * b * h * s * s);
}

void TapeTest::keptBytesOfABlockAreCountedByHand()
{
    // GPT-2, fp32, no dropout, blocked: norm1 C, qkv 3C, context C, residual C, norm2 C, up F, gelu F per token, two
    // norms' mean and rstd, and one log-sum-exp per head.
    const std::int64_t b = 4, s = 64, c = 768, f = 3072, h = 12;
    const StepTape tape = tapeOfPreset("gpt2", b, s, AttentionKind::Blocked);
    Bytes sum;
    std::vector<bool> isRead(tape.kinds[1].tensors.size(), false);
    for (const Op& op : tape.kinds[1].ops)
        for (const int t : op.backwardReads)
            isRead[static_cast<std::size_t>(t)] = true;
    for (std::size_t t = 0; t < isRead.size(); ++t)
        if (isRead[t] && static_cast<int>(t) != tape.kinds[1].input)
            sum += tape.kinds[1].tensors[t].bytes;
    QCOMPARE(sum.value, 4 * (b * s * (7 * c + 2 * f + 4) + b * h * s));
}

void TapeTest::keptBytesOfALlamaBlockAreCountedByHand_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<bool>("isStored");
    QTest::newRow("tinyllama, blocked") << "tinyllama-1.1b" << false;
    QTest::newRow("tinyllama, stored") << "tinyllama-1.1b" << true;
    QTest::newRow("qwen2.5") << "qwen2.5-0.5b" << false;
}

/// The list of memory for LLaMA with fused norms and SwiGLU, fp32: normed input C, turned queries HD and keys KD,
/// values KD, attention's output HD, residual C, normed C, gate F, up F, their product F per token, a reciprocal
/// deviation per norm, and a log-sum-exp per head or the T^2 probabilities.  By sublayer: the norms, attention,
/// residual, FFN.
void TapeTest::keptBytesOfALlamaBlockAreCountedByHand()
{
    QFETCH(QString, preset);
    QFETCH(bool, isStored);
    const std::int64_t b = 2, s = 64, n = b * s;
    const bool isQwen = preset.startsWith("qwen");
    const std::int64_t c = isQwen ? 896 : 2048, f = isQwen ? 4864 : 5632, h = isQwen ? 14 : 32, k = isQwen ? 2 : 4;
    const StepTape tape
        = tapeOfPreset(preset.toLatin1(), b, s, isStored ? AttentionKind::Stored : AttentionKind::Blocked);
    const StageTape& block = tape.kinds[1];
    std::map<Sublayer, std::int64_t> kept;
    std::vector<bool> isRead(block.tensors.size(), false);
    for (const Op& op : block.ops)
        for (const int t : op.backwardReads)
            isRead[static_cast<std::size_t>(t)] = true;
    for (std::size_t t = 0; t < isRead.size(); ++t)
        if (isRead[t] && static_cast<int>(t) != block.input)
            kept[block.tensors[t].sublayer] += block.tensors[t].bytes.value;
    const std::int64_t scores = isStored ? b * h * s * s : b * h * s;
    QCOMPARE(kept[Sublayer::Norm1], 4 * n * (c + 1));
    QCOMPARE(kept[Sublayer::Attention], 4 * (n * (2 * h * 64 + 2 * k * 64) + scores));
    QCOMPARE(kept[Sublayer::Residual1], 4 * n * c);
    QCOMPARE(kept[Sublayer::Norm2], 4 * n * (c + 1));
    QCOMPARE(kept[Sublayer::Ffn], 4 * n * 3 * f);
    QCOMPARE(kept.size(), std::size_t{5});
}

/// Per token and layer 2 (C HD + 2 C KD + HD C + 3 CF), attention 4 B T^2 HD with stored scores; logits 2 C V.
void TapeTest::forwardFlopsOfLlamaFollowItsSizes()
{
    const std::int64_t b = 3, s = 128, c = 4096, f = 14336, kv = 8 * 128;
    const StepTape tape = tapeOfPreset("llama-3-8b", b, s, AttentionKind::Stored);
    QCOMPARE(forwardFlops(tape.kinds[1]), 2 * b * s * (2 * c * c + 2 * c * kv + 3 * c * f) + 4 * b * s * s * c);
    QCOMPARE(forwardFlops(tape.kinds[2]), 2 * b * s * c * 128256);
}

void TapeTest::tiedTableIsOneParameterWhoseGradientTheHeadMakes()
{
    const StepTape tape = tapeOfPreset("gpt2", 1, 16, AttentionKind::Blocked);
    const int head = static_cast<int>(tape.stages.size()) - 1;
    QCOMPARE(tape.stages.front().parameters.front(), tape.stages.back().parameters.back());
    const Bytes table{4LL * 50257 * 768};
    // The head makes the table's gradient and the final norm's two; the embedding only its positions'.
    QCOMPARE(tape.weightGradBytes(head).value, table.value + 2 * 4 * 768);
    QCOMPARE(tape.weightGradBytes(0).value, 4LL * 1024 * 768);
}

void TapeTest::residualGradientPassesThroughInPlace()
{
    const StepTape gpt2 = tapeOfPreset("gpt2", 1, 16, AttentionKind::Blocked);
    // Pre-norm: the gradient of the block's output and of its input are one buffer.
    QCOMPARE(gpt2.flows[1].incoming, gpt2.flows[1].outgoing);
    const StepTape bert = tapeOfPreset("bert-base", 1, 16, AttentionKind::Blocked);
    // Post-norm: the closing norm writes a new one.
    QVERIFY(bert.flows[1].incoming != bert.flows[1].outgoing);
}

void TapeTest::baseHoldsGradientsOnlyWhenAsked()
{
    const ModelShape shape = findPreset("tiny-gpt2").value();
    TrainingSetup setup;
    setup.batch = 2;
    setup.sequence = 16;
    const StepTape lean = buildStepTape(shape, setup, {});
    QCOMPARE(lean.base.gradients.value, 0);
    QCOMPARE(lean.base.optimizer.value, 2 * lean.base.weights.value);
    setup.microBatches = 2;
    setup.optimizer = OptimizerKind::Sgd;
    const StepTape accumulating = buildStepTape(shape, setup, {});
    QCOMPARE(accumulating.base.gradients, accumulating.base.weights);
    QCOMPARE(accumulating.base.optimizer.value, 0);
    for (int s = 0; s < static_cast<int>(accumulating.stages.size()); ++s)
        QCOMPARE(accumulating.weightGradBytes(s).value, 0);
}

/// In half precision every number takes 2 bytes instead of 4, except statistics, the loss and what the optimizer keeps
/// (Micikevicius et al. 2018, figure 1: master weights and moments stay fp32).
void TapeTest::halfPrecisionHalvesAllButStatisticsAndOptimizer()
{
    const ModelShape shape = findPreset("tiny-gpt2").value();
    TrainingSetup setup;
    setup.batch = 2;
    setup.sequence = 16;
    const StepTape full = buildStepTape(shape, setup, {.granule = {1}});
    setup.precision = Precision::Half;
    const StepTape half = buildStepTape(shape, setup, {.granule = {1}});
    QCOMPARE(2 * half.base.weights, full.base.weights);
    QCOMPARE(half.base.optimizer, full.base.optimizer);
    QCOMPARE(half.base.inputs, full.base.inputs);
    for (std::size_t k = 0; k < full.kinds.size(); ++k)
        for (std::size_t t = 0; t < full.kinds[k].tensors.size(); ++t) {
            const Tensor &ofFull = full.kinds[k].tensors[t], &ofHalf = half.kinds[k].tensors[t];
            const bool staysFull = ofFull.role == TensorRole::Statistic || ofFull.name == "loss";
            QCOMPARE(staysFull ? ofHalf.bytes : 2 * ofHalf.bytes, ofFull.bytes);
        }
    setup.masterWeights = true;
    const StepTape master = buildStepTape(shape, setup, {.granule = {1}});
    QCOMPARE(master.base.optimizer.value, 3 * 4 * master.parameterCount());
    setup.optimizer = OptimizerKind::Sgd;
    QCOMPARE(buildStepTape(shape, setup, {.granule = {1}}).base.optimizer.value, 4 * master.parameterCount());
}

void TapeTest::bytesAreRoundedToTheGranule()
{
    std::mt19937 random(7);
    const testing::Variety variety{.isBert = true};
    const StepTape tape = buildStepTape(
        testing::randomShape(variety, random), testing::randomSetup(variety, random), {.granule = {512}});
    for (const StageTape& kind : tape.kinds)
        for (const Tensor& tensor : kind.tensors) {
            std::int64_t elements = 1;
            for (const std::int64_t n : tensor.shape)
                elements *= n;
            QCOMPARE(tensor.bytes.value % 512, 0);
            QVERIFY(tensor.bytes.value >= 4 * elements && tensor.bytes.value < 4 * elements + 512);
        }
}

/// Names of named_parameters() and named_modules() of transformers 5.24 (modeling_gpt2.py, modeling_bert.py,
/// modeling_llama.py, modeling_qwen2.py); query, key and value are one weight here.
void TapeTest::weightsAndOpsAreNamedAsInTransformers_data()
{
    QTest::addColumn<testing::Variety>("variety");
    QTest::addColumn<QStringList>("weights");
    QTest::addColumn<QStringList>("modules");
    const testing::Variety untied{.isTied = false};
    QTest::newRow("gpt2") << untied
                          << QStringList{"transformer.wte.weight", "transformer.wpe.weight",
                                 "transformer.h.0.ln_1.weight", "transformer.h.0.ln_1.bias",
                                 "transformer.h.0.attn.c_attn.weight", "transformer.h.0.attn.c_attn.bias",
                                 "transformer.h.0.attn.c_proj.weight", "transformer.h.0.attn.c_proj.bias",
                                 "transformer.h.0.ln_2.weight", "transformer.h.0.ln_2.bias",
                                 "transformer.h.0.mlp.c_fc.weight", "transformer.h.0.mlp.c_fc.bias",
                                 "transformer.h.0.mlp.c_proj.weight", "transformer.h.0.mlp.c_proj.bias",
                                 "transformer.ln_f.weight", "transformer.ln_f.bias", "lm_head.weight"}
                          << QStringList{"transformer.wte", "transformer.h.0.ln_1", "transformer.h.0.attn.c_attn",
                                 "transformer.h.0.attn.c_proj", "transformer.h.0.ln_2", "transformer.h.0.mlp.c_fc",
                                 "transformer.h.0.mlp.c_proj", "transformer.ln_f", "lm_head"};
    const QString layer = "bert.encoder.layer.0.";
    QTest::newRow("bert")
        << testing::Variety{.isBert = true, .isTied = false}
        << QStringList{"bert.embeddings.word_embeddings.weight", "bert.embeddings.position_embeddings.weight",
               "bert.embeddings.token_type_embeddings.weight", "bert.embeddings.LayerNorm.weight",
               "bert.embeddings.LayerNorm.bias", layer + "attention.self.{query,key,value}.weight",
               layer + "attention.self.{query,key,value}.bias", layer + "attention.output.dense.weight",
               layer + "attention.output.dense.bias", layer + "attention.output.LayerNorm.weight",
               layer + "attention.output.LayerNorm.bias", layer + "intermediate.dense.weight",
               layer + "intermediate.dense.bias", layer + "output.dense.weight", layer + "output.dense.bias",
               layer + "output.LayerNorm.weight", layer + "output.LayerNorm.bias",
               "cls.predictions.transform.dense.weight", "cls.predictions.transform.dense.bias",
               "cls.predictions.transform.LayerNorm.weight", "cls.predictions.transform.LayerNorm.bias",
               "cls.predictions.decoder.weight", "cls.predictions.decoder.bias"}
        << QStringList{"bert.embeddings.word_embeddings", "bert.embeddings.LayerNorm", layer + "attention.self.query",
               layer + "attention.self.key", layer + "attention.self.value", layer + "attention.output.dense",
               layer + "attention.output.LayerNorm", layer + "intermediate.dense", layer + "output.dense",
               layer + "output.LayerNorm", "cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm",
               "cls.predictions.decoder"};
    const QString llama = "model.layers.0.";
    for (const bool hasBias : {false, true}) {
        QStringList weights{"model.embed_tokens.weight", llama + "input_layernorm.weight",
            llama + "self_attn.{q_proj,k_proj,v_proj}.weight", llama + "self_attn.o_proj.weight",
            llama + "post_attention_layernorm.weight", llama + "mlp.gate_proj.weight", llama + "mlp.up_proj.weight",
            llama + "mlp.down_proj.weight", "model.norm.weight", "lm_head.weight"};
        if (hasBias)
            weights.insert(3, llama + "self_attn.{q_proj,k_proj,v_proj}.bias");
        QTest::newRow(hasBias ? "qwen2" : "llama")
            << testing::Variety{.isTied = false, .isLlama = true, .hasQkvBias = hasBias} << weights
            << QStringList{"model.embed_tokens", llama + "input_layernorm", llama + "self_attn.q_proj",
                   llama + "self_attn.k_proj", llama + "self_attn.v_proj", llama + "self_attn.o_proj",
                   llama + "post_attention_layernorm", llama + "mlp.gate_proj", llama + "mlp.up_proj",
                   llama + "mlp.down_proj", "model.norm", "lm_head"};
    }
}

void TapeTest::weightsAndOpsAreNamedAsInTransformers()
{
    QFETCH(testing::Variety, variety);
    QFETCH(QStringList, weights);
    QFETCH(QStringList, modules);
    const StepTape tape
        = buildStepTape(testing::smallShape(variety, 1, 2, 4, 16, 20, 8), testing::setupOf(variety, 1, 4), {});
    QStringList names, paths;
    for (const Parameter& parameter : tape.parameters)
        names << QString::fromStdString(parameter.name);
    for (int s = 0; s < 3; ++s)
        for (const Op& op : tape.tapeOf(s).ops)
            for (const std::string& module : op.modules)
                paths << QString::fromStdString(tape.stages[static_cast<std::size_t>(s)].pathOf(module));
    QCOMPARE(names, weights);
    QCOMPARE(paths, modules);
}

/// Sets of ops are bits of one word.
void TapeTest::everyStageHasRoomForItsOps()
{
    std::mt19937 random(3);
    for (int i = 0; i < 60; ++i) {
        const testing::Variety variety = testing::randomVariety(random);
        const StepTape tape
            = buildStepTape(testing::randomShape(variety, random), testing::randomSetup(variety, random), {});
        for (const StageTape& kind : tape.kinds)
            QVERIFY(kind.ops.size() <= static_cast<std::size_t>(kMaxOpsOfStage));
    }
}

QTEST_APPLESS_MAIN(TapeTest)
#include "tape_test.moc"
