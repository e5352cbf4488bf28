// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_spans.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/torch/layer_wraps.h"

namespace remat {

namespace {

/// A way to run single layers.
struct Single {
    torch::LayerRegions regions;
    std::string name;
};

/// The regions of one layer that leave the least behind and need the least to come back: attention and FFN apart, each
/// with the norm before it, as far as the model has them.
Single leanest(const torch::LayerWraps& wraps)
{
    const bool hasFfn = !wraps.ffn.empty();
    Single parts{{}, "attention"};
    parts.regions.isAttention = true;
    parts.regions.hasAttentionNorm = !wraps.norm1.empty();
    parts.regions.isFfn = hasFfn;
    parts.regions.hasFfnNorm = hasFfn && !wraps.norm2.empty();
    if (parts.regions.hasAttentionNorm)
        parts.name = "norm and attention";
    if (hasFfn)
        parts.name += parts.regions.hasFfnNorm ? " + norm and FFN" : " + FFN";
    return parts;
}

/// Spans of k over the first `covered` layers, each layer inside with regions as `inner`; behind them `outer` ones.
LayerPlan spansOf(std::size_t count, std::size_t k, std::size_t covered, const Single& inner, const Single& outer)
{
    LayerPlan plan{std::vector<torch::LayerRegions>(count, outer.regions), std::vector<std::string>(count, outer.name)};
    for (std::size_t layer = 0; layer < covered; ++layer) {
        const std::size_t first = layer / k * k, length = std::min(k, covered - first);
        if (length == 1)
            continue;
        plan.layers[layer] = inner.regions;
        if (layer == first)
            plan.layers[layer].span = static_cast<int>(length);
        plan.options[layer] = std::to_string(length) + " layers together";
        if (!inner.name.empty())
            plan.options[layer] += ", each with " + inner.name;
    }
    return plan;
}

} // namespace

std::vector<LayerPlan> spanPlans(const ModelShape& shape, const torch::TorchSetup& setup)
{
    const std::size_t count = torch::layerCount(shape);
    if (setup.isReentrant || !torch::layerWrapsOf(shape).hasTensorBlocks || count < 2)
        return {};
    const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(count)));
    std::vector<LayerPlan> plans;
    const Single plain{}, block{{.isBlock = true}, "block"}, parts = leanest(torch::layerWrapsOf(shape));
    const auto add = [&](std::size_t k, const Single& inner, const Single& outer) {
        for (const std::size_t covered : std::set{count, std::max<std::size_t>(k, count / 2)})
            plans.push_back(spansOf(count, k, covered, inner, outer));
    };
    for (const std::size_t k : std::set<std::size_t>{2, 3, 4})
        if (k <= count)
            add(k, plain, block);
    for (const std::size_t k : std::set<std::size_t>{2, 4, root, 2 * root, count})
        if (k >= 2 && k <= count) {
            add(k, block, block);
            add(k, parts, parts);
        }
    return plans;
}

} // namespace remat
