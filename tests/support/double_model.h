// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "core/model/model_shape.h"
#include "core/model/training_setup.h"

namespace remat::testing {

/// GPT-2 and BERT once more, written from their papers as plain loops in double precision, for the forward alone.
///
/// It shares nothing with the tapes or the kernels: weights are found by their framework names, dropout comes in as a
/// multiplier per element.  Finite differences of its loss judge the executor's gradients.
class DoubleModel {
public:
    using Weights = std::map<std::string, std::vector<double>>;
    /// Multipliers (0 or 1/(1-p)) of the dropout `name` of a stage ("embedding", "layer 0", ...), `count` of them.
    using Masks
        = std::function<std::vector<double>(const std::string& stage, const std::string& name, std::size_t count)>;

    DoubleModel(const ModelShape& shape, const TrainingSetup& setup, std::vector<std::int32_t> tokens,
        std::vector<std::int32_t> targets, Masks masks)
        : m_shape(shape),
          m_isPre(shape.normPlace == NormPlace::Pre),
          m_b(size(setup.batch)),
          m_t(size(setup.sequence)),
          m_c(size(shape.hidden)),
          m_tokens(std::move(tokens)),
          m_targets(std::move(targets)),
          m_masks(std::move(masks))
    { }

    double loss(const Weights& weights) const
    {
        Values x = embedded(weights);
        for (std::int64_t layer = 0; layer < m_shape.layers; ++layer)
            x = block(weights, layer, x);
        return head(weights, x);
    }

private:
    using Values = std::vector<double>;
    static std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }
    std::size_t rows() const { return m_b * m_t; }

    Values embedded(const Weights& w) const
    {
        const std::string p = m_isPre ? "transformer." : "bert.embeddings.";
        const Values& table = w.at(p + (m_isPre ? "wte.weight" : "word_embeddings.weight"));
        const Values& positions = w.at(p + (m_isPre ? "wpe.weight" : "position_embeddings.weight"));
        Values x(rows() * m_c);
        for (std::size_t r = 0; r < rows(); ++r)
            for (std::size_t c = 0; c < m_c; ++c)
                x[r * m_c + c] = table[size(m_tokens[r]) * m_c + c] + positions[r % m_t * m_c + c]
                    + (m_isPre ? 0.0 : w.at(p + "token_type_embeddings.weight")[c]);
        if (!m_isPre)
            x = norm(w, p + "LayerNorm", x);
        return dropped("embedding", "embedding_drop", x);
    }

    Values block(const Weights& w, std::int64_t layer, const Values& x) const
    {
        const std::string stage = "layer " + std::to_string(layer);
        const std::string p = (m_isPre ? "transformer.h." : "bert.encoder.layer.") + std::to_string(layer) + ".";
        const auto attend = [&](const Values& in) {
            const Values qkv
                = linear(w, p + (m_isPre ? "attn.c_attn" : "attention.self.{query,key,value}"), in, m_c, 3 * m_c);
            const Values context = attention(stage, qkv);
            return dropped(stage, "attn_drop",
                linear(w, p + (m_isPre ? "attn.c_proj" : "attention.output.dense"), context, m_c, m_c));
        };
        const auto feed = [&](const Values& in) {
            const std::size_t f = size(m_shape.ffn);
            Values up = linear(w, p + (m_isPre ? "mlp.c_fc" : "intermediate.dense"), in, m_c, f);
            activate(up);
            return dropped(stage, "ffn_drop", linear(w, p + (m_isPre ? "mlp.c_proj" : "output.dense"), up, f, m_c));
        };
        if (m_isPre) {
            const Values middle = sum(x, attend(norm(w, p + "ln_1", x)));
            return sum(middle, feed(norm(w, p + "ln_2", middle)));
        }
        const Values middle = norm(w, p + "attention.output.LayerNorm", sum(x, attend(x)));
        return norm(w, p + "output.LayerNorm", sum(middle, feed(middle)));
    }

