// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include <cmath>

#include "core/torch/torch_step.h"

using namespace remat;
using namespace remat::torch;

namespace {

constexpr std::int64_t kLayers = 6;

struct Model {
    ModelShape shape;
    TorchSetup setup;
};

/// LLaMA-3.2-1B's layers, bf16, B4 S1024, flash attention, no dropout.  Vocabulary 1024, so that layers bind.
Model llama()
{
    Model m;
    m.shape.modelType = "llama";
    m.shape.layers = kLayers;
    m.shape.hidden = 2048;
    m.shape.heads = 32;
    m.shape.keyValueHeads = 8;
    m.shape.ffn = 8192;
    m.shape.vocabulary = 1024;
    m.shape.maxPositions = 2048;
    m.shape.norm = NormKind::RmsNorm;
    m.shape.positions = PositionKind::Rotary;
    m.shape.ffnKind = FfnKind::Gated;
    m.shape.activation = Activation::Silu;
    m.shape.hasQkvBias = m.shape.hasAttentionOutBias = m.shape.hasFfnBias = false;
    m.setup.batch = 4;
    m.setup.sequence = 1024;
    return m;
}

/// BERT-base's layers, fp16, B16 S512, dropout 0.1.
Model bert(TorchAttention attention)
{
    Model m;
    m.shape.modelType = "bert";
    m.shape.layers = kLayers;
    m.shape.hidden = 768;
    m.shape.heads = 12;
    m.shape.ffn = 3072;
    m.shape.vocabulary = 1024;
    m.shape.maxPositions = 512;
    m.shape.tokenTypes = 2;
    m.shape.normPlace = NormPlace::Post;
    m.shape.hasEmbeddingNorm = true;
    m.shape.hasFinalNorm = false;
    m.shape.isCausal = false;
    m.shape.head = HeadKind::MaskedLm;
    m.shape.hasHeadBias = true;
    m.setup.batch = 16;
    m.setup.sequence = 512;
    m.setup.half = DType::Float16;
    m.setup.attention = attention;
    m.setup.embeddingDropout = m.setup.attentionDropout = m.setup.residualDropout = 0.1;
    return m;
}

/// GPT-2's layers, fp16, B8 S1024, dropout 0.1.
Model gpt2()
{
    Model m;
    m.shape.modelType = "gpt2";
    m.shape.layers = kLayers;
    m.shape.hidden = 768;
    m.shape.heads = 12;
    m.shape.ffn = 3072;
    m.shape.vocabulary = 1024;
    m.shape.maxPositions = 1024;
    m.shape.hasFusedQkv = true;
    m.shape.hasInOutWeights = true;
    m.shape.activation = Activation::GeluTanh;
    m.shape.activationForm = ActivationForm::GeluNew;
    m.setup.batch = 8;
    m.setup.sequence = 1024;
    m.setup.half = DType::Float16;
    m.setup.embeddingDropout = m.setup.attentionDropout = m.setup.residualDropout = 0.1;
    return m;
}

using Regions = LayerRegions (*)(int layer);

LayerRegions none(int)
{
    return {};
}
LayerRegions block(int)
{
    return {.isBlock = true};
}
LayerRegions parts(int)
{
    return {.isAttention = true, .isFfn = true};
}
LayerRegions partsWithNorms(int)
{
    return {.isAttention = true, .isFfn = true, .hasAttentionNorm = true, .hasFfnNorm = true};
}
LayerRegions partsWithNormsAndTails(int)
{
    LayerRegions r = partsWithNorms(0);
    r.hasAttentionTail = r.hasFfnTail = true;
    return r;
}
LayerRegions core(int)
{
    return {.isAttentionCore = true};
}
LayerRegions blockSavingOutput(int)
{
    return {.isBlock = true, .saved = {"self_attn.o_proj"}, .savesSdpa = true};
}
LayerRegions blockSavingAll(int)
{
    return {.isBlock = true,
        .saved = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj",
            "mlp.up_proj"},
        .savesSdpa = true};
}
LayerRegions partsSavingAll(int)
{
    LayerRegions r = partsWithNorms(0);
    r.saved = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "mlp.gate_proj", "mlp.up_proj"};
    r.savesSdpa = true;
    return r;
}
LayerRegions bertSavingAll(int)
{
    return {.isBlock = true,
        .saved = {"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
            "intermediate.dense", "output.dense"},
        .savesSdpa = true};
}
LayerRegions pairs(int layer)
{
    return {.span = layer % 2 == 0 ? 2 : 0};
}
LayerRegions foursWithBlocks(int layer)
{
    return {.isBlock = true, .span = layer % 4 == 0 ? 4 : 0};
}

TorchStep run(Model m, Regions regions)
{
    for (int i = 0; i < kLayers; ++i)
        m.setup.layers.push_back(regions(i));
    return simulateTorchStep(m.shape, m.setup);
}

