// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/core/run/kernel_testing.h"

/// Softmax attention and its gradients from their definitions, in double, one element after another.
namespace kernel_testing {

inline std::size_t at(Index i)
{
    return static_cast<std::size_t>(i);
}

/// Where head `bh` = b*H + h keeps its elements.
struct AttentionHead {
    AttentionShape s;
    Index b, h;

    AttentionHead(const AttentionShape& shape, Index bh) : s(shape), b(bh / s.heads), h(bh % s.heads) { }

    /// Element d of token t in qkv: part 0 is the query, 1 and 2 the key and the value that the head's group shares.
    std::size_t qkv(Index part, Index t, Index d) const
    {
        const Index C = s.heads * s.headSize, K = s.keyValueHeads, group = h * K / s.heads;
        const Index column = part == 0 ? h * s.headSize : C + ((part - 1) * K + group) * s.headSize;
        return at((b * s.sequence + t) * (C + 2 * K * s.headSize) + column + d);
    }
    std::size_t context(Index i, Index d) const { return at(((b * s.sequence + i) * s.heads + h) * s.headSize + d); }
    std::size_t row(Index i) const { return at((b * s.heads + h) * s.sequence + i); }
    std::size_t probability(Index i, Index j) const { return row(i) * at(s.sequence) + at(j); }
};

/// body(head, i, j) for every query i and every key j that it sees.
template <class Body> void forSeenKeys(const AttentionShape& s, const Body& body)
{
    for (Index bh = 0; bh < s.batch * s.heads; ++bh) {
        const AttentionHead head(s, bh);
        for (Index i = 0; i < s.sequence; ++i)
            for (Index j = 0; j < (s.causal ? i + 1 : s.sequence); ++j)
                body(head, i, j);
    }
}

inline Doubles scoresOfZero(const AttentionShape& s)
{
    return Doubles(at(s.batch * s.heads * s.sequence * s.sequence), 0.0);
}

inline Doubles maskOf(const AttentionShape& s, const Dropout& dropout)
{
    Doubles mask(scoresOfZero(s).size(), 1.0);
    for (std::size_t e = 0; e < mask.size() && dropout.probability > 0.0F; ++e)
        mask[e] = referenceFactor(dropout, e);
    return mask;
}

/// [N,HD] = (mask probabilities) V.
inline Doubles contextOf(const AttentionShape& s, const Doubles& mask, const Doubles& probabilities, const Doubles& qkv)
{
    Doubles context(at(s.batch * s.sequence * s.heads * s.headSize), 0.0);
    forSeenKeys(s, [&](const AttentionHead& head, Index i, Index j) {
        const std::size_t e = head.probability(i, j);
        for (Index d = 0; d < s.headSize; ++d)
            context[head.context(i, d)] += mask[e] * probabilities[e] * qkv[head.qkv(2, j, d)];
    });
    return context;
}

struct AttentionValues {
    Doubles context, lse, probabilities;
};

inline AttentionValues attention(const AttentionShape& s, const Doubles& mask, const Doubles& qkv)
{
    Doubles p = scoresOfZero(s), most(at(s.batch * s.heads * s.sequence), -1e300), sum(most.size(), 0.0);
    forSeenKeys(s, [&](const AttentionHead& head, Index i, Index j) {
        double& score = p[head.probability(i, j)];
        for (Index d = 0; d < s.headSize; ++d)
            score += qkv[head.qkv(0, i, d)] * qkv[head.qkv(1, j, d)];
        score /= std::sqrt(static_cast<double>(s.headSize));
        most[head.row(i)] = std::max(most[head.row(i)], score);
    });
    forSeenKeys(s, [&](const AttentionHead& head, Index i, Index j) {
        double& score = p[head.probability(i, j)];
        sum[head.row(i)] += score = std::exp(score - most[head.row(i)]);
    });
    forSeenKeys(s, [&](const AttentionHead& head, Index i, Index j) { p[head.probability(i, j)] /= sum[head.row(i)]; });
    Doubles lse = most;
    for (std::size_t row = 0; row < lse.size(); ++row)
        lse[row] += std::log(sum[row]);
    return {contextOf(s, mask, p, qkv), lse, p};
}

/// [B,H,T,T]: the gradient of the probabilities, mask (dcontext V^T).
inline Doubles probabilityGradients(
    const AttentionShape& s, const Doubles& mask, const Doubles& dcontext, const Doubles& qkv)
{
    Doubles dp = scoresOfZero(s);
    forSeenKeys(s, [&](const AttentionHead& head, Index i, Index j) {
        const std::size_t e = head.probability(i, j);
        for (Index d = 0; d < s.headSize; ++d)
            dp[e] += mask[e] * dcontext[head.context(i, d)] * qkv[head.qkv(2, j, d)];
    });
    return dp;
}

/// [B,H,T]: a row's sum of P dP.
inline Doubles sumsOfProducts(const AttentionShape& s, const Doubles& probabilities, const Doubles& dprobabilities)
{
    Doubles sums(at(s.batch * s.heads * s.sequence), 0.0);
    forSeenKeys(s, [&](const AttentionHead& head, Index i, Index j) {
        const std::size_t e = head.probability(i, j);
        sums[head.row(i)] += probabilities[e] * dprobabilities[e];
    });
    return sums;
}

/// [N,(H+2K)D]: dV from the probabilities, dQ and dK by way of the gradient of softmax, P (dP - the row's sum of P dP).
inline Doubles qkvGradients(const AttentionShape& s, const Doubles& mask, const Doubles& dcontext,
    const Doubles& probabilities, const Doubles& dprobabilities, const Doubles& sums, const Doubles& qkv)
{
    Doubles dqkv(qkv.size(), 0.0);
    const double scale = 1.0 / std::sqrt(static_cast<double>(s.headSize));
    forSeenKeys(s, [&](const AttentionHead& head, Index i, Index j) {
        const std::size_t e = head.probability(i, j);
        const double dscore = probabilities[e] * (dprobabilities[e] - sums[head.row(i)]) * scale;
        for (Index d = 0; d < s.headSize; ++d) {
            dqkv[head.qkv(0, i, d)] += dscore * qkv[head.qkv(1, j, d)];
            dqkv[head.qkv(1, j, d)] += dscore * qkv[head.qkv(0, i, d)];
            dqkv[head.qkv(2, j, d)] += mask[e] * probabilities[e] * dcontext[head.context(i, d)];
        }
    });
    return dqkv;
}

} // namespace kernel_testing