    double head(const Weights& w, const Values& x) const
    {
        const std::size_t v = size(m_shape.vocabulary);
        Values in;
        if (m_isPre) {
            in = norm(w, "transformer.ln_f", x);
        } else {
            in = linear(w, "cls.predictions.transform.dense", x, m_c, m_c);
            activate(in);
            in = norm(w, "cls.predictions.transform.LayerNorm", in);
        }
        const std::string tied = m_isPre ? "transformer.wte.weight" : "bert.embeddings.word_embeddings.weight";
        const std::string own = m_isPre ? "lm_head.weight" : "cls.predictions.decoder.weight";
        const Values& table = w.at(m_shape.hasTiedHead ? tied : own);
        double total = 0;
        for (std::size_t r = 0; r < rows(); ++r) {
            Values logits(v);
            for (std::size_t k = 0; k < v; ++k) {
                logits[k] = m_isPre ? 0.0 : w.at("cls.predictions.decoder.bias")[k];
                for (std::size_t c = 0; c < m_c; ++c)
                    logits[k] += in[r * m_c + c] * table[k * m_c + c];
            }
            double sum = 0;
            for (const double logit : logits)
                sum += std::exp(logit);
            total += std::log(sum) - logits[size(m_targets[r])];
        }
        return total / static_cast<double>(rows());
    }

    Values attention(const std::string& stage, const Values& qkv) const
    {
        const std::size_t h = size(m_shape.heads), d = m_c / h;
        const Values mask = m_masks(stage, "attention", m_b * h * m_t * m_t);
        Values out(rows() * m_c, 0.0);
        for (std::size_t b = 0; b < m_b; ++b)
            for (std::size_t head = 0; head < h; ++head)
                for (std::size_t i = 0; i < m_t; ++i) {
                    const std::size_t visible = m_shape.isCausal ? i + 1 : m_t;
                    const auto at = [&](std::size_t row, std::size_t part, std::size_t e) {
                        return qkv[(b * m_t + row) * 3 * m_c + part * m_c + head * d + e];
                    };
                    Values p(visible);
                    double sum = 0;
                    for (std::size_t j = 0; j < visible; ++j) {
                        double score = 0;
                        for (std::size_t e = 0; e < d; ++e)
                            score += at(i, 0, e) * at(j, 1, e);
                        sum += p[j] = std::exp(score / std::sqrt(static_cast<double>(d)));
                    }
                    for (std::size_t j = 0; j < visible; ++j)
                        for (std::size_t e = 0; e < d; ++e)
                            out[(b * m_t + i) * m_c + head * d + e]
                                += p[j] / sum * mask[((b * h + head) * m_t + i) * m_t + j] * at(j, 2, e);
                }
        return out;
    }

    Values dropped(const std::string& stage, const std::string& name, Values x) const
    {
        const Values mask = m_masks(stage, name, x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] *= mask[i];
        return x;
    }

    static Values sum(Values a, const Values& b)
    {
        for (std::size_t i = 0; i < a.size(); ++i)
            a[i] += b[i];
        return a;
    }

    static Values linear(const Weights& w, const std::string& name, const Values& x, std::size_t in, std::size_t out)
    {
        const Values &weight = w.at(name + ".weight"), &bias = w.at(name + ".bias");
        Values y(x.size() / in * out);
        for (std::size_t r = 0; r < x.size() / in; ++r)
            for (std::size_t o = 0; o < out; ++o) {
                double value = bias[o];
                for (std::size_t k = 0; k < in; ++k)
                    value += x[r * in + k] * weight[k * out + o];
                y[r * out + o] = value;
            }
        return y;
    }

    Values norm(const Weights& w, const std::string& name, const Values& x) const
    {
        const Values &gamma = w.at(name + ".weight"), &beta = w.at(name + ".bias");
        Values y(x.size());
        const auto n = static_cast<double>(m_c);
        for (std::size_t r = 0; r < x.size() / m_c; ++r) {
            double mean = 0, variance = 0;
            for (std::size_t c = 0; c < m_c; ++c)
                mean += x[r * m_c + c] / n;
            for (std::size_t c = 0; c < m_c; ++c)
                variance += (x[r * m_c + c] - mean) * (x[r * m_c + c] - mean) / n;
            for (std::size_t c = 0; c < m_c; ++c)
                y[r * m_c + c]
                    = (x[r * m_c + c] - mean) / std::sqrt(variance + m_shape.normEpsilon) * gamma[c] + beta[c];
        }
        return y;
    }

    void activate(Values& x) const
    {
        for (double& v : x) {
            if (m_shape.activation == Activation::Gelu)
                v = 0.5 * v * (1 + std::erf(v / std::numbers::sqrt2));
            else if (m_shape.activation == Activation::GeluTanh)
                v = 0.5 * v * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (v + 0.044715 * v * v * v)));
            else
                v = std::max(v, 0.0);
        }
    }

    ModelShape m_shape;
    bool m_isPre;
    std::size_t m_b, m_t, m_c;
    std::vector<std::int32_t> m_tokens, m_targets;
    Masks m_masks;
};

} // namespace remat::testing
