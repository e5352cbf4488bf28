// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/cost/devices.h"
#include "core/model/presets.h"
#include "core/regions/region_batch.h"
#include "core/regions/region_plan_file.h"
#include "core/regions/region_strategies.h"
#include "core/regions/region_study.h"
#include "core/regions/region_table.h"
#include "tests/support/counts.h"

using namespace remat;
using namespace remat::literals;

namespace {

/// Six layers and a vocabulary of 1024, so that layers set the peak: the shapes of the regions' reference figures.
RegionRequest requestOf(const char* preset, std::int64_t layers, std::int64_t batch, std::int64_t sequence)
{
    RegionRequest request;
    request.shape = *findPreset(preset);
    request.shape.layers = layers;
    request.shape.vocabulary = 1024;
    request.setup.batch = batch;
    request.setup.sequence = sequence;
    request.setup.embeddingDropout = request.shape.dropout.embedding;
    request.setup.attentionDropout = request.shape.dropout.attention;
    request.setup.residualDropout = request.shape.dropout.residual;
    request.device = *devices().find("a100-80");
    return request;
}

struct Best {
    std::vector<torch::LayerRegions> layers;
    Bytes peak;
    Nanoseconds time;
};

/// Every selection of options for every layer, simulated.
std::vector<Best> exhaustive(const RegionRequest& request, const std::vector<RegionOption>& options)
{
    std::vector<Best> found;
    const auto layers = static_cast<std::size_t>(request.shape.layers);
    std::vector<std::size_t> choice(layers, 0);
    for (bool isDone = false; !isDone;) {
        RegionRequest asked = request;
        for (const std::size_t option : choice)
            asked.setup.layers.push_back(options[option].regions);
        const RegionPrediction p = predict(asked, {});
        found.push_back({asked.setup.layers, p.peak, p.time});
        std::size_t layer = 0;
        while (layer < layers && ++choice[layer] == options.size())
            choice[layer++] = 0;
        isDone = layer == layers;
    }
    return found;
}

} // namespace

/// Plans of regions: within their budget by simulation, against every selection of options.
class RegionStudyTest : public QObject {
    Q_OBJECT

private slots:
    /// What stands in the table is what the simulations say in sum: a tensor or an op in two cells, or in none, would
    /// show here.
    void aTableAddsUpToTheStep_data()
    {
        QTest::addColumn<QString>("preset");
        for (const char* preset : {"gpt2", "bert-base", "llama-3.2-1b"})
            QTest::newRow(preset) << preset;
    }
    void aTableAddsUpToTheStep()
    {
        QFETCH(QString, preset);
        const RegionRequest request = requestOf(preset.toUtf8().constData(), 6, 4, 512);
        const RegionStudy study = *RegionStudy::solve(request);
        const RegionPlan plan = *study.cheapestWithin(study.leastPeak());
        const torch::TorchStep planned = torch::simulateTorchStep(plan.request.shape, plan.request.setup);
        const torch::TorchStep keepAll = torch::simulateTorchStep(request.shape, request.setup);
        const RegionTable table = makeRegionTable(plan, keepAll, planned);
        ModuleCell sum;
        const auto add = [&](const ModuleCell& cell) {
            sum.kept += cell.kept;
            sum.flops += cell.flops;
            sum.recomputed += cell.recomputed;
            sum.all += cell.all;
        };
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            for (std::size_t layer = 0; layer < table.layers && table.rows[row].parent < 0; ++layer)
                add(table.cell(row, layer));
        add(table.embedding);
        add(table.head);
        QCOMPARE(sum.kept, plan.prediction.saved);
        QCOMPARE(sum.all, keepAll.saved);
        QCOMPARE(sum.flops, keepAll.forward + keepAll.backward);
        QCOMPARE(sum.recomputed, plan.prediction.recompute);
        QVERIFY(sum.recomputed.value > 0);
        Bytes greatest;
        for (const StepInstant& instant : instantsOf(planned, plan.request))
            greatest = std::max(greatest, instant.allocated);
        QCOMPARE(greatest, plan.prediction.peak);
    }

