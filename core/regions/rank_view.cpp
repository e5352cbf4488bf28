// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/rank_view.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <utility>

#include "core/regions/cut_step.h"
#include "core/regions/region_plan.h"
#include "core/torch/layer_wraps.h"

namespace remat {

namespace {

using torch::TorchSetup;
using torch::TorchStep;

/// A part of a number of bytes that belongs to `some` of `all` weights.
Bytes partOf(Bytes whole, std::int64_t some, std::int64_t all)
{
    if (some == all)
        return whole;
    return {std::llround(static_cast<double>(whole.value) * static_cast<double>(some) / static_cast<double>(all))};
}

using Layers = std::vector<torch::LayerRegions>;

/// The regions of a stage's layers; empty where no layer has any.
Layers layersOfStage(const RegionRequest& request, const Parallelism& parallelism, std::int64_t stage)
{
    const Layers& all = request.setup.layers;
    if (all.empty())
        return {};
    const auto count = static_cast<std::ptrdiff_t>(torch::layerCount(request.shape)) / parallelism.pipeline;
    return {all.begin() + stage * count, all.begin() + (stage + 1) * count};
}

/// The simulation of one rank whose layers have these regions, and how its weights lie on the stages.
class SimulatedRank {
public:
    SimulatedRank(const RegionRequest& request, const Parallelism& parallelism, ModelShape shape, Layers layers)
        : m_request(request),
          m_parallelism(parallelism),
          m_shape(std::move(shape)),
          m_setup(request.setup)
    {
        const bool isDivided = parallelism.pipeline > 1 || parallelism.zeroStage >= 2;
        // With gradients there from the start, the second micro-batch is as the first.
        m_setup.hasResidentGrads = m_setup.hasResidentGrads || m_setup.microBatches > 1 || isDivided;
        m_setup.microBatches = 1;
        m_setup.layers = std::move(layers);
        m_step = torch::simulateTorchStep(m_shape, m_setup);
        countParameters();
        if (parallelism.isSequenceParallel)
            countSpared();
    }

    /// Whether it is also the simulation of a stage with this shape and these regions.
    bool isOf(const ModelShape& shape, const Layers& layers) const
    {
        return m_shape == shape && m_setup.layers == layers;
    }

    RankBytes rankOf(std::int64_t stage, const CutStep& cut) const
    {
        const bool isFirst = stage == 0, isLast = stage == m_parallelism.pipeline - 1;
        RankBytes rank;
        rank.stage = stage;
        rank.layers = m_shape.layers;
        rank.inFlight = m_parallelism.pipeline == 1
            ? 1
            : m_parallelism.microBatchesInFlight(stage, std::max<std::int64_t>(m_request.setup.microBatches, 1));
        rank.parameters = parametersOf(isFirst, isLast);
        const std::int64_t all = m_step.parameters;
        const Bytes weights = partOf(m_step.parameterBytes, rank.parameters, all);
        const Bytes optimizer = partOf(m_step.optimizerBytes, rank.parameters, all);
        rank.weights = m_parallelism.shareOf(weights, 3);
        rank.gradients = m_parallelism.shareOf(partOf(m_step.gradientBytes, rank.parameters, all), 2);
        rank.optimizer = m_parallelism.shareOf(optimizer, 1);
        rank.gathered = gatheredOf(rank.parameters);
        const Bytes savedOnce = savedOf(cut, isFirst, isLast) - m_spared;
        rank.saved = rank.inFlight * savedOnce;

        // Base of the simulation without states: buffers, inputs.
        const Bytes states = m_step.parameterBytes + m_step.optimizerBytes
            + (m_setup.hasResidentGrads ? m_step.gradientBytes : Bytes{});
        const Bytes resident = rank.weights + rank.optimizer + (m_step.base - states);
        const Bytes held = m_setup.hasResidentGrads ? rank.gradients : Bytes{};
        const torch::Event& fullest = *cut.fullestOf(isFirst, isLast);
        rank.peak = resident + held + rank.gathered + (rank.inFlight - 1) * savedOnce
            + (fullest.live + fullest.temporaries - m_step.base) - m_spared;
        rank.peakAt = placeText({fullest.live, fullest.phase,
            m_step.modulePaths[static_cast<std::size_t>(fullest.module)], std::string(torch::nameOf(fullest.op)), ""});
        if (m_step.optimizerPeak.value == 0)
            return rank;
        const Bytes temporaries = m_step.events.back().temporaries;
        // Buffers, inputs, the loss, and outputs that the caller keeps.
        const Bytes others
            = m_step.optimizerPeak - temporaries - m_step.parameterBytes - m_step.optimizerBytes - m_step.gradientBytes;
        const Bytes atStep = rank.weights + rank.optimizer + rank.gradients + others
            + m_parallelism.shareOf(partOf(temporaries, rank.parameters, all), 1);
        if (atStep > rank.peak) {
            rank.peak = atStep;
            rank.peakAt = placeText({atStep, torch::Phase::Optimizer, "", "", ""});
        }
        return rank;
    }

