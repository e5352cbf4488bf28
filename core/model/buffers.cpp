// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/buffers.h"

#include "core/model/families.h"
#include "core/model/module_paths.h"

namespace remat {

namespace {

constexpr std::int64_t kInt64Bytes = 8;
constexpr std::int64_t kBoolBytes = 1;

/// The frequencies of each kind of layer, where the kinds have angles of their own, else of all.
void addFrequencies(std::vector<ModelBuffer>& buffers, const ModelShape& shape, const ModulePaths& paths)
{
    std::vector<std::string> kinds;
    const Family* family = findFamily(shape.modelType);
    if (family && family->rotary.isPerLayerKind) {
        bool hasWindow = false, hasFull = false;
        for (std::int64_t layer = 0; layer < shape.layers; ++layer)
            (shape.hasWindow(layer) ? hasWindow : hasFull) = true;
        if (hasWindow)
            kinds.emplace_back("sliding_attention_");
        if (hasFull)
            kinds.emplace_back("full_attention_");
    } else {
        kinds.emplace_back();
    }
    for (const std::string& kind : kinds)
        for (const char* name : {"inv_freq", "original_inv_freq"})
            buffers.push_back({std::string(paths.rotary) + "." + kind + name, {shape.turnedWidth() / 2}});
}

} // namespace

std::int64_t ModelBuffer::elements() const
{
    std::int64_t result = 1;
    for (const std::int64_t size : shape)
        result *= size;
    return result;
}

std::vector<ModelBuffer> modelBuffers(const ModelShape& shape)
{
    const ModulePaths& paths = modulePathsOf(shape);
    const std::int64_t rows = shape.positionRows(), positions = shape.maxPositions;
    std::vector<ModelBuffer> buffers;
    for (const char* name : {paths.positionIds, paths.typeIds})
        if (*name)
            buffers.push_back({name, {1, rows}, kInt64Bytes, false});
    if (*paths.causalMask)
        buffers.push_back({std::string(paths.layers) + "0." + paths.causalMask, {1, 1, positions, positions},
            kBoolBytes, false, shape.layers});
    if (shape.hasScaledEmbedding)
        buffers.push_back({std::string(paths.embedding) + "." + paths.tokenTable + ".embed_scale", {}});
    if (*paths.rotary)
        addFrequencies(buffers, shape, paths);
    if (*paths.rotaryTable)
        buffers.push_back({paths.rotaryTable, {positions, shape.turnedWidth()}});
    return buffers;
}

} // namespace remat
