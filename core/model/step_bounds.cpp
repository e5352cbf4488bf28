// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/step_bounds.h"

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
    const Checked L = shape.layers, C = shape.hidden, F = shape.ffn, H = shape.heads, V = shape.vocabulary;
    const Checked A = shape.attentionWidth();
    const Checked B = setup.batch, T = setup.sequence, K = setup.microBatches;
    const Checked N = B * T;
    const Checked scores = B * H * T * T;

    // Untied head, masked-LM transform, gate and ungrouped keys and values are always counted: a bound need not be
    // close.
    const Checked embeddings = (V + V + shape.maxPositions + shape.tokenTypes) * C;
    const Checked block = C * A * 4 + C * F * 3 + A * 3 + C * 6 + F * 2;
    const Checked P = embeddings + L * block + C * C + C * 8 + V;

    const Checked granules = (L + 2) * 256 * 512;
    const Checked blockBytes = (N * C * 64 + N * A * 32 + N * F * 24 + scores * 8 + N * H * 16) * 4;
    const Checked headBytes = (N * V * 6 + N * C * 16) * 4;
    const Checked inputs = K * N * 64;
    const Checked memory = P * 40 + L * blockBytes + headBytes + inputs + granules + (std::int64_t{1} << 30);

    const Checked blockFlops
        = N * (C * A * 8 + C * F * 6) + B * T * T * A * 4 + N * C * 64 + N * A * 32 + N * F * 48 + scores * 32;
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