    /// A layer in a region of its own keeps nothing but what goes into the next one, B S C numbers of two bytes
    /// (reference notes on regions, section 2), and the last one nothing: the final norm of LLaMA keeps a copy in fp32.
    /// Without regions it keeps what the records judge: savedBytesPerLayer().
    void layersKeepTheirInputInRegionsAndEverythingWithout()
    {
        const RegionRequest request = requestOf("llama-3.2-1b", 6, 4, 512);
        const RegionStudy study = *RegionStudy::solve(request, {}, 1);
        const RegionPlan plan = *study.plan({Strategy::Kind::Full}, std::nullopt);
        const torch::TorchStep planned = torch::simulateTorchStep(plan.request.shape, plan.request.setup);
        const torch::TorchStep keepAll = torch::simulateTorchStep(request.shape, request.setup);
        const RegionTable table = makeRegionTable(plan, keepAll, planned);
        const Bytes stream{4 * 512 * 2048 * 2};
        const Bytes everything = torch::savedBytesPerLayer(request.shape, request.setup);
        for (std::size_t layer = 0; layer < 6; ++layer) {
            ModuleCell sum;
            for (std::size_t row = 0; row < table.rows.size(); ++row)
                if (table.rows[row].parent < 0) {
                    sum.kept += table.cell(row, layer).kept;
                    sum.all += table.cell(row, layer).all;
                }
            QCOMPARE(sum.kept, layer < 5 ? stream : Bytes{});
            QCOMPARE(sum.all, everything);
            Bytes listed;
            for (const LayerTensor& tensor : layerTensors(plan, keepAll, planned, layer)) {
                listed += tensor.bytes;
                QVERIFY(!tensor.isKept);
            }
            QCOMPARE(listed, everything);
        }
        // The modules are those of modeling_llama.py, in the order of its forward.
        std::vector<std::string> children;
        std::vector<LayerPart> parts;
        for (const ModuleRow& row : table.rows)
            if (row.parent < 0) {
                children.push_back(row.module);
                parts.push_back(row.part);
            }
        QCOMPARE(children,
            (std::vector<std::string>{"input_layernorm", "self_attn", "", "post_attention_layernorm", "mlp"}));
        QCOMPARE(parts,
            (std::vector<LayerPart>{
                LayerPart::Norm, LayerPart::Attention, LayerPart::Other, LayerPart::Norm, LayerPart::Ffn}));
    }

    /// Attention without a mask has None among the arguments of its core's region.
    void reentrantRegionsAreStudied_data() { aTableAddsUpToTheStep_data(); }
    void reentrantRegionsAreStudied()
    {
        QFETCH(QString, preset);
        RegionRequest request = requestOf(preset.toUtf8().constData(), 3, 16, 512);
        request.setup.isReentrant = true;
        request.setup.stopsEarly = false;
        const RegionStudy study = *RegionStudy::solve(request, {}, 8);
        QVERIFY(study.leastPeak() < study.keepAll().prediction.peak);
        // A region that ends early runs no more again than a reentrant one.
        RegionRequest early = request;
        early.setup.isReentrant = false;
        early.setup.stopsEarly = true;
        const Strategy full{Strategy::Kind::Full};
        QVERIFY(study.plan(full, std::nullopt)->prediction.recompute
            >= RegionStudy::solve(early, {}, 1)->plan(full, std::nullopt)->prediction.recompute);
    }

    /// A study that was begun with few simulations and finished later is the one that was solved at once.
    void aRefinedStudyIsTheWholeOne()
    {
        const RegionRequest request = requestOf("gpt2", 6, 4, 512);
        const RegionStudy whole = *RegionStudy::solve(request), first = *RegionStudy::solve(request, {}, 8);
        QVERIFY(whole.isRefined() && !first.isRefined());
        const RegionStudy refined = *first.refined();
        QVERIFY(refined.isRefined());
        QCOMPARE(refined.frontier().size(), whole.frontier().size());
        for (std::size_t i = 0; i < whole.frontier().size(); ++i) {
            QCOMPARE(refined.points()[i].peak, whole.points()[i].peak);
            QCOMPARE(refined.frontier()[i].options, whole.frontier()[i].options);
        }
        // What came first was never over its budget, and never better than the whole.
        for (const RegionStudy::Point& point : whole.points()) {
            const Result<RegionPlan> quick = first.cheapestWithin(point.peak);
            QVERIFY(!quick || (quick->prediction.peak <= point.peak && quick->extraTime() >= 0));
        }
        std::stop_source stopped;
        stopped.request_stop();
        FlatLimits limits;
        limits.cancel = stopped.get_token();
        QVERIFY(!first.refined(limits));
    }

