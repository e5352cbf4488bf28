// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace remat::testing {

/// LLaMA once more, written from the papers (Touvron et al. 2023; RMSNorm, Zhang & Sennrich 2019; RoPE, Su et al. 2021;
/// SwiGLU, Shazeer 2020; grouped queries, Ainslie et al. 2023) as plain loops in double precision, for the forward
/// alone.  It uses the standard library and nothing of this project: sizes come as numbers, weights by their framework
/// names, queries, keys and values as the columns of one matrix.
struct DoubleLlama {
    using Values = std::vector<double>;
    using Weights = std::map<std::string, Values>;
    /// Multipliers (0 or 1/(1-p)) of the dropout `name` of a stage, `count` of them.
    using Masks = std::function<Values(const std::string& stage, const std::string& name, std::size_t count)>;

    std::size_t batch, tokensPerSequence, layers, width, heads, groups, headWidth, ffn, vocabulary;
    double epsilon, base;
    bool hasQkvBias, hasOutBias, hasFfnBias, isTied;
    std::vector<std::int32_t> tokens, targets;
    Masks masks;

    double loss(const Weights& w) const
    {
        const Values& table = w.at("model.embed_tokens.weight");
        Values x(rows() * width);
        for (std::size_t r = 0; r < rows(); ++r)
            for (std::size_t c = 0; c < width; ++c)
                x[r * width + c] = table[static_cast<std::size_t>(tokens[r]) * width + c];
        for (std::size_t layer = 0; layer < layers; ++layer) {
            const std::string stage = "layer " + std::to_string(layer);
            const std::string p = "model.layers." + std::to_string(layer) + ".";
            const Values attended = attention(w, p, stage, norm(w.at(p + "input_layernorm.weight"), x));
            x = sum(x, attended);
            const Values fed = feedForward(w, p, norm(w.at(p + "post_attention_layernorm.weight"), x));
            x = sum(x, fed);
        }
        x = norm(w.at("model.norm.weight"), x);
        const Values& head = isTied ? table : w.at("lm_head.weight");
        double total = 0;
        for (std::size_t r = 0; r < rows(); ++r) {
            double exponentials = 0, ofTarget = 0;
            for (std::size_t v = 0; v < vocabulary; ++v) {
                double logit = 0;
                for (std::size_t c = 0; c < width; ++c)
                    logit += x[r * width + c] * head[v * width + c];
                exponentials += std::exp(logit);
                if (v == static_cast<std::size_t>(targets[r]))
                    ofTarget = logit;
            }
            total += std::log(exponentials) - ofTarget;
        }
        return total / static_cast<double>(rows());
    }

private:
    std::size_t rows() const { return batch * tokensPerSequence; }

    static const Values* biasOf(const Weights& w, const std::string& module, bool hasBias)
    {
        return hasBias ? &w.at(module + ".bias") : nullptr;
    }

    /// x W of the [in, out] matrix's columns [first, first + out).
    static Values product(const Values& x, std::size_t in, const Values& matrix, std::size_t columns, std::size_t first,
        std::size_t out, const Values* bias)
    {
        Values y(x.size() / in * out);
        for (std::size_t r = 0; r < x.size() / in; ++r)
            for (std::size_t o = 0; o < out; ++o) {
                double value = bias ? (*bias)[first + o] : 0.0;
                for (std::size_t k = 0; k < in; ++k)
                    value += x[r * in + k] * matrix[k * columns + first + o];
                y[r * out + o] = value;
            }
        return y;
    }

    Values norm(const Values& gamma, const Values& x) const
    {
        Values y(x.size());
        for (std::size_t r = 0; r < rows(); ++r) {
            double squares = 0;
            for (std::size_t c = 0; c < width; ++c)
                squares += x[r * width + c] * x[r * width + c];
            for (std::size_t c = 0; c < width; ++c)
                y[r * width + c]
                    = x[r * width + c] / std::sqrt(squares / static_cast<double>(width) + epsilon) * gamma[c];
        }
        return y;
    }