    /// One micro-batch on a stage.
    Nanoseconds timeOf(const CutStep& cut, std::int64_t stage, const Device& device) const
    {
        Nanoseconds time;
        const auto add = [&](int part) { time += cut.timeOf(part, true, device) + cut.timeOf(part, false, device); };
        for (std::size_t layer = 0; layer < torch::layerCount(m_shape); ++layer)
            add(static_cast<int>(layer));
        if (stage == 0)
            add(CutStep::kEmbedding);
        if (stage == m_parallelism.pipeline - 1)
            add(CutStep::kHead);
        return time;
    }
    Nanoseconds optimizerTime(const Device& device) const { return timesOf(m_step, m_setup, device).optimizer; }
    CutStep cut() const { return {m_step, m_shape}; }

private:
    void countParameters()
    {
        ModelShape fewer = m_shape;
        TorchSetup setup = m_setup;
        setup.layers.clear();
        const auto parametersAt = [&](std::int64_t layers) {
            fewer.layers = layers;
            return torch::simulateTorchStep(fewer, setup).parameters;
        };
        if (m_parallelism.pipeline > 1 || m_parallelism.zeroStage >= 2)
            m_parametersOfLayer = parametersAt(2) - parametersAt(1);
    }
    std::int64_t parametersOfOthers() const { return m_step.parameters - m_shape.layers * m_parametersOfLayer; }
    std::int64_t parametersOf(bool isFirst, bool isLast) const
    {
        if (isFirst && isLast)
            return m_step.parameters;
        const std::int64_t inner = m_shape.embeddingWidth(), table = m_shape.vocabulary * inner;
        const std::int64_t embedding = table + m_shape.positionRows() * m_shape.hidden + m_shape.tokenTypes * inner;
        std::int64_t count = m_shape.layers * m_parametersOfLayer;
        if (isFirst)
            count += embedding;
        // A tied table is at both ends.
        if (isLast)
            count += parametersOfOthers() - embedding + (m_shape.hasTiedHead ? table : 0);
        return count;
    }
    Bytes gatheredOf(std::int64_t parameters) const
    {
        if (m_parallelism.zeroStage < 2)
            return {};
        const std::int64_t all = m_step.parameters, others = parameters - m_shape.layers * m_parametersOfLayer;
        Bytes gathered = partOf(m_step.gradientBytes, others + m_parametersOfLayer, all);
        if (m_parallelism.zeroStage == 3)
            gathered += partOf(m_step.parameterBytes, others + 2 * m_parametersOfLayer, all);
        return gathered;
    }
    Bytes savedOf(const CutStep& cut, bool isFirst, bool isLast) const
    {
        if (isFirst && isLast)
            return m_step.saved;
        Bytes layers;
        for (int layer = 0; layer < m_shape.layers; ++layer)
            layers += cut.savedOf(layer);
        const Bytes embedding = cut.savedOfEmbedding();
        if (isLast)
            return m_step.saved - embedding;
        return layers + (isFirst ? embedding : Bytes{});
    }
    /// Layers of different regions save, and spare, differently.
    void countSpared()
    {
        std::vector<std::pair<torch::LayerRegions, Bytes>> known;
        for (std::int64_t layer = 0; layer < m_shape.layers; ++layer) {
            const auto regions
                = m_setup.layers.empty() ? torch::LayerRegions{} : m_setup.layers[static_cast<std::size_t>(layer)];
            auto found
                = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.first == regions; });
            if (found == known.end())
                found = known.insert(found, {regions, sparedOf(regions)});
            m_spared += found->second;
        }
    }
    Bytes sparedOf(const torch::LayerRegions& regions) const
    {
        TorchSetup setup = m_setup;
        if (!setup.layers.empty())
            setup.layers = {regions};
        const std::int64_t t = m_parallelism.tensor;
        const Bytes shared{(torch::savedBytesPerLayer(m_request.shape, setup).value + t - 1) / t};
        return std::max(Bytes{}, torch::savedBytesPerLayer(m_shape, setup) - shared);
    }

