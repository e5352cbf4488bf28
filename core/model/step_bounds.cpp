// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/step_bounds.h"

#include <algorithm>

#include "core/base/checked.h"

namespace remat {

namespace {

/// A sum or product that remembers whether it ever passed kMaxQuantity, so that formulas read as they are written.
class Checked {
public:
    Checked(std::int64_t value) : m_value(value) { }
    friend Checked operator+(Checked a, Checked b) { return {a, b, checkedAdd}; }
    friend Checked operator*(Checked a, Checked b) { return {a, b, checkedMultiply}; }
    std::optional<std::int64_t> value() const { return m_value; }

private:
    using Operation = std::optional<std::int64_t>(std::int64_t, std::int64_t);
    Checked(Checked a, Checked b, Operation* operation)
        : m_value(a.m_value && b.m_value ? operation(*a.m_value, *b.m_value) : std::nullopt)
    { }

    std::optional<std::int64_t> m_value;
};

} // namespace

std::optional<StepBounds> stepBounds(const ModelShape& shape, const TrainingSetup& setup)
{
    // A decoder's layer has two attentions: it counts as two layers.  Labels are the vocabulary of images.
    const Checked L = Checked(shape.layers) + Checked(2) * shape.decoderLayers;
    const Checked C = shape.hidden, F = shape.ffn, H = shape.heads, V = Checked(shape.vocabulary) + shape.labels;
    const Checked experts = std::max<std::int64_t>(shape.experts, 1), E = shape.embeddingWidth();
    const Checked pixels = Checked(shape.image.patchHeight) * shape.image.patchWidth * shape.image.channels;
    const Checked A = shape.attentionWidth();
    const Checked B = setup.batch, T = setup.sequence, K = setup.microBatches;
    const Checked N = B * T;
    const Checked scores = B * H * T * T;

    // Untied head, masked-LM transform, gate and ungrouped keys and values are always counted: a bound need not be
    // close.
    const Checked tables = V + V + shape.maxPositions + shape.positionOffset + shape.tokenTypes + pixels;
    const Checked ofOtherWidth = shape.hasEmbeddingProjection() ? tables * E + C * E * 2 : Checked(0);
    const Checked embeddings = tables * C + ofOtherWidth + H * shape.relativeBuckets * 2;
    const Checked biases = A * (shape.qkNorm == QkNorm::None ? 3 : 7) + C * 6 + F * 2;
    const Checked block = C * A * 4 + C * F * 3 * experts + C * shape.experts + biases;
    const Checked P = embeddings + L * block + C * C + C * 8 + V;

    const Checked granules = (L + 2) * 256 * 512;
    const Checked chosen = std::max<std::int64_t>(shape.expertsPerToken, 1);
    const Checked blockBytes
        = (N * C * 64 * chosen + N * A * 32 + N * F * 24 * chosen + scores * 8 + N * H * 16 + N * shape.experts * 16)
        * 4;
    const Checked headBytes = (N * V * 6 + N * C * 16) * 4;
    const Checked inputs = K * N * 64;
    const Checked memory = P * 40 + L * blockBytes + headBytes + inputs + granules + (std::int64_t{1} << 30);

    const Checked blockFlops = N * (C * A * 8 + C * F * 6 * chosen + C * shape.experts * 2) + B * T * T * A * 4
        + N * C * 64 * chosen + N * A * 32 + N * F * 48 * chosen + scores * 32;
    const Checked headFlops = N * V * C * 2 + N * C * C * 2 + N * V * 64 + N * C * 64;
    const Checked flops = K * 8 * (L * blockFlops + headFlops) + P * 64;

    const auto nsPerFlop = static_cast<std::int64_t>(1e9 / kSlowestFlopsPerSecond);
    const auto nsPerByte = static_cast<std::int64_t>(1e9 / kSlowestBytesPerSecond);
    const Checked launches = K * (L + 2) * 512 * kLongestLaunch.value;
    const Checked time = flops * nsPerFlop + K * memory * 16 * nsPerByte + launches;
    if (!memory.value() || !flops.value() || !time.value())
        return std::nullopt;
    return StepBounds{{*memory.value()}, {*flops.value()}, {*time.value()}};
}

} // namespace remat