    /// Turns every head's elements c and c + D/2 as a complex number by position * base^(-2c/D).
    void turn(Values& x, std::size_t count) const
    {
        const std::size_t half = headWidth / 2;
        for (std::size_t r = 0; r < rows(); ++r)
            for (std::size_t head = 0; head < count; ++head)
                for (std::size_t c = 0; c < half; ++c) {
                    double& a = x[(r * count + head) * headWidth + c];
                    double& b = x[(r * count + head) * headWidth + c + half];
                    const double angle = static_cast<double>(r % tokensPerSequence)
                        / std::pow(base, 2.0 * static_cast<double>(c) / static_cast<double>(headWidth));
                    const double turnedA = a * std::cos(angle) - b * std::sin(angle);
                    b = a * std::sin(angle) + b * std::cos(angle);
                    a = turnedA;
                }
    }

    Values attention(const Weights& w, const std::string& p, const std::string& stage, const Values& x) const
    {
        const std::string name = p + "self_attn.{q_proj,k_proj,v_proj}";
        const Values& matrix = w.at(name + ".weight");
        const Values* bias = biasOf(w, name, hasQkvBias);
        const std::size_t ofQueries = heads * headWidth, ofKeys = groups * headWidth, all = ofQueries + 2 * ofKeys;
        Values q = product(x, width, matrix, all, 0, ofQueries, bias);
        Values k = product(x, width, matrix, all, ofQueries, ofKeys, bias);
        const Values v = product(x, width, matrix, all, ofQueries + ofKeys, ofKeys, bias);
        turn(q, heads);
        turn(k, groups);
        const Values mask = masks(stage, "attention", batch * heads * tokensPerSequence * tokensPerSequence);
        Values context(rows() * ofQueries, 0.0);
        for (std::size_t b = 0; b < batch; ++b)
            for (std::size_t head = 0; head < heads; ++head)
                for (std::size_t i = 0; i < tokensPerSequence; ++i) {
                    const std::size_t group = head * groups / heads, row = b * tokensPerSequence + i;
                    Values weight(i + 1);
                    double total = 0;
                    for (std::size_t j = 0; j <= i; ++j) {
                        double score = 0;
                        for (std::size_t c = 0; c < headWidth; ++c)
                            score += q[(row * heads + head) * headWidth + c]
                                * k[((b * tokensPerSequence + j) * groups + group) * headWidth + c];
                        total += weight[j] = std::exp(score / std::sqrt(static_cast<double>(headWidth)));
                    }
                    for (std::size_t j = 0; j <= i; ++j)
                        for (std::size_t c = 0; c < headWidth; ++c)
                            context[(row * heads + head) * headWidth + c] += weight[j] / total
                                * mask[((b * heads + head) * tokensPerSequence + i) * tokensPerSequence + j]
                                * v[((b * tokensPerSequence + j) * groups + group) * headWidth + c];
                }
        const std::string out = p + "self_attn.o_proj";
        return product(context, ofQueries, w.at(out + ".weight"), width, 0, width, biasOf(w, out, hasOutBias));
    }

    Values feedForward(const Weights& w, const std::string& p, const Values& x) const
    {
        const auto linear = [&](const std::string& module, const Values& in, std::size_t inWidth, std::size_t out) {
            return product(in, inWidth, w.at(module + ".weight"), out, 0, out, biasOf(w, module, hasFfnBias));
        };
        Values gate = linear(p + "mlp.gate_proj", x, width, ffn);
        const Values up = linear(p + "mlp.up_proj", x, width, ffn);
        for (std::size_t i = 0; i < gate.size(); ++i)
            gate[i] = gate[i] / (1.0 + std::exp(-gate[i])) * up[i];
        return linear(p + "mlp.down_proj", gate, ffn, width);
    }

    static Values sum(Values a, const Values& b)
    {
        for (std::size_t i = 0; i < a.size(); ++i)
            a[i] += b[i];
        return a;
    }
};

} // namespace remat::testing
