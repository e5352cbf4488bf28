// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_options.h"

#include <functional>

#include "core/model/module_paths.h"
#include "core/torch/layer_wraps.h"

namespace remat {

namespace {

using torch::LayerRegions;

/// Products that are saved together, and the word for them.
struct SaveGroup {
    std::string name;
    std::vector<std::string> modules; ///< empty: the fused attention
    bool isOfAttention = false;
};

std::vector<SaveGroup> saveGroups(const ModelShape& shape, const torch::TorchSetup& setup, bool isDecoder)
{
    const ModulePaths& first = modulePathsOf(shape);
    const ModulePaths& paths = isDecoder && first.decoder ? *first.decoder : first;
    std::vector<SaveGroup> groups;
    SaveGroup qkv{"qkv", {}, true};
    for (const char* module : paths.qkv)
        qkv.modules.emplace_back(module);
    groups.push_back(std::move(qkv));
    if (setup.attention == torch::TorchAttention::Sdpa)
        groups.push_back({"sdpa", {}, true});
    groups.push_back({"attention out", {paths.attentionOut}, true});
    if (shape.experts == 0) {
        SaveGroup up{shape.ffnKind == FfnKind::Gated ? "gate and up" : "up", {paths.ffnUp}, false};
        if (shape.ffnKind == FfnKind::Gated && !shape.hasFusedGate)
            up.modules.insert(up.modules.begin(), paths.ffnGate);
        groups.push_back(std::move(up));
    }
    return groups;
}

/// The same regions with every selection of the groups that lie inside them; the last product of an attention region
/// ends it and is spared by early stop.
void addWithSaves(std::vector<RegionOption>& options, const RegionOption& plain, const std::vector<SaveGroup>& groups)
{
    const LayerRegions& regions = plain.regions;
    std::vector<const SaveGroup*> inside;
    for (const SaveGroup& group : groups) {
        const bool isInside = regions.isBlock || (group.isOfAttention ? regions.isAttention : regions.isFfn);
        const bool endsRegion = !regions.isBlock && group.name == "attention out";
        if (isInside && !endsRegion)
            inside.push_back(&group);
    }
    for (std::size_t selection = 0; selection < std::size_t{1} << inside.size(); ++selection) {
        RegionOption option = plain;
        for (std::size_t i = 0; i < inside.size(); ++i) {
            if ((selection >> i & 1) == 0)
                continue;
            option.name += (option.name == plain.name ? ", saving " : ", ") + inside[i]->name;
            option.regions.savesSdpa = option.regions.savesSdpa || inside[i]->modules.empty();
            option.regions.saved.insert(
                option.regions.saved.end(), inside[i]->modules.begin(), inside[i]->modules.end());
        }
        options.push_back(std::move(option));
    }
}

/// How one of a layer's two modules may be a region of its own.
struct PartWay {
    std::string name; ///< empty: none
    LayerRegions regions;
};

/// With or without the norm before the module, and with or without its dropout outside.
void addRegionWays(std::vector<PartWay>& ways, const std::string& word, bool hasNormBefore, bool endsWithDropout,
    const std::function<LayerRegions(bool hasNorm, bool hasTail)>& regionsOf)
{
    for (const bool hasNorm : {false, true})
        for (const bool hasTail : {false, true})
            if ((hasNormBefore || !hasNorm) && (endsWithDropout || !hasTail))
                ways.push_back({(hasNorm ? "norm and " : "") + word + (hasTail ? " without its dropout" : ""),
                    regionsOf(hasNorm, hasTail)});
}

std::vector<PartWay> attentionWays(const torch::LayerWraps& wraps, bool hasDropout)
{
    std::vector<PartWay> ways{{"", {}}};
    if (!wraps.core.empty())
        ways.push_back({"attention core", {.isAttentionCore = true}});
    addRegionWays(ways, "attention", !wraps.norm1.empty(), hasDropout && !wraps.attentionTail.empty(),
        [](bool hasNorm, bool hasTail) {
            return LayerRegions{.isAttention = true, .hasAttentionNorm = hasNorm, .hasAttentionTail = hasTail};
        });
    return ways;
}

std::vector<PartWay> ffnWays(const torch::LayerWraps& wraps, bool hasDropout)
{
    std::vector<PartWay> ways{{"", {}}};
    if (!wraps.ffn.empty())
        addRegionWays(
            ways, "FFN", !wraps.norm2.empty(), hasDropout && !wraps.ffnTail.empty(), [](bool hasNorm, bool hasTail) {
                return LayerRegions{.isFfn = true, .hasFfnNorm = hasNorm, .hasFfnTail = hasTail};
            });
    return ways;
}

} // namespace

std::vector<RegionOption> regionOptions(const ModelShape& shape, const torch::TorchSetup& setup, bool isDecoder)
{
    std::vector<RegionOption> options{{"keep", {}}};
    const std::vector<SaveGroup> groups
        = setup.isReentrant ? std::vector<SaveGroup>{} : saveGroups(shape, setup, isDecoder);
    RegionOption block{"block", {}};
    block.regions.isBlock = true;
    addWithSaves(options, block, groups);
    const torch::LayerWraps wraps = torch::layerWrapsOf(shape, isDecoder);
    const bool hasDropout = setup.residualDropout > 0;
    const std::vector<PartWay> ffns = ffnWays(wraps, hasDropout);
    for (const PartWay& attention : attentionWays(wraps, hasDropout))
        for (const PartWay& ffn : ffns) {
            if (attention.name.empty() && ffn.name.empty())
                continue;
            const bool isBoth = !attention.name.empty() && !ffn.name.empty();
            RegionOption option{attention.name + (isBoth ? " + " : "") + ffn.name, attention.regions};
            option.regions.isFfn = ffn.regions.isFfn;
            option.regions.hasFfnNorm = ffn.regions.hasFfnNorm;
            option.regions.hasFfnTail = ffn.regions.hasFfnTail;
            addWithSaves(options, option, groups);
        }
    return options;
}

} // namespace remat
