// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/weights.h"

#include <span>
#include <utility>

#include "core/model/module_paths.h"

namespace remat {

namespace {

/// Adds the weights of modules to one group.
class Lister {
public:
    Lister(const ModelShape& shape, WeightPlace place, const char* prefix) : m_shape(shape)
    {
        m_group.place = place;
        m_group.prefix = prefix;
        if (!m_group.prefix.empty() && m_group.prefix.back() != '.')
            m_group.prefix += '.';
    }

    void parameter(std::string name, std::vector<std::int64_t> shape, bool isTied = false)
    {
        m_group.weights.push_back({std::move(name), std::move(shape), isTied});
    }
    void table(const char* module, std::int64_t rows, std::int64_t width)
    {
        parameter(std::string(module) + ".weight", {rows, width});
    }
    void linear(const char* module, std::int64_t out, std::int64_t in, bool hasBias)
    {
        parameter(std::string(module) + ".weight", {out, in});
        if (hasBias)
            parameter(std::string(module) + ".bias", {out});
    }
    /// A product inside a layer, whose weight may lie the other way round.
    void product(const char* module, std::int64_t out, std::int64_t in, bool hasBias)
    {
        linear(module, out, in, hasBias);
        if (m_shape.hasInOutWeights)
            m_group.weights[m_group.weights.size() - (hasBias ? 2 : 1)].shape = {in, out};
    }
    void norm(const char* module, std::int64_t width)
    {
        if (!m_shape.hasNormWeights)
            return;
        parameter(std::string(module) + ".weight", {width});
        if (m_shape.norm == NormKind::LayerNorm)
            parameter(std::string(module) + ".bias", {width});
    }
    WeightGroup take(std::int64_t firstLayer = 0, std::int64_t count = 1)
    {
        m_group.firstLayer = firstLayer;
        m_group.count = count;
        return std::move(m_group);
    }

private:
    const ModelShape& m_shape;
    WeightGroup m_group;
};

WeightGroup imageEmbedding(const ModelShape& shape, const ModulePaths& paths)
{
    const PatchGrid& image = shape.image;
    const std::int64_t c = shape.hidden;
    Lister list(shape, WeightPlace::Embedding, paths.embedding);
    list.parameter(paths.classToken, {1, 1, c});
    list.parameter(paths.positionTable, {1, image.tokens(), c});
    if (image.extraTokens > 1)
        list.parameter(paths.distillationToken, {1, 1, c});
    list.parameter(std::string(paths.patches) + ".weight", {c, image.channels, image.patchHeight, image.patchWidth});
    list.parameter(std::string(paths.patches) + ".bias", {c});
    return list.take();
}

/// A masked head's tables and norm are all E wide, behind a causal one the tokens' alone.
WeightGroup embedding(const ModelShape& shape, const ModulePaths& paths)
{
    if (shape.image.isGiven())
        return imageEmbedding(shape, paths);
    const bool isMasked = shape.head == HeadKind::MaskedLm;
    const std::int64_t e = shape.embeddingWidth(), width = isMasked ? e : shape.hidden;
    Lister list(shape, WeightPlace::Embedding, paths.embedding);
    list.table(paths.tokenTable, shape.vocabulary, e);
    if (shape.positions == PositionKind::Learned)
        list.table(paths.positionTable, shape.positionRows(), width);
    if (shape.tokenTypes > 0)
        list.table(paths.typeTable, shape.tokenTypes, width);
    if (shape.hasEmbeddingNorm)
        list.norm(paths.embeddingNorm, width);
    if (shape.hasEmbeddingProjection())
        list.linear(paths.embeddingProjection, shape.hidden, e, isMasked);
    return list.take();
}

void attention(Lister& list, const ModelShape& shape, const ModulePaths& paths)
{
    const std::int64_t c = shape.hidden, a = shape.attentionWidth(), kv = shape.keyValueWidth();
    if (paths.qkv.size() == 1) {
        list.product(paths.qkv[0], a + 2 * kv, c, shape.hasQkvBias);
    } else {
        list.product(paths.qkv[0], a, c, shape.hasQkvBias);
        list.product(paths.qkv[1], kv, c, shape.hasQkvBias);
        list.product(paths.qkv[2], kv, c, shape.hasQkvBias);
    }
    if (shape.qkNorm != QkNorm::None) {
        const bool isOfHeads = shape.qkNorm == QkNorm::Head;
        list.norm(paths.queryNorm, isOfHeads ? shape.headWidth() : a);
        list.norm(paths.keyNorm, isOfHeads ? shape.headWidth() : kv);
    }
    list.product(paths.attentionOut, c, a, shape.hasAttentionOutBias);
}

void feedForward(Lister& list, const ModelShape& shape, const ModulePaths& paths)
{
    const std::int64_t c = shape.hidden, f = shape.ffn;
    const bool isGated = shape.ffnKind == FfnKind::Gated;
    if (shape.experts > 0) {
        list.linear(paths.router, shape.experts, c, false);
        list.parameter(paths.ffnUp, {shape.experts, isGated ? 2 * f : f, c});
        list.parameter(paths.ffnDown, {shape.experts, c, f});
        return;
    }
    if (isGated && !shape.hasFusedGate)
        list.product(paths.ffnGate, f, c, shape.hasFfnBias);
    list.product(paths.ffnUp, shape.hasFusedGate ? 2 * f : f, c, shape.hasFfnBias);
    list.product(paths.ffnDown, c, f, shape.hasFfnBias);
}

WeightGroup layers(const ModelShape& shape, const ModulePaths& paths, WeightPlace place, std::int64_t first,
    std::int64_t count, bool hasRelativeBias)
{
    const std::int64_t c = shape.hidden;
    Lister list(shape, place, paths.layers);
    list.norm(paths.norm1, c);
    attention(list, shape, paths);
    if (hasRelativeBias)
        list.table(paths.relativeBias, shape.relativeBuckets, shape.heads);
    if (shape.normPlace == NormPlace::Sandwich)
        list.norm(paths.postNorm1, c);
    if (place == WeightPlace::DecoderLayer) {
        list.norm(paths.crossNorm, c);
        ModulePaths cross = paths;
        cross.qkv = paths.crossQkv;
        cross.attentionOut = paths.crossOut;
        attention(list, shape, cross);
    }
    if (shape.block != BlockKind::Parallel)
        list.norm(paths.norm2, c);
    feedForward(list, shape, paths);
    if (shape.normPlace == NormPlace::Sandwich)
        list.norm(paths.postNorm2, c);
    return list.take(first, count);
}

/// One stack; a learned bias of the scores stands in its first layer alone.
void addStack(std::vector<WeightGroup>& groups, const ModelShape& shape, const ModulePaths& paths, WeightPlace place,
    std::int64_t count)
{
    const bool isFirstOther = shape.positions == PositionKind::RelativeBias;
    if (isFirstOther)
        groups.push_back(layers(shape, paths, place, 0, 1, true));
    const std::int64_t first = isFirstOther ? 1 : 0;
    if (count > first)
        groups.push_back(layers(shape, paths, place, first, count - first, false));
}

WeightGroup head(const ModelShape& shape, const ModulePaths& paths)
{
    const std::int64_t c = shape.hidden, e = shape.embeddingWidth(), v = shape.vocabulary;
    Lister list(shape, WeightPlace::Head, paths.head);
    if (shape.head == HeadKind::MaskedLm) {
        list.linear(paths.headDense, e, c, true);
        list.norm(paths.headNorm, e);
    } else if (shape.hasFinalNorm) {
        list.norm(paths.headNorm, c);
    }
    if (shape.head == HeadKind::ImageClassifier) {
        if (shape.labels > 0)
            list.linear(paths.logits, shape.labels, c, true);
        return list.take();
    }
    if (shape.head != HeadKind::MaskedLm && shape.hasEmbeddingProjection())
        list.linear(paths.headProjection, e, c, false);
    list.parameter(std::string(paths.logits) + ".weight", {v, e}, shape.hasTiedHead);
    // Where the head has a bias of its own too, both are one as long as the tables are.
    const bool hasOtherBias = *paths.headBias != '\0';
    if (shape.hasHeadBias && hasOtherBias)
        list.parameter(paths.headBias, {v});
    if (shape.hasHeadBias)
        list.parameter(std::string(paths.logits) + ".bias", {v}, hasOtherBias && shape.hasTiedHead);
    return list.take();
}

} // namespace

std::int64_t Weight::elements() const
{
    std::int64_t result = 1;
    for (const std::int64_t size : shape)
        result *= size;
    return result;
}

std::string WeightGroup::nameOf(const Weight& weight, std::int64_t copy) const
{
    return isOfLayers() ? prefix + std::to_string(firstLayer + copy) + "." + weight.name : prefix + weight.name;
}

std::vector<WeightGroup> weightGroups(const ModelShape& shape)
{
    const ModulePaths& paths = modulePathsOf(shape);
    std::vector<WeightGroup> groups{embedding(shape, paths)};
    addStack(groups, shape, paths, WeightPlace::Layer, shape.layers);
    if (shape.decoderLayers > 0 && paths.decoder) {
        Lister bridge(shape, WeightPlace::Bridge, "");
        if (shape.hasFinalNorm)
            bridge.norm(paths.headNorm, shape.hidden);
        groups.push_back(bridge.take());
        addStack(groups, shape, *paths.decoder, WeightPlace::DecoderLayer, shape.decoderLayers);
        groups.push_back(head(shape, *paths.decoder));
        return groups;
    }
    groups.push_back(head(shape, paths));
    return groups;
}

std::int64_t parameterCount(const ModelShape& shape)
{
    std::int64_t sum = 0;
    for (const WeightGroup& group : weightGroups(shape))
        for (const Weight& weight : group.weights)
            sum += weight.isTied ? 0 : group.count * weight.elements();
    return sum;
}

} // namespace remat
