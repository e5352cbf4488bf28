// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/region_settings.h"

#include <algorithm>
#include <tuple>

#include "core/export/region_plan_table.h"
#include "core/model/module_paths.h"
#include "core/regions/in_parallel.h"
#include "core/torch/layer_wraps.h"

namespace remat {

namespace {

using torch::LayerRegions;

struct Candidate {
    std::vector<std::string> lines;
    std::vector<LayerRegions> layers;
    RegionPrediction prediction;
};

class Settings {
public:
    explicit Settings(const RegionPlan& plan)
        : m_shape(plan.request.shape),
          m_wraps(torch::layerWrapsOf(m_shape)),
          m_count(torch::layerCount(m_shape))
    { }

    std::vector<Candidate> megatron()
    {
        add({}, [](std::size_t) { return LayerRegions(); });
        const std::string selective = "--recompute-granularity selective", modules = "--recompute-modules";
        const bool hasCore = !m_wraps.core.empty(), hasFfn = !m_wraps.ffn.empty();
        if (hasCore)
            addAll({selective, modules + " core_attn"}, {.isAttentionCore = true});
        if (hasFfn)
            addAll({selective, modules + " mlp"}, {.isFfn = true});
        if (hasCore && hasFfn)
            addAll({selective, modules + " core_attn mlp"}, {.isFfn = true, .isAttentionCore = true});
        for (std::size_t k = 1; k <= m_count; ++k) {
            const std::string number = "--recompute-num-layers " + std::to_string(k);
            if (m_count % k == 0 && (k == 1 || m_wraps.hasTensorBlocks))
                add({"--recompute-granularity full", "--recompute-method uniform", number}, [k](std::size_t layer) {
                    LayerRegions regions{.isBlock = k == 1};
                    if (k > 1 && layer % k == 0)
                        regions.span = static_cast<int>(k);
                    return regions;
                });
            add({"--recompute-granularity full", "--recompute-method block", number},
                [k](std::size_t layer) { return LayerRegions{.isBlock = layer < k}; });
        }
        return std::move(m_candidates);
    }

    std::vector<Candidate> torchtitan()
    {
        const std::string table = "[activation_checkpoint]", selective = "mode = \"selective\"";
        addAll({table, "mode = \"none\""}, {});
        addAll({table, "mode = \"full\""}, {.isBlock = true});
        addAll({table, selective, "selective_ac_option = \"op\""}, everySecondProduct());
        // It counts layers from 1 and takes those that k divides.
        for (std::size_t k = 2; k <= m_count; ++k)
            add({table, selective, "selective_ac_option = \"" + std::to_string(k) + "\""},
                [k](std::size_t layer) { return LayerRegions{.isBlock = (layer + 1) % k == 0}; });
        return std::move(m_candidates);
    }

private:
    template <class RegionsOf> void add(std::vector<std::string> lines, const RegionsOf& regionsOf)
    {
        Candidate candidate{std::move(lines), {}, {}};
        for (std::size_t layer = 0; layer < m_count; ++layer)
            candidate.layers.push_back(regionsOf(layer));
        m_candidates.push_back(std::move(candidate));
    }

    void addAll(std::vector<std::string> lines, const LayerRegions& regions)
    {
        add(std::move(lines), [&regions](std::size_t) { return regions; });
    }

    /// torchtitan/distributed/activation_checkpoint.py: fused attention and the first, third, ... product are saved.
    LayerRegions everySecondProduct() const
    {
        const ModulePaths& paths = modulePathsOf(m_shape);
        std::vector<std::string> products(paths.qkv.begin(), paths.qkv.end());
        products.emplace_back(paths.attentionOut);
        if (m_shape.ffnKind == FfnKind::Gated && !m_shape.hasFusedGate)
            products.emplace_back(paths.ffnGate);
        products.emplace_back(paths.ffnUp);
        products.emplace_back(paths.ffnDown);
        LayerRegions regions{.isBlock = true, .savesSdpa = true};
        for (std::size_t i = 0; i < products.size(); i += 2)
            regions.saved.push_back(products[i]);
        return regions;
    }

    const ModelShape& m_shape;
    torch::LayerWraps m_wraps;
    std::size_t m_count;
    std::vector<Candidate> m_candidates;
};

SettingsFigures figuresOf(RegionPlan plan, const RegionPrediction& prediction)
{
    plan.prediction = prediction;
    return {prediction.peak, prediction.stepTime(plan.request.setup.microBatches), plan.extraTime()};
}

} // namespace

RegionSettings nearestSettings(const RegionPlan& plan, Trainer trainer)
{
    Settings settings(plan);
    std::vector<Candidate> candidates = trainer == Trainer::Megatron ? settings.megatron() : settings.torchtitan();
    inParallel(static_cast<std::int64_t>(candidates.size()), 0, [&](std::int64_t index) {
        Candidate& candidate = candidates[static_cast<std::size_t>(index)];
        RegionRequest request = plan.request;
        request.setup.isReentrant = false; // which could not save
        request.setup.layers = std::move(candidate.layers);
        candidate.prediction = predict(request, plan.prediction.keepAll);
    });
    const Bytes limit = plan.budget.value_or(plan.prediction.peak);
    const auto rank = [&](const Candidate& candidate) {
        const RegionPrediction& p = candidate.prediction;
        const bool isOver = p.peak > limit;
        return std::tuple(isOver, isOver ? p.peak.value : p.time.value, isOver ? p.time.value : p.peak.value);
    };
    Candidate& best = *std::min_element(candidates.begin(), candidates.end(),
        [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
    const bool fits = best.prediction.peak <= limit;
    const torch::TorchSetup& setup = plan.request.setup;
    std::string text = settingsText({plan.request.shape, setup.batch, setup.sequence, plan.request.device.name,
                                        verdict(plan), figuresOf(plan, plan.prediction)},
        trainer, best.lines, figuresOf(plan, best.prediction), fits ? std::nullopt : std::optional(limit));
    return {std::move(text), best.prediction, fits};
}

} // namespace remat