    const RegionRequest& m_request;
    const Parallelism& m_parallelism;
    ModelShape m_shape;
    TorchSetup m_setup;
    TorchStep m_step;
    std::int64_t m_parametersOfLayer = 0;
    Bytes m_spared; ///< of what the simulated layers save, by sequence parallelism
};

std::vector<std::string> formsOf(const Parallelism& parallelism)
{
    std::vector<std::string> forms;
    if (parallelism.isSequenceParallel)
        forms.emplace_back(
            "closed form of Korthikanti et al. 2022: a layer saves what the whole layer saves over --tp");
    if (parallelism.pipeline > 1)
        forms.emplace_back("closed form of Narayanan et al. 2021: 1F1B holds min(m, p - i) micro-batches on stage i");
    if (parallelism.zeroStage > 0)
        forms.emplace_back("closed form of Rajbhandari et al. 2020: states over --dp");
    if (parallelism.zeroStage > 1)
        forms.emplace_back("closed form of FSDP2 with one unit a layer: gathered are the weights of two layers and "
                           "of what no layer has (stage 3), and the gradients of one and of these");
    if (parallelism.ranks() > 1)
        forms.emplace_back("communication and its buffers are not counted");
    return forms;
}

} // namespace

ModelShape shapeOfRank(ModelShape shape, const Parallelism& parallelism, std::int64_t stage)
{
    shape.layers /= parallelism.pipeline;
    if (std::string& pattern = shape.windowPattern; !pattern.empty()) {
        const auto before = static_cast<std::size_t>(stage * shape.layers) % pattern.size();
        std::rotate(pattern.begin(), pattern.begin() + static_cast<std::ptrdiff_t>(before), pattern.end());
    }
    const std::int64_t t = parallelism.tensor;
    if (t == 1)
        return shape;
    const std::int64_t groups = shape.groups(), headWidth = shape.headWidth();
    shape.heads /= t;
    setGroups(shape, std::max<std::int64_t>(1, groups / t));
    setHeadWidth(shape, headWidth);
    shape.ffn /= t;
    shape.vocabulary = (shape.vocabulary + t - 1) / t;
    return shape;
}

RankView rankView(const RegionRequest& request, const Parallelism& parallelism)
{
    const Device device = atPrecision(request.device, request.setup);
    RankView view;
    view.shape = shapeOfRank(request.shape, parallelism);
    // Stages whose layers have the same windows and regions share a simulation.
    std::list<SimulatedRank> simulated;
    for (std::int64_t stage = 0; stage < parallelism.pipeline; ++stage) {
        ModelShape shape = shapeOfRank(request.shape, parallelism, stage);
        Layers layers = layersOfStage(request, parallelism, stage);
        auto rank = std::find_if(
            simulated.begin(), simulated.end(), [&](const SimulatedRank& one) { return one.isOf(shape, layers); });
        if (rank == simulated.end())
            rank = simulated.emplace(rank, request, parallelism, std::move(shape), std::move(layers));
        const CutStep cut = rank->cut();
        view.ranks.push_back(rank->rankOf(stage, cut));
        view.time = std::max(view.time, rank->timeOf(cut, stage, device));
    }
    view.optimizerTime = simulated.front().optimizerTime(request.device);
    if (parallelism.zeroStage > 0)
        view.optimizerTime.value /= parallelism.data;
    const std::int64_t microBatches = std::max<std::int64_t>(request.setup.microBatches, 1);
    view.step = (microBatches + parallelism.pipeline - 1) * view.time + view.optimizerTime;
    view.closedForms = formsOf(parallelism);
    return view;
}

} // namespace remat