    /// Whenever it is told to, from another thread: what comes back is whole or says that it was stopped.
    void aStudyStopsInTheMiddleOfASimulation()
    {
        RegionRequest request = requestOf("gpt2", 200, 4, 512);
        int stopped = 0;
        for (int tried = 0; tried < 6; ++tried) {
            std::stop_source source;
            FlatLimits limits;
            limits.cancel = source.get_token();
            std::thread person([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(tried * 12));
                source.request_stop();
            });
            const Result<RegionStudy> study = RegionStudy::solve(request, limits);
            person.join();
            if (!study)
                QCOMPARE(study.error().code->name, std::string_view("solve-cancelled"));
            stopped += study ? 0 : 1;
        }
        QVERIFY(stopped > 0);
        const RegionStudy study = *RegionStudy::solve(requestOf("gpt2", 6, 4, 512), {}, 8);
        std::stop_source source;
        source.request_stop();
        const Strategy full{Strategy::Kind::Full};
        QCOMPARE(
            study.plan(full, std::nullopt, source.get_token()).error().code->name, std::string_view("solve-cancelled"));
    }

    /// What a rule makes of a step needs no study, and is what the study says.
    void aRuleNeedsNoStudy()
    {
        const RegionRequest request = requestOf("gpt2", 6, 4, 512);
        const RegionStudy study = *RegionStudy::solve(request, {}, 1);
        for (const Strategy& strategy : regionStrategies()) {
            if (strategy.isPlanner())
                continue;
            const Result<RegionPlan> own = planOfRule(request, strategy, 1_GiB), asked = study.plan(strategy, 1_GiB);
            QVERIFY(own && asked);
            QCOMPARE(regionPlanFileText(*own), regionPlanFileText(*asked));
        }
    }

    /// Against trying every smaller batch in turn.
    void theLargestSmallerBatchIsFound()
    {
        RegionRequest request = requestOf("gpt2", 2, 7, 128);
        const auto leastOf = [&](std::int64_t batch) {
            RegionRequest own = request;
            own.setup.batch = batch;
            return RegionStudy::solve(own, {}, 1)->leastPeak();
        };
        for (std::int64_t batch = 1; batch < 7; batch += testing::isBriefForm() ? 3 : 1) {
            const Bytes least = leastOf(batch);
            QCOMPARE(largestSmallerBatch(request, least), std::optional(batch));
            QCOMPARE(
                largestSmallerBatch(request, least - Bytes{1}), batch > 1 ? std::optional(batch - 1) : std::nullopt);
        }
    }

    /// The moves lead to plans of the frontier whose layers really differ in that many places.
    void movesLeadAlongTheFrontier()
    {
        const RegionStudy study = *RegionStudy::solve(requestOf("gpt2", 6, 4, 512));
        const std::vector<RegionPlan> frontier = study.frontier();
        QVERIFY(frontier.size() > 2);
        const RegionPlan middle = *study.cheapestWithin(frontier[frontier.size() / 2].prediction.peak);
        const RegionMoves moves = study.movesOf(middle);
        QVERIFY(moves.more && moves.less);
        QVERIFY(moves.more->peak > *middle.budget && moves.more->extraTime < middle.extraTime());
        QVERIFY(moves.less->peak < middle.prediction.peak && moves.less->extraTime > middle.extraTime());
        for (const RegionMove& move : {*moves.more, *moves.less})
            for (const RegionPlan& plan : frontier)
                if (plan.prediction.peak == move.peak) {
                    std::size_t differing = 0;
                    for (std::size_t layer = 0; layer < plan.options.size(); ++layer)
                        differing += plan.options[layer] != middle.options[layer];
                    QCOMPARE(move.layers, differing);
                    QCOMPARE(study.layersThatDiffer(middle, move.peak).size(), differing);
                    QVERIFY(differing > 0);
                }
        QVERIFY(!study.movesOf(frontier.back()).more);
        QVERIFY(!study.movesOf(frontier.front()).less);
    }

    void plansAreNeverOverAndNearTheBestOfAllSelections_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::newRow("gpt2") << "gpt2";
        if (testing::isBriefForm())
            return;
        QTest::newRow("bert") << "bert-base";
        QTest::newRow("llama") << "llama-3.2-1b";
    }
    void plansAreNeverOverAndNearTheBestOfAllSelections()
    {
        QFETCH(QString, preset);
        RegionRequest request = requestOf(preset.toUtf8().constData(), 2, 4, 512);
        request.setup.optimizer = torch::TorchOptimizer::None;
        request.setup.residualDropout = 0; // fewer ways: no dropout to leave outside of a region
        const std::vector<RegionOption> options = regionOptions(request.shape, request.setup);
        const std::vector<Best> all = exhaustive(request, options);
        const Result<RegionStudy> study = RegionStudy::solve(request);
        QVERIFY(study);
        Bytes least = all.front().peak, most{};
        for (const Best& one : all) {
            least = std::min(least, one.peak);
            most = std::max(most, one.peak);
        }
        double worst = 1;
        int refused = 0;
        std::optional<Nanoseconds> before;
        constexpr int kBudgets = 24;
        for (int i = 0; i <= kBudgets; ++i) {
            const Bytes budget{least.value + (most - least).value * i / kBudgets};
            Nanoseconds best{kMaxQuantity};
            for (const Best& one : all)
                if (one.peak <= budget)
                    best = std::min(best, one.time);
            const Result<RegionPlan> plan = study->cheapestWithin(budget);
            if (!plan) {
                QVERIFY(plan.error().exitCode() == ExitCode::DoesNotFit);
                ++refused;
                continue;
            }
            QVERIFY(plan->prediction.peak <= budget);
            QVERIFY(plan->prediction.time >= best);
            QVERIFY(!before || plan->prediction.time <= *before);
            before = plan->prediction.time;
            worst = std::max(worst, ratio(plan->prediction.time, best));
        }
        std::printf("%s: %zu selections, %zu options; worst time against the best %.4f, refused %d of %d\n",
            preset.toUtf8().constData(), all.size(), options.size(), worst, refused, kBudgets + 1);
        QVERIFY(worst <= 1.001);
        QCOMPARE(refused, 0);
    }

    void keepingEverythingIsFoundWithinItsPeak()
    {
        const Result<RegionStudy> study = RegionStudy::solve(requestOf("gpt2", 12, 2, 256));
        QVERIFY(study);
        const Result<RegionPlan> plan = study->cheapestWithin(study->keepAll().prediction.peak);
        QVERIFY(plan);
        QCOMPARE(plan->prediction.overhead.value, 0);
        const Result<RegionPlan> lean = study->cheapestWithin(study->leastPeak() - Bytes{1});
        QVERIFY(!lean);
        QCOMPARE(lean.error().exitCode(), ExitCode::DoesNotFit);
    }

    void fixedStrategiesRecomputeWhatTheySay()
    {
        const Result<RegionStudy> study = RegionStudy::solve(requestOf("bert-base", 6, 16, 512));
        QVERIFY(study);
        for (const ComparedRegions& row : study->compare(study->keepAll().prediction.peak)) {
            QVERIFY(row.plan.has_value());
            const RegionPrediction& p = row.plan->prediction;
            const bool recomputes
                = row.strategy.kind != Strategy::Kind::None && row.strategy.kind != Strategy::Kind::Optimal;
            QCOMPARE(p.recompute.value > 0, recomputes);
            QCOMPARE(p.overhead.value > 0, recomputes);
            if (recomputes)
                QVERIFY(p.saved < study->keepAll().prediction.saved);
        }
        // BERT's block ends with a norm, whose statistics are packed behind all of its products: nothing is spared, and
        // full recomputation runs all of the layers' products again (regions' reference, section 3: 100 %).
        const RegionPlan full = *study->plan({Strategy::Kind::Full}, std::nullopt);
        const RegionPlan late = *study->plan({Strategy::Kind::FullNoEarlyStop}, std::nullopt);
        QCOMPARE(full.prediction.recompute.value, late.prediction.recompute.value);
    }

    /// Below full recomputation layers run together: fewer boundaries are kept, and every plan is within its budget.
    void regionsOfSeveralLayersReachLower()
    {
        RegionRequest request = requestOf("gpt2", 12, 64, 512);
        request.setup.optimizer = torch::TorchOptimizer::None;
        const Result<RegionStudy> study = RegionStudy::solve(request);
        QVERIFY(study);
        const RegionPlan full = *study->plan({Strategy::Kind::Full}, std::nullopt);
        QVERIFY(study->leastPeak() < full.prediction.peak);
        const RegionPlan least = *study->cheapestWithin(study->leastPeak());
        QVERIFY(least.prediction.peak <= study->leastPeak());
        QVERIFY(least.prediction.saved < full.prediction.saved);
        QVERIFY(std::any_of(least.request.setup.layers.begin(), least.request.setup.layers.end(),
            [](const torch::LayerRegions& layer) { return layer.span > 1; }));
        const std::string text = regionPlanFileText(least);
        const Result<RegionPlan> again = parseRegionPlan(text, "plan.json");
        QVERIFY2(again, again ? "" : englishSentence(again.error()).c_str());
        QVERIFY(regionPlanFileText(*again) == text);
    }

    /// What transformers' modules have (tests/torch/families_test.py): OPT no FFN, BLOOM and GPT-Neo no attention
    /// function, parallel blocks no norm that one branch alone reads.
    void waysAreThoseThatAModelHas_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<bool>("hasFfn");
        QTest::addColumn<bool>("hasCore");
        QTest::addColumn<bool>("hasNorm");
        QTest::newRow("gpt2") << "gpt2" << true << true << true;
        QTest::newRow("bert") << "bert-base" << true << true << false;
        QTest::newRow("opt") << "opt-125m" << false << true << true;
        QTest::newRow("bloom") << "bloom-560m" << true << false << false;
        QTest::newRow("gpt-neo") << "gpt-neo-125m" << true << false << true;
        QTest::newRow("phi") << "phi-2" << true << true << false;
        QTest::newRow("gemma-2") << "gemma-2-2b" << true << true << true;
        QTest::newRow("t5") << "t5-small" << true << false << false;
    }
    void waysAreThoseThatAModelHas()
    {
        QFETCH(QString, preset);
        QFETCH(bool, hasFfn);
        QFETCH(bool, hasCore);
        QFETCH(bool, hasNorm);
        const std::vector<RegionOption> options = regionOptions(*findPreset(preset.toStdString()), {});
        const auto any = [&](auto claim) {
            return std::any_of(options.begin(), options.end(), [&](const RegionOption& o) { return claim(o.regions); });
        };
        QCOMPARE(any([](const torch::LayerRegions& r) { return r.isFfn; }), hasFfn);
        QCOMPARE(any([](const torch::LayerRegions& r) { return r.isAttentionCore; }), hasCore);
        QCOMPARE(any([](const torch::LayerRegions& r) { return r.hasAttentionNorm || r.hasFfnNorm; }), hasNorm);
        QVERIFY(any([](const torch::LayerRegions& r) { return r.isAttention; }));
    }

    /// T5's decoder is planned with its encoder: full recomputation wraps every layer of both.
    void bothStacksArePlanned()
    {
        const Result<RegionStudy> study = RegionStudy::solve(requestOf("t5-small", 6, 2, 128));
        QVERIFY(study);
        const RegionPlan full = *study->plan({Strategy::Kind::Full}, std::nullopt);
        QCOMPARE(full.options.size(), std::size_t{12});
        QVERIFY(full.request.setup.layers[11].isBlock);
        const Bytes half{(study->keepAll().prediction.peak + study->leastPeak()).value / 2};
        const RegionPlan plan = *study->cheapestWithin(half);
        QVERIFY(plan.prediction.peak <= half);
        const Result<RegionPlan> again = parseRegionPlan(regionPlanFileText(plan), "plan.json");
        QVERIFY2(again, again ? "" : englishSentence(again.error()).c_str());
    }

    void filesAreReadAgainAndChangedOnesRefused()
    {
        const Result<RegionStudy> study = RegionStudy::solve(requestOf("gpt2", 4, 2, 256));
        QVERIFY(study);
        const Bytes half{(study->keepAll().prediction.peak + study->leastPeak()).value / 2};
        const Result<RegionPlan> plan = study->cheapestWithin(half);
        QVERIFY(plan);
        const std::string text = regionPlanFileText(*plan);
        QVERIFY(isRegionPlan(text));
        const Result<RegionPlan> again = parseRegionPlan(text, "plan.json");
        QVERIFY2(again, again ? "" : englishSentence(again.error()).c_str());
        QVERIFY(regionPlanFileText(*again) == text);
        std::string changed = text;
        const std::string peak = std::to_string(plan->prediction.peak.value);
        changed.replace(changed.find(peak), peak.size(), std::to_string(plan->prediction.peak.value + 512));
        const Result<RegionPlan> refused = parseRegionPlan(changed, "plan.json");
        QVERIFY(!refused);
        QCOMPARE(refused.error().exitCode(), ExitCode::BadInput);
    }

    /// A planner's layers are what it offers, by name: another name, a dropout outside where the file says inside
    /// (which changes no byte without dropout), assumptions of another type are refused (law 6).
    void otherDecisionsThanOffersAreRefused()
    {
        for (const bool isExact : {false, true}) {
            RegionRequest request = requestOf("gpt2", 4, 2, 256);
            request.setup.residualDropout = 0;
            request.isExact = isExact;
            const Result<RegionStudy> study = RegionStudy::solve(request);
            QVERIFY(study);
            const std::string text = regionPlanFileText(*study->cheapestWithin(study->leastPeak()));
            QVERIFY(parseRegionPlan(text, "plan.json"));
            std::vector<std::pair<std::string, std::string>> changes{
                {"\"option\": \"", "\"option\": \"an "}, {"\"assumptions\": [", "\"assumptions\": [1, "}};
            if (isExact)
                changes.emplace_back("\"realization\": \"exact\"", "\"realization\": \"regions\"");
            else
                changes.emplace_back("\"attention_tail\": false", "\"attention_tail\": true");
            for (const auto& [from, to] : changes) {
                std::string changed = text;
                QVERIFY2(changed.find(from) != std::string::npos, from.c_str());
                changed.replace(changed.find(from), from.size(), to);
                const Result<RegionPlan> refused = parseRegionPlan(changed, "plan.json");
                QVERIFY2(!refused, to.c_str());
                QCOMPARE(refused.error().exitCode(), ExitCode::BadInput);
            }
        }
    }

    /// Keep-sets of single tensors: within every budget, no slower than regions at the same one, as leaner frees more
    /// for the same ops, and reaching at least as low.
    void exactPlansAreNoSlowerThanRegions()
    {
        for (const char* preset : {"gpt2", "llama-3.2-1b"}) {
            RegionRequest request = requestOf(preset, 6, 4, 512);
            request.setup.optimizer = torch::TorchOptimizer::None;
            const Result<RegionStudy> regions = RegionStudy::solve(request);
            request.isExact = true;
            const Result<RegionStudy> exact = RegionStudy::solve(request);
            QVERIFY(regions && exact);
            const Bytes low = regions->leastPeak(), high = regions->keepAll().prediction.peak;
            for (int part = 1; part <= 4; ++part) {
                const Bytes budget{low.value + (high - low).value * part / 5};
                const Result<RegionPlan> plan = exact->cheapestWithin(budget);
                QVERIFY(plan);
                QVERIFY(plan->prediction.peak <= budget);
                QVERIFY(plan->prediction.time <= regions->cheapestWithin(budget)->prediction.time);
            }
        }
    }
};

QTEST_GUILESS_MAIN(RegionStudyTest)
#include "region_study_test.moc"
