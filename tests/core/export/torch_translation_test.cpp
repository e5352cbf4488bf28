// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/torch_translation.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include "core/base/index.h"
#include "core/chain/keep_set.h"
#include "core/export/layer_regions.h"
#include "core/plan/study.h"
#include "tests/support/small_models.h"

using namespace remat;
using namespace remat::testing;

/// Plans of the runtime profile as regions and exact keep-sets: expected values are written out by hand.
class TorchTranslationTest : public QObject {
    Q_OBJECT

    static StepTape tapeOf(const Variety& v, std::int64_t layers = 4)
    {
        const TrainingSetup setup = setupOf(v, 2, 12);
        const ModelShape shape = smallShape(v, layers, 4, 8, 96, 61, 64);
        return buildStepTape(shape, withDefaults(shape, setup), machineTraits(roundCpu()));
    }

    static Plan planOf(const StepTape& tape, const Strategy& strategy)
    {
        const std::vector<KeepRule> none(tape.stages.size());
        Plan plan = fixedPlan(tape, roundCpu(), strategy, none, std::nullopt).value();
        plan.strategy = strategy;
        return plan;
    }

    /// "block", "attention+norm", "ffn saves mlp.c_fc", "blocks 2 (block)", ... of one layer.
    static std::string text(const TorchRegion& region)
    {
        const char* kinds[] = {"block", "attention", "ffn", "core", "blocks"};
        std::string result = kinds[static_cast<int>(region.kind)];
        if (region.kind == TorchRegion::Kind::Blocks)
            result += " " + std::to_string(region.paths.size());
        result += region.norm.empty() ? "" : "+norm";
        result += region.tail.empty() ? "" : "+tail";
        result += region.stopsEarly ? "" : " to its end";
        for (const std::string& name : region.save)
            result += (name == region.save.front() ? " saves " : ",") + name;
        for (const TorchRegion& part : region.inside)
            result += (&part == &region.inside.front() ? " (" : ", ") + text(part);
        return result + (region.inside.empty() ? "" : ")");
    }

    static QString text(const TorchLayer& layer)
    {
        std::string result;
        for (const TorchRegion& region : layer.regions)
            result += (result.empty() ? "" : "; ") + text(region);
        return QString::fromStdString(result);
    }

    static KeepSet setOf(const StageTape& tape, const QString& name)
    {
        KeepSet set = 0;
        return parseKeepSet(tape, name.toStdString(), set) ? set & keepAll(tape) : ~KeepSet{0};
    }

