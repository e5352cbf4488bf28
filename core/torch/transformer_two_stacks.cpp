// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/torch/transformer.h"

namespace remat::torch {

namespace {

constexpr const char* kProjections[] = {"q", "k", "v"};

} // namespace

void Transformer::makeStacks()
{
    m_finalNorm = makeNorm("encoder.final_layer_norm", m_shape.hidden);
    m_decoderNorm = makeNorm("decoder.final_layer_norm", m_shape.hidden);
    for (std::int64_t i = 0; i < m_shape.layers; ++i)
        m_layers.push_back(makeStackLayer("encoder", i, false));
    for (std::int64_t i = 0; i < m_shape.decoderLayers; ++i)
        m_layers.push_back(makeStackLayer("decoder", i, true));
}

LayerModules Transformer::makeStackLayer(const std::string& stack, std::int64_t index, bool isDecoder)
{
    const std::string own = stack + ".block." + std::to_string(index);
    LayerModules layer;
    layer.module = path(own);
    layer.index = isDecoder ? m_shape.layers + index : index;
    layer.isDecoder = isDecoder;
    const auto attention = [&](const std::string& name, bool isCross) {
        AttentionModules modules;
        modules.core = modules.module = path(own + "." + name);
        modules.isCross = isCross;
        modules.isCausal = isDecoder && !isCross;
        for (const char* projection : kProjections)
            modules.qkv.push_back(makeLinear(
                own + "." + name + "." + projection, m_shape.hidden, m_shape.attentionWidth(), m_shape.hasQkvBias));
        modules.out = makeLinear(
            own + "." + name + ".o", m_shape.attentionWidth(), m_shape.hidden, m_shape.hasAttentionOutBias);
        if (index == 0 && !isCross) {
            modules.biasModule = path(own + "." + name + ".relative_attention_bias");
            modules.biasTable = parameter({m_shape.relativeBuckets, m_shape.heads});
        }
        return modules;
    };
    layer.selfModule = path(own + ".layer.0");
    layer.self = attention("layer.0.SelfAttention", false);
    layer.norm1 = makeNorm(own + ".layer.0.layer_norm", m_shape.hidden);
    if (isDecoder) {
        layer.crossModule = path(own + ".layer.1");
        layer.cross = attention("layer.1.EncDecAttention", true);
        layer.norm3 = makeNorm(own + ".layer.1.layer_norm", m_shape.hidden);
    }
    const std::string ffn = own + (isDecoder ? ".layer.2" : ".layer.1");
    layer.ffnModule = path(ffn);
    layer.ffnOutputModule = path(ffn + ".DenseReluDense");
    layer.norm2 = makeNorm(ffn + ".layer_norm", m_shape.hidden);
    const bool isGated = m_shape.ffnKind == FfnKind::Gated;
    if (isGated)
        layer.gate = makeLinear(ffn + ".DenseReluDense.wi_0", m_shape.hidden, m_shape.ffn, m_shape.hasFfnBias);
    layer.up = makeLinear(ffn + (isGated ? ".DenseReluDense.wi_1" : ".DenseReluDense.wi"), m_shape.hidden, m_shape.ffn,
        m_shape.hasFfnBias);
    layer.down = makeLinear(ffn + ".DenseReluDense.wo", m_shape.ffn, m_shape.hidden, m_shape.hasFfnBias);
    return layer;
}

/// T5Attention.compute_bias: buckets of distances from about twenty ops on (S, S) whole numbers, then a row of the
/// table for each.
Tensor Transformer::distanceBias(const AttentionModules& modules, std::int64_t queries, std::int64_t keys)
{
    Machine& m = m_machine;
    const auto range = [&](std::int64_t count) {
        Tensor r = m.make(OpCode::Arange, {count}, DType::Int64);
        m.record(OpCode::Arange, {{}, r.bytes(), {}});
        return r;
    };
    Tensor context = range(queries);
    context = pointwise(OpCode::Add, DType::Int64, {&context});
    const Tensor memory = range(keys);
    const Tensor rows = unsqueeze(context, 1), columns = unsqueeze(memory, 0);
    const Tensor distance = pointwise(OpCode::Sub, DType::Int64, {&columns, &rows});
    Tensor buckets;
    {
        Tensor position, base;
        if (!modules.isCausal) {
            Tensor isAfter = pointwise(OpCode::Compare, DType::Bool, {&distance});
            base = pointwise(OpCode::ToCopy, DType::Int64, {&isAfter});
            isAfter.reset();
            base = pointwise(OpCode::Mul, DType::Int64, {&base});
            base = pointwise(OpCode::Add, DType::Int64, {&base});
            position = pointwise(OpCode::Abs, DType::Int64, {&distance});
        } else {
            Tensor zeros = pointwise(OpCode::Zeros, DType::Int64, {&distance});
            Tensor least = pointwise(OpCode::Minimum, DType::Int64, {&distance, &zeros});
            zeros.reset();
            position = pointwise(OpCode::Neg, DType::Int64, {&least});
        }
        const Tensor isSmall = pointwise(OpCode::Compare, DType::Bool, {&position});
        Tensor large;
        {
            Tensor x = pointwise(OpCode::ToCopy, DType::Float32, {&position});
            x = pointwise(OpCode::Div, DType::Float32, {&x});
            x = pointwise(OpCode::Log, DType::Float32, {&x});
            x = pointwise(OpCode::Div, DType::Float32, {&x});
            x = pointwise(OpCode::Mul, DType::Float32, {&x});
            x = pointwise(OpCode::ToCopy, DType::Int64, {&x});
            large = pointwise(OpCode::Add, DType::Int64, {&x});
        }
        {
            const Tensor most = pointwise(OpCode::Zeros, DType::Int64, {&large});
            large = pointwise(OpCode::Minimum, DType::Int64, {&large, &most});
        }
        const Tensor chosen = pointwise(OpCode::Where, DType::Int64, {&isSmall, &position, &large});
        buckets = base ? base : pointwise(OpCode::Add, DType::Int64, {&chosen});
    }
    Tensor values;
    {
        const ModuleScope scope(m, modules.biasModule);
        values = embedding(modules.biasTable, buckets);
    }
    return unsqueeze(transpose(transpose(values, 1, 2), 0, 1), 0); // (1, heads, S, S), kept heads last
}

/// T5Attention.forward: output, position bias, weights.
std::vector<Tensor> Transformer::biasedAttention(const AttentionModules& modules, const Tensor& hidden,
    const Tensor& keyValues, const Tensor& mask, const Tensor& given)
{
    const ModuleScope scope(m_machine, modules.core);
    const std::int64_t width = m_shape.headWidth();
    const auto byHead = [&](const Tensor& x) {
        return transpose(view(x, {x.size(0), x.size(1), m_shape.heads, width}), 1, 2);
    };
    const Tensor& source = modules.isCross ? keyValues : hidden;
    Heads heads;
    heads.query = byHead(modules.qkv[0](hidden));
    heads.key = byHead(modules.qkv[1](source));
    heads.value = byHead(modules.qkv[2](source));
    Tensor bias = given;
    if (!bias && modules.biasTable) {
        bias = distanceBias(modules, hidden.size(1), source.size(1));
    } else if (!bias) {
        bias = m_machine.make(OpCode::Zeros, {1, m_shape.heads, hidden.size(1), source.size(1)}, heads.query.dtype());
        m_machine.record(OpCode::Zeros, {{}, bias.bytes(), {}});
        bias.impl()->requiresGrad = m_setup.hasOwnCheckpointing;
    }
    Attended attended;
    if (m_setup.attention == TorchAttention::Eager) {
        attended = eager(heads, mask, bias);
    } else {
        Tensor additive = bias;
        if (modules.isCausal) {
            const std::int64_t queries = hidden.size(1), keys = source.size(1);
            Tensor row = m_machine.make(OpCode::Arange, {queries}, DType::Int64);
            m_machine.record(OpCode::Arange, {{}, row.bytes(), {}});
            Tensor column = m_machine.make(OpCode::Arange, {keys}, DType::Int64);
            m_machine.record(OpCode::Arange, {{}, column.bytes(), {}});
            const Tensor rows = unsqueeze(row, 1), columns = unsqueeze(column, 0);
            const Tensor seen = pointwise(OpCode::Compare, DType::Bool, {&rows, &columns});
            additive = where(view(seen, {1, 1, queries, keys}), bias);
        }
        additive = contiguous(additive);
        attended = sdpa(modules, heads, {}, additive);
    }
    attended.output = reshape(attended.output, {hidden.size(0), hidden.size(1), m_shape.attentionWidth()});
    attended.output = contiguous(attended.output);
    attended.output = modules.out(attended.output);
    return {attended.output, bias, attended.weights};
}

/// T5LayerSelfAttention and T5LayerCrossAttention: hidden + dropout(attention(norm hidden)).
std::vector<Tensor> Transformer::stackAttention(const LayerModules& layer, const AttentionModules& modules, int module,
    const Norm& norm, const Tensor& hidden, const Tensor& keyValues, const Tensor& mask, const Tensor& bias)
{
    const auto run = [this, &modules, module, &norm, keyValues, mask, bias](const std::vector<Tensor>& x) {
        const ModuleScope scope(m_machine, module);
        const Tensor normed = norm(x[0]);
        std::vector<Tensor> results = biasedAttention(modules, normed, keyValues, mask, x.size() > 1 ? x[1] : bias);
        {
            const Tensor dropped = dropout(results[0], m_setup.residualDropout);
            results[0] = add(x[0], dropped);
        }
        return results;
    };
    const LayerRegions* regions = regionsOf(layer);
    if (regions && regions->isAttention && !modules.isCross) {
        // The backward of a reentrant region must not run on into the graph of a bias that it only captured.
        const std::vector<Tensor> arguments
            = m_setup.isReentrant ? std::vector<Tensor>{hidden, bias} : std::vector<Tensor>{hidden};
        return checkpoint(m_machine, run, arguments, regionOptions(*regions));
    }
    return run({hidden});
}

/// T5LayerFF: hidden + dropout(wo(dropout(act(wi(norm hidden))))).
Tensor Transformer::stackFfn(const LayerModules& layer, const Tensor& hidden)
{
    const auto run = [this, &layer](const std::vector<Tensor>& x) -> std::vector<Tensor> {
        const ModuleScope scope(m_machine, layer.ffnModule);
        Tensor forwarded = layer.norm2(x[0]);
        const auto dense = [&](const Tensor& input) {
            const ModuleScope inside(m_machine, layer.ffnOutputModule);
            Tensor gate, up, y;
            if (layer.gate.isGiven()) {
                gate = layer.gate(input);
                gate = activate(m_shape.activation, m_shape.activationForm, gate);
                up = layer.up(input);
                y = mul(gate, up);
            } else {
                y = layer.up(input);
                y = activate(m_shape.activation, m_shape.activationForm, y);
            }
            y = dropout(y, m_setup.residualDropout);
            return layer.down(to(y, layer.down.weight.dtype()));
        };
        forwarded = dense(forwarded);
        const Tensor dropped = dropout(forwarded, m_setup.residualDropout);
        return {add(x[0], dropped)};
    };
    const LayerRegions* regions = regionsOf(layer);
    if (regions && regions->isFfn)
        return checkpoint(m_machine, run, {hidden}, regionOptions(*regions))[0];
    return run({hidden})[0];
}

/// T5Block.forward: hidden, own bias, cross bias in and out; the encoder's output is the second argument.
std::vector<Tensor> Transformer::stackLayer(
    const LayerModules& layer, const std::vector<Tensor>& arguments, const Tensor& mask)
{
    const ModuleScope scope(m_machine, layer.module);
    std::vector<Tensor> own
        = stackAttention(layer, layer.self, layer.selfModule, layer.norm1, arguments[0], {}, mask, arguments[2]);
    Tensor hidden = std::move(own[0]);
    Tensor crossBias;
    if (layer.isDecoder) {
        std::vector<Tensor> cross = stackAttention(
            layer, layer.cross, layer.crossModule, layer.norm3, hidden, arguments[1], {}, arguments[3]);
        own[2] = std::move(cross[2]); // The same name, "_".
        hidden = std::move(cross[0]);
        crossBias = std::move(cross[1]);
    }
    hidden = stackFfn(layer, hidden);
    return {hidden, own[1], crossBias};
}

/// T5Stack.forward; without an encoder's output it is the encoder.
Tensor Transformer::runStack(const Tensor& ids, const Tensor& encoderOutput)
{
    const bool isDecoder = encoderOutput.defined();
    const ModuleScope scope(m_machine, path(isDecoder ? "decoder" : "encoder"));
    Tensor embedded;
    {
        const ModuleScope table(m_machine, path(isDecoder ? "decoder.embed_tokens" : "encoder.embed_tokens"));
        embedded = embedding(m_tokenTable, ids);
    }
    const Tensor mask = isDecoder ? attentionMask(false) : Tensor();
    Tensor hidden;
    {
        const ModuleScope module(m_machine, path(isDecoder ? "decoder.dropout" : "encoder.dropout"));
        hidden = dropout(embedded, m_setup.embeddingDropout);
    }
    Tensor bias, crossBias;
    for (const LayerModules& layer : m_layers) {
        if (layer.isDecoder != isDecoder)
            continue;
        const std::vector<Tensor> arguments{hidden, encoderOutput, bias, crossBias};
        const LayerRegions* regions = regionsOf(layer);
        std::vector<Tensor> results;
        if (regions && regions->isBlock) {
            results = checkpoint(
                m_machine, [this, &layer, mask](const std::vector<Tensor>& x) { return stackLayer(layer, x, mask); },
                arguments, regionOptions(*regions));
        } else {
            results = stackLayer(layer, arguments, mask);
        }
        hidden = std::move(results[0]);
        bias = std::move(results[1]);
        crossBias = std::move(results[2]);
    }
    hidden = (isDecoder ? m_decoderNorm : m_finalNorm)(hidden);
    const ModuleScope module(m_machine, path(isDecoder ? "decoder.dropout" : "encoder.dropout"));
    return dropout(hidden, m_setup.embeddingDropout);
}

Transformer::Output Transformer::forwardTwoStacks(const Inputs& inputs)
{
    Output output;
    const Tensor encoded = runStack(inputs.ids, {});
    Tensor decoderIds = inputs.labels;
    if (m_setup.loss == TorchLoss::ModelLoss) {
        // _shift_right(labels)
        Tensor shifted = m_machine.make(OpCode::Zeros, inputs.labels.sizes(), DType::Int64);
        m_machine.record(OpCode::Zeros, {{}, shifted.bytes(), {}});
        {
            const Tensor copied = clone(slice(inputs.labels, 1, 0, inputs.labels.size(1) - 1));
        }
        const Tensor isPadding = pointwise(OpCode::Compare, DType::Bool, {&shifted});
        decoderIds = std::move(shifted);
    }
    const Tensor decoded = runStack(decoderIds, encoded);
    Tensor hidden = decoded;
    if (m_shape.hasScaledHeadInput)
        hidden = mulScalar(hidden);
    output.logits = m_logits(hidden);
    if (m_setup.loss == TorchLoss::ModelLoss)
        output.loss = lossOf(output.logits, inputs.labels);
    output.cache.push_back(encoded); // encoder_last_hidden_state
    return output;
}

} // namespace remat::torch
