// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/article_torch.h"

#include "core/model/module_paths.h"
#include "core/model/presets.h"
#include "core/regions/region_request.h"
#include "core/regions/region_strategies.h"
#include "core/torch/torch_step.h"

namespace remat {

namespace {

using torch::TorchAttention;
using torch::TorchPrecision;
using torch::TorchSetup;
using torch::TorchStep;

/// Layers that are simulated; figures are those of the one in the middle.
constexpr std::int64_t kLayers = 3;

/// Saved bytes of the middle layer by the article's parts.
LayerParts partsOf(const TorchStep& step, const ModelShape& shape)
{
    const ModulePaths& paths = modulePathsOf(shape);
    const std::string layer = std::string(paths.layers) + "1.", norm1 = layer + paths.norm1,
                      norm2 = layer + paths.norm2;
    const std::string attention = layer + paths.attention;
    LayerParts parts;
    for (const torch::SavedTensor& tensor : step.savedTensors) {
        if (tensor.isWeightCast || !tensor.module.starts_with(layer))
            continue;
        const bool isNorm = tensor.module == norm1 || tensor.module == norm2;
        const bool isStatistic = isNorm && tensor.sizes[tensor.sizes.count() - 1] == 1;
        // Sums are read by the norm behind them; what a norm makes by the part behind it: the first norm's by the FFN,
        // the last one's by the next layer's attention.
        if (isStatistic || tensor.op == "add")
            parts.norms += tensor.bytes;
        else if (isNorm)
            (tensor.module == norm1 ? parts.ffn : parts.attention) += tensor.bytes;
        else
            (tensor.module.starts_with(attention) ? parts.attention : parts.ffn) += tensor.bytes;
    }
    return parts;
}

/// FLOPs of one more layer, and what it runs again.
struct LayerFlops {
    double step = 0, forward = 0, again = 0;
};

LayerFlops layerFlops(ModelShape shape, const TorchSetup& setup)
{
    const auto at = [&](std::int64_t layers) {
        shape.layers = layers;
        return torch::simulateTorchStep(shape, setup);
    };
    const TorchStep more = at(kLayers), fewer = at(kLayers - 1);
    const auto difference
        = [&](Flops TorchStep::*flops) { return static_cast<double>((more.*flops - fewer.*flops).value); };
    const double forward = difference(&TorchStep::forward);
    return {forward + difference(&TorchStep::backward), forward, difference(&TorchStep::recompute)};
}

Result<TorchArticleModel> modelOf(const ArticleClaims& claims, ModelShape shape, const TorchSetup& plain)
{
    TorchArticleModel model;
    shape.layers = kLayers;
    model.parts = partsOf(torch::simulateTorchStep(shape, plain), shape);
    const Bytes kept = torch::savedBytesPerLayer(shape, plain);
    for (const ArticleClaims::Granularity& row : claims.granularities) {
        const Result<StrategyRegions> regions = regionsOf(row.strategy, shape);
        if (!regions)
            return regions.error();
        TorchSetup setup = plain;
        setup.layers = regions->layers;
        setup.stopsEarly = regions->stopsEarly;
        const LayerFlops flops = layerFlops(shape, setup);
        model.granularities.push_back({1.0 - ratio(torch::savedBytesPerLayer(shape, setup), kept),
            flops.again / flops.forward, flops.again / flops.step});
    }
    return model;
}

} // namespace

Result<std::vector<TorchArticleModel>> torchArticleModels(
    const ArticleClaims& claims, const std::string& configurationFolder)
{
    const Result<ModelShape> shape = findPreset(claims.model, configurationFolder);
    if (!shape)
        return shape.error();
    RegionRequest request;
    request.shape = *shape;
    request.setup.batch = claims.batch;
    request.setup.sequence = claims.sequence;
    if (auto valid = validate(request, ValueOrigin::File); !valid)
        return valid.error();
    std::vector<TorchArticleModel> models;
    for (const auto& [precision, precisionName] :
        {std::pair{TorchPrecision::Half, "half"}, {TorchPrecision::Amp, "amp"}})
        for (const auto& [attention, attentionName] :
            {std::pair{TorchAttention::Eager, "eager"}, {TorchAttention::Sdpa, "sdpa"}}) {
            TorchSetup setup = request.setup;
            setup.precision = precision;
            setup.attention = attention;
            setup.embeddingDropout = shape->dropout.embedding;
            setup.attentionDropout = shape->dropout.attention;
            setup.residualDropout = shape->dropout.residual;
            Result<TorchArticleModel> model = modelOf(claims, *shape, setup);
            if (!model)
                return model.error();
            model->name = std::string("pytorch ") + precisionName + " " + attentionName;
            models.push_back(*std::move(model));
        }
    return models;
}

} // namespace remat