    static QString textOf(const StepTape& tape, const std::string& keep, KeepSet* kept = nullptr)
    {
        const KeepSet set = setOf(tape.tapeOf(1), QString::fromStdString(keep));
        const StepChain chain = buildFixedChain(tape, roundCpu(), std::vector<KeepSet>(tape.stages.size(), 0));
        const TorchPaths paths = torchPathsOf(tape.shape);
        const LayerRegions nearest
            = nearestRegions(chain.factsOf(1), set, "L", paths, tape.shape.dropout.residual > 0, true);
        if (kept)
            *kept = nearest.keep;
        TorchLayer layer{.path = "L", .regions = nearest.regions};
        return text(layer);
    }

private slots:
    void keepSetsBecomeRegions_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("keep");
        QTest::addColumn<QString>("regions");
        const auto row = [](const char* family, const char* keep, const char* regions) {
            QTest::addRow("%s %s", family, keep) << family << keep << regions;
        };
        row("gpt2", "all", "");
        row("gpt2", "nothing", "block");
        row("gpt2", "all-ffn_up-gelu", "ffn");
        row("gpt2", "all-norm2-ffn_up-gelu", "ffn+norm");
        row("gpt2", "all-gelu", "ffn saves mlp.c_fc");
        row("gpt2", "all-norm1-qkv-attn_core", "attention+norm");
        row("gpt2", "qkv+attn_core", "block saves attn.c_attn,sdpa");
        row("gpt2", "residual1", "attention+norm; ffn+norm");
        row("gpt2", "qkv+residual1", "attention+norm saves attn.c_attn; ffn+norm");
        row("gpt2 stored", "all-probs", "core");
        row("bert", "all", "");
        row("bert", "nothing", "block");
        row("bert", "norm1", "attention; ffn");
        row("bert", "all-gelu-residual2-norm2", "ffn saves intermediate.dense");
        row("llama", "nothing", "block");
        row("llama", "all-swiglu", "ffn saves mlp.gate_proj,mlp.up_proj");
        row("llama", "rotary+attn_core", "block saves self_attn.q_proj,self_attn.k_proj,self_attn.v_proj,sdpa");
    }

    void keepSetsBecomeRegions()
    {
        QFETCH(const QString, family);
        QFETCH(const QString, keep);
        QFETCH(const QString, regions);
        const Variety v{.isBert = family == "bert",
            .attention = family.endsWith("stored") ? AttentionKind::Stored : AttentionKind::Blocked,
            .isLlama = family == "llama"};
        QCOMPARE(textOf(tapeOf(v), keep.toStdString()), regions);
    }

    /// Whatever the set: nothing is kept that the plan drops, and what is kept reads from the regions' own meaning.
    void regionsNeverKeepMore()
    {
        std::mt19937 random(5);
        for (int i = 0; i < 200; ++i) {
            const StepTape tape = tapeOf(randomVariety(random), 1);
            const KeepSet keep = randomKeepSet(tape.tapeOf(1), random);
            KeepSet kept = 0;
            (void)textOf(tape, keepSetName(tape.tapeOf(1), keep), &kept);
            QCOMPARE(kept & ~keep, KeepSet{0});
        }
    }

    void dropoutThatEndsAModuleStaysOutside()
    {
        QCOMPARE(textOf(tapeOf({.hasDropout = true}), "residual1"), "attention+norm+tail; ffn+norm+tail");
    }

    void strategiesBecomeRegions_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("k");
        QTest::addColumn<QStringList>("layers");
        using Kind = Strategy::Kind;
        const auto row = [](const char* name, Kind kind, int k, const QStringList& layers) {
            QTest::newRow(name) << int(kind) << k << layers;
        };
        row("none", Kind::None, 1, {"", "", "", ""});
        row("full", Kind::Full, 1, {"block", "block", "block", "block"});
        row("every-2", Kind::EveryK, 2, {"block", "", "block", ""});
        row("full-no-early-stop", Kind::FullNoEarlyStop, 1,
            {"block to its end", "block to its end", "block to its end", "block to its end"});
        row("megatron-block-3", Kind::MegatronBlock, 3, {"block", "block", "block", ""});
        row("megatron-uniform-2", Kind::MegatronUniform, 2, {"blocks 2 to its end", "", "blocks 2 to its end", ""});
        row("chen-sqrt", Kind::ChenSqrt, 1, {"blocks 2 to its end", "", "blocks 2 to its end", ""});
        row("ffn-only", Kind::FfnOnly, 1, {"ffn", "ffn", "ffn", "ffn"});
    }

    void strategiesBecomeRegions()
    {
        QFETCH(const int, kind);
        QFETCH(const int, k);
        QFETCH(const QStringList, layers);
        const StepTape tape = tapeOf({});
        const Plan plan = planOf(tape, {static_cast<Strategy::Kind>(kind), k});
        const TorchTranslation translation = translateToTorch(plan, TorchRealization::Kind::Regions).value();
        QStringList got;
        for (const TorchLayer& layer : translation.realization.layers)
            got.append(text(layer));
        QCOMPARE(got, layers);
        QCOMPARE(translation.realization.modelClass, std::string("GPT2LMHeadModel"));
        // These rules are regions already: the same schedule, hence the same figures.
        QCOMPARE(translation.replayed.peak, plan.prediction.peak);
        QCOMPARE(translation.replayed.time, plan.prediction.time);
        QVERIFY(translation.heading.back() == "Every layer keeps here what the plan keeps.");
    }

    void whatIsLostIsSaid()
    {
        const StepTape tape = tapeOf({});
        std::vector<KeepSet> keep;
        for (std::size_t s = 0; s < tape.stages.size(); ++s)
            keep.push_back(keepAll(tape.tapeOf(static_cast<int>(s))));
        // A norm's output that stays although what comes before and behind it goes: no region does that.
        keep[2] = setOf(tape.tapeOf(2), "norm1");
        const Plan plan = derivePlan(tape, roundCpu(), keep);
        const TorchTranslation translation = translateToTorch(plan, TorchRealization::Kind::Regions).value();
        QCOMPARE(text(translation.realization.layers[1]), "block");
        const auto says = [&](const std::string& words) {
            return std::any_of(translation.heading.begin(), translation.heading.end(),
                [&](const std::string& line) { return line.find(words) != std::string::npos; });
        };
        QVERIFY(says("Layer 1 recompute"));
        QVERIFY(says("norm1."));
        QVERIFY(translation.replayed.time > plan.prediction.time);
        QVERIFY(translation.replayed.saved < plan.prediction.saved);
    }

    void exactKeepSetsNameOpsOfPyTorch()
    {
        const auto keptOf = [](const Variety& v) {
            const Plan plan = planOf(tapeOf(v, 1), {Strategy::Kind::None});
            const TorchTranslation translation = translateToTorch(plan, TorchRealization::Kind::Exact).value();
            QStringList names;
            for (const std::string& name : translation.realization.layers.front().keep)
                names.append(QString::fromStdString(name));
            return names;
        };
        // tests/torch/export_test.py applies them to the real models.
        QCOMPARE(keptOf({}),
            QStringList({"ln_1/native_layer_norm", "attn.c_attn/*mm", "sdpa", "/add#0", "ln_2/native_layer_norm",
                "mlp.c_fc/*mm", "mlp.act/*"}));
        QVERIFY(keptOf({.attention = AttentionKind::Stored}).contains("attn/_softmax"));
        QVERIFY(keptOf({.isBert = true}).contains("intermediate.intermediate_act_fn/*lu"));
        QVERIFY(keptOf({.isLlama = true}).contains("input_layernorm/mul#1"));
    }

    void refusalsSayWhy()
    {
        const Plan ordered = planOf(tapeOf({}), {Strategy::Kind::MegatronUniform, 2});
        QCOMPARE(translateToTorch(ordered, TorchRealization::Kind::Exact).error().code->name,
            std::string_view("export-not-exact"));
        // Layer 0 goes forward again where the gradient is still at the head.
        Plan odd = ordered;
        const auto firstBackward = std::find_if(odd.schedule.begin(), odd.schedule.end(),
            [](const ScheduleOp& op) { return op.kind == ScheduleOp::Kind::Backward; });
        odd.schedule.insert(firstBackward, {.kind = ScheduleOp::Kind::Forward, .stage = 1});
        QCOMPARE(translateToTorch(odd, TorchRealization::Kind::Regions).error().code->name,
            std::string_view("export-not-as-regions"));
    }
};

QTEST_APPLESS_MAIN(TorchTranslationTest)
#include "torch_translation_test.moc"
