// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/torch/transformer.h"

namespace remat::torch {

namespace {

/// cat(-x2, x1) of the halves of the last dimension.
Tensor rotateHalf(const Tensor& x)
{
    const std::int64_t width = x.size(-1);
    const Tensor first = slice(x, -1, 0, width / 2), second = slice(x, -1, width / 2, width);
    const Tensor negated = neg(second);
    return cat({negated, first}, -1);
}

/// x cos + rotate_half(x) sin.
Tensor turned(const Tensor& x, const Tensor& cosine, const Tensor& sine)
{
    const Tensor straight = mul(x, cosine);
    Tensor across = rotateHalf(x);
    across = mul(across, sine);
    return add(straight, across);
}

/// repeat_interleave(x[:, :, None], 2, 3) of half tables (1, S, width / 2): a copy per call.
Tensor everyTwo(const Tensor& table)
{
    const Tensor wide = unsqueeze(unsqueeze(table, 2), 4);
    const Tensor both = expand(wide, {table.size(0), table.size(1), 1, table.size(2), 2});
    const Tensor copied = clone(both);
    return view(copied, {table.size(0), table.size(1), 1, 2 * table.size(2)});
}

/// x cos + rotate_every_two(x) sin.
Tensor turnedEveryTwo(const Tensor& x, const Tensor& cosine, const Tensor& sine)
{
    const Tensor sines = everyTwo(sine), cosines = everyTwo(cosine);
    const Tensor straight = mul(x, cosines);
    Tensor across;
    {
        const Tensor even = slice(x, -1, 0, x.size(-1), 2), odd = slice(x, -1, 1, x.size(-1), 2);
        Tensor pair;
        {
            const Tensor negated = neg(odd);
            pair = stackLast(negated, even);
        }
        across = view(pair, x.sizes());
    }
    across = mul(across, sines);
    return add(straight, across);
}

/// hidden[:, :, None].expand(...).reshape(...): keys and values for every head.
Tensor repeated(const Tensor& x, std::int64_t times)
{
    if (times == 1)
        return x;
    const Dims wide{x.size(0), x.size(1), times, x.size(2), x.size(3)};
    return reshape(expand(unsqueeze(x, 2), wide), {x.size(0), x.size(1) * times, x.size(2), x.size(3)});
}

} // namespace

Transformer::Heads Transformer::project(const AttentionModules& modules, const Tensor& hidden)
{
    const std::int64_t batch = hidden.size(0), length = hidden.size(1), width = m_shape.headWidth();
    const auto byHead = [&](const Tensor& x) {
        return transpose(view(x, {batch, length, x.size(-1) / width, width}), 1, 2);
    };
    Heads heads;
    switch (m_dialect.qkv) {
    case QkvLayout::Separate: {
        Tensor query = modules.qkv[0](hidden);
        if (m_dialect.eager == EagerForm::Scaled)
            query = mulScalar(query);
        if (m_shape.qkNorm == QkNorm::Width)
            query = modules.queryNorm(query);
        if (m_shape.qkNorm == QkNorm::Head) {
            query = view(query, {batch, length, m_shape.heads, width});
            heads.query = transpose(modules.queryNorm(query), 1, 2);
        } else {
            heads.query = byHead(query);
        }
        query.reset();
        Tensor key = modules.qkv[1](hidden);
        if (m_shape.qkNorm == QkNorm::Width)
            key = modules.keyNorm(key);
        if (m_shape.qkNorm == QkNorm::Head) {
            key = view(key, {batch, length, m_shape.groups(), width});
            heads.key = transpose(modules.keyNorm(key), 1, 2);
        } else {
            heads.key = byHead(key);
        }
        key.reset();
        heads.value = byHead(modules.qkv[2](hidden));
        break;
    }
    case QkvLayout::Columns: {
        std::vector<Tensor> parts = split(modules.qkv[0](hidden), m_shape.attentionWidth(), 2);
        heads = {byHead(parts[0]), byHead(parts[1]), byHead(parts[2]), {}};
        break;
    }
    case QkvLayout::Slices: {
        const Tensor all = modules.qkv[0](hidden);
        const std::int64_t queries = m_shape.attentionWidth(), keys = m_shape.keyValueWidth();
        const Tensor query = slice(all, -1, 0, queries), key = slice(all, -1, queries, queries + keys),
                     value = slice(all, -1, queries + keys, queries + 2 * keys);
        heads = {byHead(query), byHead(key), byHead(value), {}};
        break;
    }
    case QkvLayout::HeadChunks: {
        const Tensor all = transpose(view(modules.qkv[0](hidden), {batch, length, m_shape.heads, 3 * width}), 1, 2);
        std::vector<Tensor> parts = split(all, width, -1);
        heads = {parts[0], parts[1], parts[2], {}};
        break;
    }
    case QkvLayout::HeadSlots:
    case QkvLayout::FalconGroups:
        break;
    }
    return heads;
}

void Transformer::turn(Heads& heads, const SharedTensors& shared)
{
    if (m_shape.positions != PositionKind::Rotary)
        return;
    const Tensor cosine = unsqueeze(shared.cosine, 1), sine = unsqueeze(shared.sine, 1);
    const std::int64_t width = m_shape.headWidth(), part = m_shape.turnedWidth();
    switch (m_dialect.rotary) {
    case RotaryForm::Halves: {
        Tensor query = turned(heads.query, cosine, sine);
        Tensor key = turned(heads.key, cosine, sine);
        heads.query = std::move(query);
        heads.key = std::move(key);
        break;
    }
    case RotaryForm::HalvesInFloat: {
        Tensor query = turned(heads.query, cosine, sine);
        Tensor key = turned(heads.key, cosine, sine);
        heads.query = to(query, heads.query.dtype());
        heads.key = to(key, heads.key.dtype());
        break;
    }
    case RotaryForm::PartialTogether: {
        const Tensor queryPart = slice(heads.query, -1, 0, part), queryRest = slice(heads.query, -1, part, width);
        const Tensor keyPart = slice(heads.key, -1, 0, part), keyRest = slice(heads.key, -1, part, width);
        const Tensor query = turned(queryPart, cosine, sine);
        const Tensor key = turned(keyPart, cosine, sine);
        if (m_dialect.keepsTurnedParts)
            heads.held = {query, queryRest, key, keyRest};
        heads.query = cat({query, queryRest}, -1);
        heads.key = cat({key, keyRest}, -1);
        break;
    }
    case RotaryForm::PartialInLine: {
        const Tensor queryPart = slice(heads.query, -1, 0, part), queryRest = slice(heads.query, -1, part, width);
        const Tensor keyPart = slice(heads.key, -1, 0, part), keyRest = slice(heads.key, -1, part, width);
        Tensor query = turned(queryPart, cosine, sine);
        query = cat({query, queryRest}, -1);
        Tensor key = turned(keyPart, cosine, sine);
        key = cat({key, keyRest}, -1);
        heads.query = std::move(query);
        heads.key = std::move(key);
        break;
    }
    case RotaryForm::EveryTwo: {
        // Before heads and sequence are exchanged; keys first.
        const Tensor keys = transpose(heads.key, 1, 2), queries = transpose(heads.query, 1, 2);
        const Tensor keyPart = slice(keys, -1, 0, part), keyRest = slice(keys, -1, part, width);
        const Tensor queryPart = slice(queries, -1, 0, part), queryRest = slice(queries, -1, part, width);
        const Tensor key = turnedEveryTwo(keyPart, shared.cosine, shared.sine);
        const Tensor query = turnedEveryTwo(queryPart, shared.cosine, shared.sine);
        heads.held = {key, keyRest, query, queryRest};
        const Tensor wholeKey = cat({key, keyRest}, -1);
        const Tensor wholeQuery = cat({query, queryRest}, -1);
        heads.query = transpose(wholeQuery, 1, 2);
        heads.key = transpose(wholeKey, 1, 2);
        break;
    }
    }
}

Transformer::Attended Transformer::eager(const Heads& heads, const Tensor& mask, const Tensor& bias)
{
    const std::int64_t times = heads.query.size(1) / heads.key.size(1);
    const Tensor key = repeated(heads.key, times), value = repeated(heads.value, times);
    Tensor weights;
    if (m_dialect.eager == EagerForm::FloatProducts) {
        const Tensor query = to(heads.query, DType::Float32);
        Tensor wide = to(key, DType::Float32);
        wide = transpose(wide, 2, 3);
        weights = matmul(query, wide);
    } else {
        weights = matmul(heads.query, transpose(key, 2, 3));
    }
    weights = mulScalar(weights);
    if (m_shape.attentionSoftcap > 0) {
        weights = divScalar(weights);
        weights = tanh(weights);
        weights = mulScalar(weights);
    }
    if (bias)
        weights = add(weights, bias);
    if (mask)
        weights = add(weights, mask);
    if (m_dialect.eager == EagerForm::Model) {
        weights = softmax(weights, std::nullopt);
        if (m_dialect.qkv == QkvLayout::Columns)
            weights = to(weights, value.dtype());
    } else if (m_dialect.eager == EagerForm::FloatProducts) {
        const Tensor wide = softmax(weights, std::nullopt);
        weights = to(wide, value.dtype());
    } else {
        const Tensor wide = softmax(weights, DType::Float32);
        weights = to(wide, heads.query.dtype());
    }
    weights = dropout(weights, m_setup.attentionDropout);
    Tensor output = matmul(weights, value);
    output = transpose(output, 1, 2);
    if (m_dialect.copiesContext)
        output = contiguous(output);
    return {std::move(output), std::move(weights)};
}

Transformer::Attended Transformer::sdpa(
    const AttentionModules& modules, const Heads& heads, const Tensor& mask, const Tensor& bias)
{
    Tensor key = heads.key, value = heads.value, wholeMask = mask;
    const std::int64_t times = heads.query.size(1) / heads.key.size(1);
    bool hasGroups = false;
    if (times > 1) {
        hasGroups = !mask && m_dialect.hasNativeGroups && key.size(3) <= 256;
        if (!hasGroups) {
            key = repeated(key, times);
            value = repeated(value, times);
        }
    }
    const bool isCausal = modules.isCausal && !mask && heads.query.size(2) > 1;
    if (bias)
        wholeMask = bias;
    SdpaBackend backend = SdpaBackend::None;
    Tensor output = scaledDotProductAttention(
        heads.query, key, value, wholeMask, m_setup.attentionDropout, isCausal && !bias, hasGroups, &backend);
    m_backends.insert(backend);
    output = transpose(output, 1, 2);
    output = contiguous(output);
    return {std::move(output), {}};
}

/// DynamicCache.update on an empty cache: keys and values behind nothing, which copies them.  Transformers switches the
/// cache off where layers are checkpointed; only decoders have one.
void Transformer::updateCache(Tensor& key, Tensor& value)
{
    const bool hasRegions = std::any_of(
        m_setup.layers.begin(), m_setup.layers.end(), [](const LayerRegions& regions) { return regions.isAny(); });
    if (!m_setup.usesCache || hasRegions || m_shape.head != HeadKind::CausalLm)
        return;
    Tensor keys = cat({key}, -2);
    Tensor values = cat({value}, -2);
    m_cache.push_back(keys);
    m_cache.push_back(values);
    key = std::move(keys);
    value = std::move(values);
}

Transformer::Attended Transformer::interface(
    const AttentionModules& modules, const Heads& heads, const Tensor& mask, const Tensor& bias)
{
    return m_setup.attention == TorchAttention::Eager ? eager(heads, mask, bias) : sdpa(modules, heads, mask, bias);
}

Transformer::Attended Transformer::attend(
    const LayerModules& layer, const Tensor& hidden, const SharedTensors& shared, bool hasDropout)
{
    const AttentionModules& modules = layer.self;
    const ModuleScope scope(m_machine, modules.core);
    const std::int64_t batch = hidden.size(0), length = hidden.size(1);
    Heads heads = project(modules, hidden);
    turn(heads, shared);
    updateCache(heads.key, heads.value);
    const LayerRegions* regions = regionsOf(layer);
    Attended attended;
    if (regions && regions->isAttentionCore) {
        const auto core = [this, &modules](const std::vector<Tensor>& x) -> std::vector<Tensor> {
            Attended result = interface(modules, {x[0], x[1], x[2], {}}, x[3], {});
            return {result.output, result.weights};
        };
        // Decoders hand their positions to the attention function too, which has no use for them.
        std::vector<Tensor> outputs = checkpoint(m_machine, core,
            {heads.query, heads.key, heads.value, shared.mask, shared.positionIds}, regionOptions(*regions));
        attended = {std::move(outputs[0]), std::move(outputs[1])};
    } else {
        attended = interface(modules, heads, shared.mask, {});
    }
    attended.output = reshape(attended.output, {batch, length, m_shape.attentionWidth()});
    attended.output = contiguous(attended.output);
    if (m_dialect.hasOutputModules)
        return attended;
    attended.output = modules.out(attended.output);
    if (m_dialect.dropout == DropoutPlace::Module && hasDropout)
        attended.output = dropout(attended.output, branchDropout());
    return attended;
}

} // namespace remat::torch
