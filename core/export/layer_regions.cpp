// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/layer_regions.h"

#include <algorithm>
#include <tuple>

namespace remat {

namespace {

enum class Part { Kept, Core, Region, WithNorm };

/// One way to put regions into a layer.
struct Choice {
    bool isBlock = false;
    Part attention = Part::Kept, ffn = Part::Kept;

    int count() const { return isBlock ? 1 : (attention != Part::Kept) + (ffn != Part::Kept); }
};

class LayerChooser {
public:
    LayerChooser(const StageFacts& layer, KeepSet keep, std::string module, const TorchPaths& paths, bool hasDropout,
        bool canSave)
        : m_layer(layer),
          m_all(keepAll(layer.tape)),
          m_keep(keep & m_all),
          m_module(std::move(module)),
          m_paths(paths),
          m_hasDropout(hasDropout),
          m_canSave(canSave)
    { }

    LayerRegions nearest() const
    {
        std::vector<Choice> choices{{.isBlock = true}};
        for (const Part attention : {Part::Kept, Part::Core, Part::Region, Part::WithNorm})
            for (const Part ffn : {Part::Kept, Part::Region, Part::WithNorm})
                if (isPossible(attention, ffn))
                    choices.push_back({false, attention, ffn});
        const auto rank = [&](const Choice& choice) {
            const Option option = makeOption(m_layer, keptBy(choice)).option;
            return std::tuple(option.backwardTime, option.savedBytes, choice.count());
        };
        const Choice* best = nullptr;
        for (const Choice& choice : choices)
            if ((keptBy(choice) & ~m_keep) == 0 && (!best || rank(choice) < rank(*best)))
                best = &choice;
        return {regionsOf(*best), keptBy(*best)};
    }

private:
    bool isPossible(Part attention, Part ffn) const
    {
        const bool hasNorms = !m_paths.norm1.empty();
        return (hasNorms || (attention != Part::WithNorm && ffn != Part::WithNorm))
            && (attention != Part::Core
                || opsWhere([](const Op& op) { return op.kind == OpKind::AttentionProbs; }) != 0);
    }

    template <class Claim> KeepSet opsWhere(const Claim& claim) const
    {
        KeepSet ops = 0;
        for (std::size_t i = 0; i < m_layer.tape.ops.size(); ++i)
            if (claim(m_layer.tape.ops[i]))
                ops |= KeepSet{1} << i;
        return ops & m_all;
    }

    /// The ops of the attention's region; of BERT's, whose module ends with sum and norm, also the sum.
    KeepSet inAttention(Part part) const
    {
        return opsWhere([&](const Op& op) {
            switch (part) {
            case Part::Kept:
                return false;
            case Part::Core:
                return op.kind == OpKind::AttentionProbs;
            case Part::WithNorm:
                if (op.sublayer == Sublayer::Norm1)
                    return true;
                [[fallthrough]];
            case Part::Region:
                break;
            }
            return op.sublayer == Sublayer::Attention || (m_paths.norm1.empty() && op.sublayer == Sublayer::Residual1);
        });
    }

    KeepSet inFfn(Part part) const
    {
        return opsWhere([&](const Op& op) {
            if (part == Part::Kept)
                return false;
            if (part == Part::WithNorm && op.sublayer == Sublayer::Norm2)
                return true;
            const bool endsFfn = op.sublayer == Sublayer::Residual2 || op.sublayer == Sublayer::Norm2;
            return op.sublayer == Sublayer::Ffn || (m_paths.norm1.empty() && endsFfn);
        });
    }

    /// Of what a region drops, the products and the fused attention that the keep-set keeps.  Turned queries and keys
    /// are as many bytes as the products that they come from, and turning them is cheap.
    KeepSet savedIn(KeepSet region) const
    {
        if (!m_canSave)
            return 0;
        return region & m_keep & opsWhere([](const Op& op) {
            return op.kind == OpKind::Linear || op.kind == OpKind::Rotary || op.kind == OpKind::Attention;
        });
    }

    KeepSet keptBy(const Choice& choice) const
    {
        if (choice.isBlock)
            return savedIn(m_all);
        const KeepSet attention = inAttention(choice.attention), ffn = inFfn(choice.ffn);
        const KeepSet saved = (choice.attention == Part::Core ? 0 : savedIn(attention)) | savedIn(ffn);
        return (m_all & ~attention & ~ffn) | saved;
    }

    std::vector<std::string> namesOf(KeepSet saved) const
    {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < m_layer.tape.ops.size(); ++i) {
            const Op& op = m_layer.tape.ops[i];
            if (!keeps(saved, static_cast<int>(i)))
                continue;
            if (op.kind == OpKind::Attention)
                names.emplace_back("sdpa");
            else
                for (const std::string& module : op.kind == OpKind::Rotary ? m_paths.qkv : op.modules)
                    names.push_back(module);
        }
        return names;
    }

    std::string pathOf(const std::string& inside) const
    {
        return inside.empty() ? "" : m_module + (inside.front() == ':' ? "" : ".") + inside;
    }

    std::vector<TorchRegion> regionsOf(const Choice& choice) const
    {
        if (choice.isBlock)
            return {{.kind = TorchRegion::Kind::Block, .paths = {m_module}, .save = namesOf(savedIn(m_all))}};
        std::vector<TorchRegion> regions;
        if (choice.attention == Part::Core)
            regions.push_back({.kind = TorchRegion::Kind::Core, .paths = {pathOf(m_paths.core)}});
        else if (choice.attention != Part::Kept)
            regions.push_back({.kind = TorchRegion::Kind::Attention,
                .paths = {pathOf(m_paths.attention)},
                .norm = choice.attention == Part::WithNorm ? pathOf(m_paths.norm1) : "",
                .tail = m_hasDropout ? pathOf(m_paths.attentionTail) : "",
                .save = namesOf(savedIn(inAttention(choice.attention)))});
        if (choice.ffn != Part::Kept)
            regions.push_back({.kind = TorchRegion::Kind::Ffn,
                .paths = {pathOf(m_paths.ffn)},
                .norm = choice.ffn == Part::WithNorm ? pathOf(m_paths.norm2) : "",
                .tail = m_hasDropout ? pathOf(m_paths.ffnTail) : "",
                .save = namesOf(savedIn(inFfn(choice.ffn)))});
        return regions;
    }

    const StageFacts& m_layer;
    KeepSet m_all, m_keep;
    std::string m_module;
    const TorchPaths& m_paths;
    bool m_hasDropout, m_canSave;
};

} // namespace

LayerRegions nearestRegions(const StageFacts& layer, KeepSet keep, const std::string& module, const TorchPaths& paths,
    bool hasDropout, bool canSave)
{
    return LayerChooser(layer, keep, module, paths, hasDropout, canSave).nearest();
}

} // namespace remat