double tenths(double bytes)
{
    return std::round(bytes / 1e5) / 10;
}

} // namespace

/// What torch.utils.checkpoint frees, and what it costs: figures measured on real PyTorch and Hugging Face code
/// (torch 2.15, transformers 5.24, fake CUDA device), printed to a tenth of an MB.  Each row: kept per layer in MB (0:
/// not stated), the share of a layer's forward FLOPs that is computed again in percent, and the peak in MB above what
/// stands before the step.
class TorchRegionsTest : public QObject {
    Q_OBJECT

private slots:
    void figuresAgree_data();
    void figuresAgree();
};

void TorchRegionsTest::figuresAgree_data()
{
    QTest::addColumn<int>("model");
    QTest::addColumn<void*>("regions");
    QTest::addColumn<double>("kept");
    QTest::addColumn<double>("share");
    QTest::addColumn<double>("peak");
    const auto row = [](const char* name, int model, Regions regions, double kept, double share, double peak) {
        QTest::newRow(name) << model << reinterpret_cast<void*>(regions) << kept << share << peak;
    };
    row("llama keep", 0, none, 445.2, 0, 2876.7);
    row("llama block", 0, block, 16.8, 74, 1259.2);
    row("llama both without norms", 0, parts, 134.3, 68, 1263.0);
    row("llama both with norms", 0, partsWithNorms, 33.6, 68, 1166.4);
    row("llama block saving o and sdpa", 0, blockSavingOutput, 50.9, 61, 1259.2);
    row("llama block saving all but the last", 0, blockSavingAll, 210.2, 0, 1702.2);
    row("llama both with norms, the same kept set", 0, partsSavingAll, 210.2, 0, 1651.8);
    row("llama two blocks", 0, pairs, 8.4, 87, 1582.7);
    // Six layers are a span of four and one of two: their outer regions run three blocks and one again (all before the
    // last one's input), and each of the six its own 74.2 %: (3 + 1 + 6 x 0.742) / 6.  Spans of four alone: the 149 %
    // published with the figures.
    row("llama four blocks with layers nested", 0, foursWithBlocks, 0, 140.9, 1259.2);
    row("bert keep", 1, none, 214.4, 0, 1406.3);
    row("bert block", 1, block, 12.6, 100, 368.3);
    row("bert all Linears and sdpa", 1, bertSavingAll, 138.8, 0, 991.5);
    row("bert eager keep", 2, none, 465.7, 0, 2913.9);
    row("bert eager core", 2, core, 214.0, 5, 1580.7);
    row("bert eager all Linears", 2, bertSavingAll, 125.8, 10, 1177.8);
    row("gpt2 block", 3, block, 12.6, 100, 555.9);
    row("gpt2 two regions with norms", 3, partsWithNorms, 25.2, 100, 541.1);
    row("gpt2 norms and tails", 3, partsWithNormsAndTails, 37.8, 66, 610.4);
}

void TorchRegionsTest::figuresAgree()
{
    QFETCH(int, model);
    QFETCH(void*, regions);
    QFETCH(double, kept);
    QFETCH(double, share);
    QFETCH(double, peak);
    const Model m = model == 0 ? llama()
        : model == 1           ? bert(TorchAttention::Sdpa)
        : model == 2           ? bert(TorchAttention::Eager)
                               : gpt2();
    const TorchStep step = run(m, reinterpret_cast<Regions>(regions));
    const double above = tenths(static_cast<double>((step.peak.bytes - step.base).value));
    QVERIFY2(std::abs(above - peak) < 0.15, qPrintable(QString::number(above)));
    if (kept > 0) {
        // What six layers keep more than six blocks in regions, of which each keeps its input alone.
        const double input = tenths(static_cast<double>(m.setup.batch * m.setup.sequence * m.shape.hidden * 2));
        const TorchStep least = run(m, block);
        const double more = static_cast<double>((step.saved - least.saved).value) / kLayers;
        QVERIFY2(std::abs(tenths(more) + input - kept) < 0.15, qPrintable(QString::number(tenths(more) + input)));
    }
    const double rows = static_cast<double>(m.setup.batch * m.setup.sequence);
    const double width = static_cast<double>(m.shape.hidden);
    double head = 2 * rows * width * static_cast<double>(m.shape.vocabulary);
    if (m.shape.head == HeadKind::MaskedLm)
        head += 2 * rows * width * width;
    const double layers = static_cast<double>(step.forward.value) - head;
    QVERIFY2(std::abs(100 * static_cast<double>(step.recompute.value) / layers - share) < 0.7,
        qPrintable(QString::number(100 * static_cast<double>(step.recompute.value) / layers)));
}

QTEST_APPLESS_MAIN(TorchRegionsTest)
#include "torch_regions_test.moc"
