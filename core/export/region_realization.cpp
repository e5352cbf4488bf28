// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/region_realization.h"

#include <algorithm>

#include "core/base/index.h"
#include "core/model/families.h"
#include "core/torch/layer_wraps.h"

namespace remat {

namespace {

using Kind = TorchRegion::Kind;

constexpr MessageCode kNoSuchRegion{"export-no-such-region",
    REMAT_TR("A model of type {0} has no region \"{1}\" in PyTorch."),
    REMAT_TR("Make the plan again: this version does not offer that region.")};

class Realizer {
public:
    Realizer(const ModelShape& shape, const torch::TorchSetup& setup) : m_shape(shape), m_setup(setup) { }

    Result<TorchRealization> run(TorchRealization::Kind kind)
    {
        TorchRealization result;
        if (const Family* family = findFamily(m_shape.modelType))
            result.modelClass = std::string(family->modelClass);
        const std::size_t count = torch::layerCount(m_shape);
        if (kind == TorchRealization::Kind::Exact)
            return keepSets(std::move(result));
        std::size_t covered = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const torch::LayerRegions own = i < m_setup.layers.size() ? m_setup.layers[i] : torch::LayerRegions();
            TorchLayer layer{.path = pathOf(i)};
            if (i >= covered && own.span > 1) {
                covered = std::min(i + at(own.span), count);
                layer.regions = {spanOf(i, covered)};
            } else if (i >= covered) {
                layer.regions = regionsOf(i, true);
            }
            result.layers.push_back(std::move(layer));
        }
        if (!m_problem.empty())
            return Error{&kNoSuchRegion, "regions", {m_shape.modelType, m_problem}};
        return result;
    }

private:
    /// Layers that keep everything are left to autograd.
    TorchRealization keepSets(TorchRealization result) const
    {
        result.kind = TorchRealization::Kind::Exact;
        for (std::size_t i = 0; i < m_setup.layers.size(); ++i)
            if (m_setup.layers[i].isExact)
                result.layers.push_back({.path = pathOf(i), .regions = {}, .keep = m_setup.layers[i].kept});
        return result;
    }

    std::string pathOf(std::size_t layer) const { return torch::layerPath(m_shape, layer); }
    torch::LayerWraps wrapsOf(std::size_t layer) const
    {
        return torch::layerWrapsOf(m_shape, layer >= static_cast<std::size_t>(m_shape.layers));
    }

    TorchRegion region(Kind kind, std::vector<std::string> paths) const
    {
        return {.kind = kind,
            .paths = std::move(paths),
            .stopsEarly = m_setup.stopsEarly,
            .isReentrant = m_setup.isReentrant};
    }

    /// A module of a layer; noted as a problem where the model has none.
    std::string inside(std::size_t layer, const std::string& module, const char* what)
    {
        if (module.empty())
            m_problem = what;
        return pathOf(layer) + (module.rfind(':', 0) == 0 ? "" : ".") + module;
    }

    TorchRegion spanOf(std::size_t first, std::size_t end)
    {
        if (!wrapsOf(first).hasTensorBlocks)
            m_problem = "blocks";
        TorchRegion span = region(Kind::Blocks, {});
        for (std::size_t i = first; i < end; ++i) {
            span.paths.push_back(pathOf(i));
            if (i < m_setup.layers.size() && m_setup.layers[i].isSaving())
                m_problem = "blocks, of which one saves";
            for (TorchRegion part : regionsOf(i, false)) {
                part.layer = pathOf(i);
                span.inside.push_back(std::move(part));
            }
        }
        return span;
    }

    std::vector<TorchRegion> regionsOf(std::size_t layer, bool canSave)
    {
        if (layer >= m_setup.layers.size())
            return {};
        const torch::LayerRegions& own = m_setup.layers[layer];
        std::vector<TorchRegion> parts = partsOf(layer, own, canSave && !own.isBlock);
        if (!own.isBlock)
            return parts;
        if (!parts.empty() && own.isSaving())
            m_problem = "block around others that saves";
        TorchRegion block = region(Kind::Block, {pathOf(layer)});
        if (canSave && parts.empty())
            block.save = savedOf(own, "", true);
        block.inside = std::move(parts);
        return {block};
    }

    std::vector<TorchRegion> partsOf(std::size_t layer, const torch::LayerRegions& own, bool canSave)
    {
        const torch::LayerWraps wraps = wrapsOf(layer);
        std::vector<TorchRegion> parts;
        std::vector<TorchRegion> cores;
        if (own.isAttentionCore)
            cores.push_back(region(Kind::Core, {inside(layer, wraps.core, "core")}));
        if (own.isAttention) {
            TorchRegion attention = region(Kind::Attention, {inside(layer, wraps.attention, "attention")});
            if (own.hasAttentionNorm)
                attention.norm = inside(layer, wraps.norm1, "attention with its norm");
            if (own.hasAttentionTail)
                attention.tail = inside(layer, wraps.attentionTail, "attention with its dropout outside");
            if (canSave && cores.empty())
                attention.save = savedOf(own, wraps.attention, true);
            attention.inside = std::move(cores);
            parts.push_back(std::move(attention));
        } else {
            parts = std::move(cores);
        }
        if (own.isFfn) {
            TorchRegion ffn = region(Kind::Ffn, {inside(layer, wraps.ffn, "ffn")});
            if (own.hasFfnNorm)
                ffn.norm = inside(layer, wraps.norm2, "ffn with its norm");
            if (own.hasFfnTail)
                ffn.tail = inside(layer, wraps.ffnTail, "ffn with its dropout outside");
            if (canSave)
                ffn.save = savedOf(own, own.isAttention ? wraps.attention : "", false);
            parts.push_back(std::move(ffn));
        }
        return parts;
    }

    /// The saved names of the attention (`isIn`), or those that are not of it; all where `module` is empty.
    static std::vector<std::string> savedOf(const torch::LayerRegions& own, const std::string& module, bool isIn)
    {
        std::vector<std::string> names;
        for (const std::string& name : own.saved)
            if (module.empty() || (name.rfind(module + ".", 0) == 0) == isIn)
                names.push_back(name);
        if (own.savesSdpa && isIn)
            names.emplace_back("sdpa");
        return names;
    }

    const ModelShape& m_shape;
    const torch::TorchSetup& m_setup;
    std::string m_problem;
};

} // namespace

Result<TorchRealization> realizationOf(
    const ModelShape& shape, const torch::TorchSetup& setup, TorchRealization::Kind kind)
{
    return Realizer(shape, setup).run(kind);
}

} // namespace remat
