// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/torch/exact_layer.h"
#include "core/torch/transformer.h"

namespace remat::torch {

double Transformer::branchDropout() const
{
    return m_shape.attentionBranchOf({m_setup.embeddingDropout, m_setup.attentionDropout, m_setup.residualDropout});
}

const LayerRegions* Transformer::regionsOf(const LayerModules& layer) const
{
    const auto index = static_cast<std::size_t>(layer.index);
    return index < m_setup.layers.size() && m_setup.layers[index].isAny() ? &m_setup.layers[index] : nullptr;
}

RegionOptions Transformer::regionOptions(const LayerRegions& regions) const
{
    RegionOptions options;
    options.stopsEarly = m_setup.stopsEarly;
    options.isReentrant = m_setup.isReentrant;
    if (regions.saved.empty() && !regions.savesSdpa)
        return options;
    options.saves = [this, &regions](int module, OpCode op) {
        if (op == OpCode::FlashAttention || op == OpCode::EfficientAttention)
            return regions.savesSdpa;
        if (op != OpCode::Mm && op != OpCode::Addmm)
            return false;
        const std::string& own = m_machine.modulePath(module);
        return std::any_of(regions.saved.begin(), regions.saved.end(), [&](const std::string& name) {
            return own.size() > name.size() && own.ends_with(name) && own[own.size() - name.size() - 1] == '.';
        });
    };
    return options;
}

/// The attention module, as a region if the setup says so; with `norm` its region runs that first.
Transformer::Attended Transformer::attentionModule(
    const LayerModules& layer, const Tensor& hidden, const SharedTensors& shared, const Norm* norm)
{
    const LayerRegions* regions = regionsOf(layer);
    const bool isRegion = regions && regions->isAttention;
    const bool hasTailOutside = isRegion && regions->hasAttentionTail && m_dialect.dropout == DropoutPlace::Module;
    const auto run
        = [this, &layer, shared, norm, hasTailOutside](const std::vector<Tensor>& in) -> std::vector<Tensor> {
        const Tensor x = norm ? (*norm)(in[0]) : in[0];
        const ModuleScope scope(m_machine, layer.self.module);
        Attended attended = m_dialect.eager == EagerForm::GptNeo
            ? attendGptNeo(layer.self, x, shared, m_buffers[static_cast<std::size_t>(layer.index)], !hasTailOutside)
            : attend(layer, x, shared, !hasTailOutside);
        if (m_dialect.hasOutputModules) {
            const ModuleScope output(m_machine, layer.self.outputModule);
            Tensor y = layer.self.out(attended.output);
            y = dropout(y, m_setup.residualDropout);
            const Tensor sum = add(y, x);
            attended.output = layer.norm1(sum);
        }
        return {attended.output, attended.weights};
    };
    std::vector<Tensor> outputs
        = isRegion ? checkpoint(m_machine, run, {hidden}, regionOptions(*regions)) : run({hidden});
    if (hasTailOutside)
        outputs[0] = dropout(outputs[0], branchDropout());
    return {std::move(outputs[0]), std::move(outputs[1])};
}

/// The FFN module's forward; BERT's feed_forward_chunk with its second norm.
Tensor Transformer::ffn(const LayerModules& layer, Tensor input, bool hasDropout)
{
    if (m_shape.experts > 0)
        return expertsFfn(layer, input);
    Tensor hidden;
    {
        const ModuleScope scope(m_machine, layer.ffnModule);
        if (m_shape.ffnKind == FfnKind::Gated && m_shape.hasFusedGate) {
            const Tensor both = layer.up(input);
            const std::vector<Tensor> parts = split(both, m_shape.ffn, -1);
            const Tensor gate = activate(m_shape.activation, m_shape.activationForm, parts[0]);
            hidden = mul(parts[1], gate);
        } else if (m_shape.ffnKind == FfnKind::Gated) {
            Tensor gate = layer.gate(input);
            gate = activate(m_shape.activation, m_shape.activationForm, gate);
            const Tensor up = layer.up(input);
            hidden = mul(gate, up);
        } else {
            hidden = layer.up(input);
            if (m_dialect.flattensFfn)
                input.reset(); // Not a module: nothing holds an argument.
            hidden = activate(m_shape.activation, m_shape.activationForm, hidden);
        }
        if (!m_dialect.hasOutputModules) {
            hidden = layer.down(hidden);
            if (m_dialect.dropout == DropoutPlace::Module && hasDropout)
                hidden = dropout(hidden, m_setup.residualDropout);
            return hidden;
        }
    }
    const ModuleScope scope(m_machine, layer.ffnOutputModule);
    Tensor output = layer.down(hidden);
    output = dropout(output, m_setup.residualDropout);
    const Tensor sum = add(output, input);
    return layer.norm2(sum);
}

/// The FFN module, as a region if the setup says so; with `norm` its region runs that first.
Tensor Transformer::ffnModule(const LayerModules& layer, Tensor hidden, const Norm* norm)
{
    const LayerRegions* regions = regionsOf(layer);
    if (!regions || !regions->isFfn)
        return ffn(layer, std::move(hidden), true);
    const bool hasTailOutside = regions->hasFfnTail && m_dialect.dropout == DropoutPlace::Module;
    const auto run = [this, &layer, norm, hasTailOutside](const std::vector<Tensor>& x) {
        return std::vector<Tensor>{ffn(layer, norm ? (*norm)(x[0]) : x[0], !hasTailOutside)};
    };
    Tensor output = checkpoint(m_machine, run, {hidden}, regionOptions(*regions))[0];
    return hasTailOutside ? dropout(output, m_setup.residualDropout) : output;
}

/// norm(x + f x), twice.
Tensor Transformer::postNormLayer(const LayerModules& layer, const Tensor& input, const SharedTensors& shared)
{
    if (!m_dialect.hasOutputModules) {
        Attended attended = attentionModule(layer, input, shared);
        Tensor hidden = std::move(attended.output);
        if (m_dialect.dropout == DropoutPlace::Layer)
            hidden = dropout(hidden, branchDropout());
        {
            const Tensor sum = add(hidden, input);
            if (m_dialect.flattensFfn)
                hidden = sum;
            hidden = layer.norm1(sum);
        }
        const Dims sizes = hidden.sizes();
        if (m_dialect.flattensFfn)
            hidden = reshape(hidden, {hidden.elements() / hidden.size(-1), hidden.size(-1)});
        const Tensor residual = hidden;
        hidden = ffnModule(layer, hidden);
        if (m_dialect.dropout == DropoutPlace::Layer)
            hidden = dropout(hidden, m_setup.residualDropout);
        Tensor sum = add(residual, hidden);
        if (m_dialect.flattensFfn) {
            hidden.reset();
            sum = view(sum, sizes);
        }
        return layer.norm2(sum);
    }
    const Attended attended = attentionModule(layer, input, shared);
    return ffnModule(layer, attended.output);
}

/// x + attention(norm x) + ffn(norm' x).
Tensor Transformer::parallelLayer(const LayerModules& layer, const Tensor& input, const SharedTensors& shared)
{
    const bool isInLayer = m_dialect.dropout == DropoutPlace::Layer;
    if (m_shape.block == BlockKind::ParallelTwoNorms) {
        Attended attended = attentionModule(layer, layer.norm1(input), shared);
        if (isInLayer)
            attended.output = dropout(attended.output, m_setup.residualDropout);
        Tensor branch = ffnModule(layer, layer.norm2(input));
        if (isInLayer)
            branch = dropout(branch, m_setup.residualDropout);
        const Tensor sum = add(branch, attended.output);
        return add(sum, input);
    }
    const Tensor normed = layer.norm1(input);
    Attended attended = attentionModule(layer, normed, shared);
    if (isInLayer)
        attended.output = dropout(attended.output, m_setup.residualDropout);
    Tensor branch = ffnModule(layer, normed);
    if (isInLayer)
        branch = dropout(branch, m_setup.residualDropout);
    const Tensor sum = add(attended.output, branch);
    return add(sum, input);
}

/// x + f(norm x), with a norm behind f too (sandwich) or only there (branch).
std::vector<Tensor> Transformer::serialLayer(
    const LayerModules& layer, const Tensor& input, const SharedTensors& shared)
{
    const bool isInLayer = m_dialect.dropout == DropoutPlace::Layer;
    const bool hasNormBefore = m_shape.normPlace != NormPlace::Branch;
    const bool hasNormBehind = m_shape.normPlace != NormPlace::Pre;
    const Norm& ffnNorm = m_shape.normPlace == NormPlace::Sandwich ? layer.norm3 : layer.norm2;
    const Norm& behindAttention = m_shape.normPlace == NormPlace::Sandwich ? layer.norm2 : layer.norm1;
    const Norm& behindFfn = m_shape.normPlace == NormPlace::Sandwich ? layer.norm4 : layer.norm2;

    // A norm inside a region is run there, and its call here passes its input through.
    const LayerRegions* regions = regionsOf(layer);
    const Norm* attentionNorm
        = hasNormBefore && regions && regions->isAttention && regions->hasAttentionNorm ? &layer.norm1 : nullptr;
    const Norm* innerFfnNorm = hasNormBefore && regions && regions->isFfn && regions->hasFfnNorm ? &ffnNorm : nullptr;

    Tensor hidden = hasNormBefore && !attentionNorm ? layer.norm1(input) : input;
    Attended attended = attentionModule(layer, hidden, shared, attentionNorm);
    // Where the branch's output has a name of its own, what the norm made keeps the other one until the sum.
    Tensor branch = std::move(attended.output);
    if (!m_dialect.keepsBranchOutput)
        hidden.reset();
    if (isInLayer)
        branch = dropout(branch, branchDropout());
    if (hasNormBehind)
        branch = behindAttention(branch);
    hidden = add(input, branch);
    if (!m_dialect.keepsBranchOutput)
        branch.reset();

    const Dims sizes = hidden.sizes();
    if (m_dialect.flattensFfn)
        hidden = reshape(hidden, {hidden.elements() / hidden.size(-1), hidden.size(-1)});
    const Tensor residual = hidden;
    if (hasNormBefore && !innerFfnNorm)
        hidden = ffnNorm(hidden);
    Tensor ffnBranch = m_dialect.flattensFfn ? ffnModule(layer, std::move(hidden), innerFfnNorm)
                                             : ffnModule(layer, hidden, innerFfnNorm);
    if (!m_dialect.keepsBranchOutput)
        hidden.reset();
    if (isInLayer)
        ffnBranch = dropout(ffnBranch, m_setup.residualDropout);
    if (hasNormBehind)
        ffnBranch = behindFfn(ffnBranch);
    hidden = add(residual, ffnBranch);
    if (m_dialect.eager == EagerForm::GptNeo)
        return {hidden, attended.weights};
    return {m_dialect.flattensFfn ? view(hidden, sizes) : hidden};
}

/// The layer's output and, of types whose layers return them, the attention's weights.
std::vector<Tensor> Transformer::layerForward(
    const LayerModules& layer, const Tensor& input, const SharedTensors& shared)
{
    const ModuleScope scope(m_machine, layer.module);
    if (m_dialect.eager == EagerForm::Bloom)
        return bloomLayer(layer, input, shared);
    if (m_dialect.eager == EagerForm::Falcon)
        return falconLayer(layer, input, shared);
    if (m_shape.normPlace == NormPlace::Post)
        return {postNormLayer(layer, input, shared)};
    if (m_shape.block != BlockKind::Serial)
        return {parallelLayer(layer, input, shared)};
    return serialLayer(layer, input, shared);
}

std::vector<Tensor> Transformer::runLayer(const LayerModules& layer, const Tensor& input, const SharedTensors& shared)
{
    const LayerRegions* regions = regionsOf(layer);
    if (regions && regions->isExact)
        return keepExactly(m_machine, layer.module, regions->kept, [&] { return layerForward(layer, input, shared); });
    if (!regions || !regions->isBlock)
        return layerForward(layer, input, shared);
    const auto run = [this, &layer, shared](const std::vector<Tensor>& x) { return layerForward(layer, x[0], shared); };
    return checkpoint(m_machine, run, {input}, regionOptions(*regions));
}

/// The loop over all layers; k layers of a span are one region, whatever regions they have themselves inside.  The
/// loop's variable holds all that a layer returned until the next one has.
Tensor Transformer::runLayers(Tensor hidden, const SharedTensors& shared, const SharedTensors& windowed)
{
    const auto tensorsOf = [&](const LayerModules& layer) -> const SharedTensors& {
        return hasTwoKindsOfLayers() && m_shape.hasWindow(layer.index) ? windowed : shared;
    };
    std::vector<Tensor> outputs;
    for (std::size_t i = 0; i < m_layers.size();) {
        const LayerRegions* regions = regionsOf(m_layers[i]);
        const std::size_t span = regions && regions->span > 1 ? static_cast<std::size_t>(regions->span) : 1;
        const std::size_t end = std::min(i + span, m_layers.size());
        if (span == 1) {
            outputs = runLayer(m_layers[i], hidden, tensorsOf(m_layers[i]));
            hidden = outputs[0];
        } else {
            std::vector<SharedTensors> own;
            for (std::size_t j = i; j < end; ++j)
                own.push_back(tensorsOf(m_layers[j]));
            const auto run = [this, i, end, own](const std::vector<Tensor>& x) {
                Tensor y = x[0];
                for (std::size_t j = i; j < end; ++j)
                    y = runLayer(m_layers[j], y, own[j - i])[0];
                return std::vector<Tensor>{y};
            };
            RegionOptions options;
            options.stopsEarly = m_setup.stopsEarly;
            options.isReentrant = m_setup.isReentrant;
            hidden = checkpoint(m_machine, run, {hidden}, options)[0];
        }
        i = end;
    }
    return hidden;
}

} // namespace remat::torch
