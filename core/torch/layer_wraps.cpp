// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/layer_wraps.h"

#include "core/model/module_paths.h"
#include "core/torch/dialect.h"

namespace remat::torch {

LayerWraps layerWrapsOf(const ModelShape& shape, bool isDecoder)
{
    const Dialect dialect = dialectOf(shape);
    const bool hasTwoStacks = shape.decoderLayers > 0;
    const ModulePaths& first = modulePathsOf(shape);
    const ModulePaths& modules = isDecoder && first.decoder ? *first.decoder : first;
    // These write attention out in the layer's own module, and their layers return tuples.
    const bool isOwnAttention
        = dialect.eager == EagerForm::GptNeo || dialect.eager == EagerForm::Bloom || dialect.eager == EagerForm::Falcon;
    const bool isOwnLayer = dialect.eager == EagerForm::Bloom || dialect.eager == EagerForm::Falcon;
    LayerWraps wraps;
    wraps.attention = modules.attention;
    wraps.ffn = dialect.hasOutputModules ? ":feed_forward_chunk" : modules.ffn;
    wraps.hasTensorBlocks = !isOwnAttention && !hasTwoStacks;
    if (!isOwnAttention && !hasTwoStacks) {
        const std::string queries = modules.qkv.front();
        wraps.core = queries.substr(0, queries.rfind('.'));
    }
    const bool standsBefore = shape.normPlace == NormPlace::Pre || shape.normPlace == NormPlace::Sandwich;
    if (standsBefore && shape.block == BlockKind::Serial && !isOwnLayer && !hasTwoStacks) {
        wraps.norm1 = modules.norm1;
        if (!wraps.ffn.empty())
            wraps.norm2 = modules.norm2;
    }
    wraps.attentionTail = dialect.attentionTail;
    wraps.ffnTail = dialect.ffnTail;
    return wraps;
}

std::string layerPath(const ModelShape& shape, std::size_t layer)
{
    const ModulePaths& modules = modulePathsOf(shape);
    const auto first = static_cast<std::size_t>(shape.layers);
    if (modules.decoder && layer >= first)
        return modules.decoder->layers + std::to_string(layer - first);
    return modules.layers + std::to_string(layer);
}

} // namespace remat::torch
