// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include <nlohmann/json.hpp>

#include <set>

#include "core/base/files.h"
#include "core/cost/devices.h"
#include "core/model/config_import.h"
#include "core/model/presets.h"
#include "core/regions/rank_view.h"
#include "core/torch/torch_step.h"

using namespace remat;
using torch::TorchAttention;
using torch::TorchOptimizer;
using torch::TorchPrecision;

namespace {

RegionRequest requestOf(const char* preset, std::int64_t batch, std::int64_t sequence)
{
    RegionRequest request;
    request.shape = *findPreset(preset, "");
    request.setup.batch = batch;
    request.setup.sequence = sequence;
    request.device = *devices("").find("a100-80");
    return request;
}

Parallelism tensorRanks(std::int64_t tensor, bool isSequenceParallel)
{
    Parallelism parallelism;
    parallelism.tensor = tensor;
    parallelism.isSequenceParallel = isSequenceParallel;
    return parallelism;
}

} // namespace

/// One rank of many against the simulation of one GPU (judged by records in core/torch) and the papers' closed forms.
class RankViewTest : public QObject {
    Q_OBJECT

private slots:
    void oneGpuIsTheSimulation_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<int>("precision");
        QTest::addColumn<int>("microBatches");
        for (const char* preset : {"tiny-gpt2", "bert-base", "llama-3.2-1b"})
            for (int precision = 0; precision < 3; ++precision)
                for (int microBatches : {1, 2})
                    QTest::addRow("%s %d %d", preset, precision, microBatches) << preset << precision << microBatches;
    }
    void oneGpuIsTheSimulation()
    {
        QFETCH(QString, preset);
        QFETCH(int, precision);
        QFETCH(int, microBatches);
        RegionRequest request = requestOf(preset.toUtf8().constData(), 2, 128);
        request.setup.precision = static_cast<TorchPrecision>(precision);
        request.setup.microBatches = microBatches;
        for (const TorchOptimizer optimizer : {TorchOptimizer::None, TorchOptimizer::AdamW}) {
            request.setup.optimizer = optimizer;
            const torch::TorchStep step = torch::simulateTorchStep(request.shape, request.setup);
            const RankView view = rankView(request, {});
            QCOMPARE(view.ranks.size(), std::size_t{1});
            QCOMPARE(view.ranks[0].peak.value, step.peak.bytes.value);
            QCOMPARE(view.ranks[0].saved.value, step.saved.value);
            QCOMPARE(view.ranks[0].parameters, step.parameters);
            QVERIFY(view.closedForms.empty());
        }
    }

    void aTensorParallelLayerSavesWhatTableTwoSays()
    {
        // Korthikanti et al. 2022, Table 2, for BERT in half precision with stored scores: sbh(10 + 24/t + 5as/(ht)),
        // and with sequence parallelism sbh(34/t + 5as/(ht)); PyTorch's norms save mean and rstd, too: 16 bytes a
        // token.
        RegionRequest request = requestOf("bert-base", 2, 512);
        request.setup.attention = TorchAttention::Eager;
        request.setup.embeddingDropout = request.setup.attentionDropout = request.setup.residualDropout = 0.1;
        const std::int64_t tokens = 2 * 512, sbh = tokens * 768, scores = 12 * 512 * tokens;
        for (const std::int64_t t : {1, 2, 4, 12}) {
            const torch::TorchSetup& setup = request.setup;
            const Bytes perLayer = torch::savedBytesPerLayer(shapeOfRank(request.shape, tensorRanks(t, false)), setup);
            QCOMPARE(perLayer.value, 10 * sbh + 24 * sbh / t + 5 * scores / t + 16 * tokens);
            if (t == 1)
                continue;
            const Bytes without = rankView(request, tensorRanks(t, false)).ranks[0].saved;
            const Bytes with = rankView(request, tensorRanks(t, true)).ranks[0].saved;
            const std::int64_t shared = (34 * sbh + 5 * scores + 16 * tokens + t - 1) / t;
            QCOMPARE((without - with).value, 12 * (perLayer.value - shared));
        }
    }

    void keyValueHeadsThatRanksCannotShareAreEveryRanks()
    {
        const ModelShape shape = *findPreset("llama-3-8b", ""); // 32 heads, 8 key/value heads of width 128
        const ModelShape eight = shapeOfRank(shape, tensorRanks(8, false));
        QCOMPARE(eight.heads, 4);
        QCOMPARE(eight.groups(), 1);
        QCOMPARE(eight.headWidth(), 128);
        QCOMPARE(shapeOfRank(shape, tensorRanks(16, false)).groups(), 1);
        QCOMPARE(shapeOfRank(shape, tensorRanks(16, false)).heads, 2);
        QVERIFY(validate(shape, tensorRanks(16, false)));
    }

    void zeroDividesStates()
    {
        RegionRequest request = requestOf("gpt2", 4, 512);
        request.setup.optimizer = TorchOptimizer::AdamW;
        const RankBytes whole = rankView(request, {}).ranks[0];
        Parallelism parallelism;
        parallelism.data = 4;
        QCOMPARE(rankView(request, parallelism).ranks[0].peak, whole.peak);
        std::vector<Bytes> peaks;
        for (int stage = 1; stage <= 3; ++stage) {
            parallelism.zeroStage = stage;
            const RankBytes rank = rankView(request, parallelism).ranks[0];
            QCOMPARE(rank.optimizer.value, (whole.optimizer.value + 3) / 4);
            QCOMPARE(rank.gradients.value, stage >= 2 ? (whole.gradients.value + 3) / 4 : whole.gradients.value);
            QCOMPARE(rank.weights.value, stage == 3 ? (whole.weights.value + 3) / 4 : whole.weights.value);
            QCOMPARE(rank.gathered.value > 0, stage >= 2);
            peaks.push_back(rank.peak);
        }
        // Forward and backward bind here: exactly the shared states are spared.
        QCOMPARE((whole.peak - peaks[0]).value, whole.optimizer.value - (whole.optimizer.value + 3) / 4);
    }

    void stagesHoldMicroBatchesInFlight()
    {
        RegionRequest request = requestOf("gpt2", 1, 512);
        request.setup.microBatches = 8;
        Parallelism parallelism;
        parallelism.pipeline = 4;
        const RankView view = rankView(request, parallelism);
        const Bytes perLayer = torch::savedBytesPerLayer(request.shape, request.setup);
        std::int64_t parameters = 0;
        for (std::int64_t stage = 0; stage < 4; ++stage) {
            const RankBytes& rank = view.ranks[static_cast<std::size_t>(stage)];
            QCOMPARE(rank.inFlight, 4 - stage);
            QCOMPARE(rank.layers, 3);
            QVERIFY(rank.saved >= rank.inFlight * 3 * perLayer);
            parameters += rank.parameters;
        }
        // A middle stage saves its layers alone.
        QCOMPARE(view.ranks[1].saved.value, 3 * 3 * perLayer.value);
        // GPT-2's tied table (50257 x 768) is at both ends of the pipeline (124,439,808 weights, Radford et al. 2019).
        QCOMPARE(parameters, 124'439'808 + 50'257 * 768);
        QCOMPARE(&view.fullest(), &view.ranks.front());
        QCOMPARE((view.step - view.optimizerTime).value, 11 * view.time.value);
    }

    void everyTypeOfModelIsCutIntoRanks()
    {
        // What a layer saves is one part that every rank has and one that t ranks share: from t = 1 to 2 twice as much
        // goes as from 2 to 4.  512 sequences, so that no tensor is rounded up.
        const auto configs = nlohmann::json::parse(*readFile(std::string(REMAT_TEST_DATA "/configs/generated.json")));
        std::set<std::string> types;
        for (const nlohmann::json& row : configs) {
            const auto imported = importConfig(row["config"].dump(), "config.json");
            QVERIFY(imported);
            RegionRequest request;
            request.shape = imported->shape;
            ModelShape& shape = request.shape;
            if (!torch::knowsTorchStep(shape))
                continue;
            // Heads of which each of four ranks has several: a single one needs no copy where several do.
            const std::int64_t groups = shape.groups(), headWidth = shape.headWidth();
            shape.heads *= 8;
            setGroups(shape, 8 * groups);
            setHeadWidth(shape, headWidth);
            shape.ffn *= 8;
            request.setup.batch = 512;
            request.setup.sequence
                = shape.fixedSequence() > 0 ? shape.fixedSequence() : std::min<std::int64_t>(shape.maxPositions, 16);
            request.device = *devices("").find("a100-80");
            if (!validateShape(shape))
                continue;
            std::int64_t saved[3] = {};
            for (int i = 0; i < 3; ++i) {
                const Parallelism parallelism = tensorRanks(std::int64_t{1} << i, i > 0);
                QVERIFY(validate(shape, parallelism));
                saved[i] = torch::savedBytesPerLayer(shapeOfRank(shape, parallelism), request.setup).value;
                QVERIFY(rankView(request, parallelism).fullest().peak.value > 0);
            }
            QVERIFY2(saved[0] - saved[1] == 2 * (saved[1] - saved[2]) && saved[1] > saved[2],
                qPrintable(QString("%1: %2 %3 %4")
                               .arg(QString::fromStdString(shape.modelType))
                               .arg(saved[0])
                               .arg(saved[1])
                               .arg(saved[2])));
            types.insert(shape.modelType);
        }
        QCOMPARE(types.size(), std::size_t{26});
    }

    void everyMicroBatchIsSavedOnceOverAllStages()
    {
        // What the stages save together is what one GPU saves.  The embedding keeps the first layer's input and numbers
        // of tokens and places; the final norm, which keeps another hidden state, is the last stage's, though its
        // module stands beside the tables.
        for (const char* preset : {"gpt2", "llama-3.2-1b", "opt-125m"}) {
            const RegionRequest request = requestOf(preset, 1, 512);
            Parallelism parallelism;
            parallelism.pipeline = 4;
            const RankView view = rankView(request, parallelism);
            Bytes together;
            for (const RankBytes& rank : view.ranks)
                together += {rank.saved.value / rank.inFlight};
            QCOMPARE(together, torch::simulateTorchStep(request.shape, request.setup).saved);
            const Bytes ofEmbedding = view.ranks[0].saved - view.ranks[1].saved;
            const std::int64_t hiddenState = 512 * request.shape.hidden * 2;
            QVERIFY2(ofEmbedding.value >= 0, preset);
            QVERIFY2(ofEmbedding.value < 2 * hiddenState, preset);
        }
    }

    void everySecondLayerIsCountedThroughTheWholeModel()
    {
        // 12 layers on 4 stages, 0, 2, 4, ... run again: stages hold two and one of these in turn.  Per layer, region
        // by region, the simulation of one GPU; with sequence parallelism a rank saves that over t (Table 2).
        RegionRequest request = requestOf("gpt2", 1, 512);
        const Bytes kept = torch::savedBytesPerLayer(request.shape, request.setup);
        torch::LayerRegions block;
        block.isBlock = true;
        for (int layer = 0; layer < 12; ++layer)
            request.setup.layers.push_back(layer % 2 == 0 ? block : torch::LayerRegions{});
        torch::TorchSetup full = request.setup;
        full.layers = {block};
        const Bytes again = torch::savedBytesPerLayer(request.shape, full);
        QVERIFY(again < kept);
        Parallelism parallelism;
        parallelism.pipeline = 4;
        const RankView view = rankView(request, parallelism);
        QCOMPARE((view.ranks[1].saved - view.ranks[2].saved).value, (kept - again).value);
        QCOMPARE(view.ranks[1].saved.value, 2 * kept.value + again.value);
        parallelism = tensorRanks(4, true);
        parallelism.pipeline = 4;
        const RankView shared = rankView(request, parallelism);
        QCOMPARE(shared.ranks[1].saved.value, 2 * ((kept.value + 3) / 4) + (again.value + 3) / 4);
        QCOMPARE(shared.ranks[2].saved.value, (kept.value + 3) / 4 + 2 * ((again.value + 3) / 4));
    }

    void windowsGoOnFromStageToStage()
    {
        // Gemma 3 has a window in five layers of six: of 12 layers on 4 stages of three, stages 0 and 2 have windows
        // alone, 1 and 3 a layer that sees all.  Per layer, kind by kind, the simulation of one GPU.
        const auto imported = importConfig(R"({"model_type": "gemma3_text", "hidden_size": 64, "num_hidden_layers": 12,
            "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "intermediate_size": 128,
            "vocab_size": 128, "sliding_window": 32, "max_position_embeddings": 512})",
            "config.json");
        QVERIFY(imported);
        RegionRequest request = requestOf("gpt2", 2, 128);
        request.shape = imported->shape;
        QCOMPARE(request.shape.windowPattern, std::string("sssssf"));
        ModelShape windows = request.shape, whole = request.shape;
        windows.windowPattern.clear();
        whole.windowPattern.clear();
        whole.slidingWindow = 0;
        const std::int64_t windowed = torch::savedBytesPerLayer(windows, request.setup).value;
        const std::int64_t seeing = torch::savedBytesPerLayer(whole, request.setup).value;
        QVERIFY(windowed > seeing); // a mask for each layer
        Parallelism parallelism;
        parallelism.pipeline = 4;
        const RankView view = rankView(request, parallelism);
        QCOMPARE(view.ranks[1].saved.value, view.ranks[1].inFlight * (2 * windowed + seeing));
        QCOMPARE(view.ranks[2].saved.value, view.ranks[2].inFlight * 3 * windowed);
    }
};

QTEST_APPLESS_MAIN(RankViewTest)
#include "rank_view_test.moc"
