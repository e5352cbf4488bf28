// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/run/kernels/philox.h"

namespace remat::kernels::REMAT_ISA {

/// Gives elements of a stream the factor that dropout multiplies them by: 0, or 1/(1-p) when kept.
class DropoutMask {
public:
    explicit DropoutMask(const Dropout& dropout)
        : m_dropout(dropout),
          m_threshold(static_cast<std::uint32_t>(static_cast<double>(dropout.probability) * 0x1p32)),
          m_scale(1.0F / (1.0F - dropout.probability))
    {
        for (float& factor : m_factors)
            factor = 1.0F;
    }

    bool dropsNothing() const { return m_dropout.probability == 0.0F; }

    /// The factors of elements [first, first + count), count <= kRandomWindow, until the next call; whole vectors of
    /// them may be read.
    const float* factors(std::uint64_t first, Index count)
    {
        if (dropsNothing())
            return m_factors;
        m_words.draw(m_dropout.random, first, count);
        const Vec keep = all(m_scale);
        const WordVec threshold = m_threshold - WordVec{};
        for (Index i = 0; i < count; i += kLanes) {
            WordVec words;
            __builtin_memcpy(&words, m_words.words() + i, sizeof words);
            store(m_factors + i, words < threshold ? Vec{} : keep);
        }
        return m_factors;
    }

private:
    Dropout m_dropout;
    std::uint32_t m_threshold;
    float m_scale;
    RandomWords m_words;
    alignas(64) float m_factors[kRandomWindow + kLanes];
};

} // namespace remat::kernels::REMAT_ISA
