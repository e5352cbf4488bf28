// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "core/run/kernels/kernels.h"
#include "core/run/kernels/shuffle.h"
#include "core/run/kernels/simd.h"

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC 2011), a vector of
/// counters at a time.
namespace remat::kernels::REMAT_ISA {

using WideVec = std::uint64_t __attribute__((vector_size(4 * kLanes)));

/// Words that one step of the generator makes: 4 of each lane's counter.
inline constexpr Index kWordsPerStep = 4 * kLanes;

/// 64-bit products of the even lanes.
inline WideVec multiplyEven(WordVec a, WordVec b)
{
#if defined(__AVX512F__)
    return (WideVec)_mm512_maskz_mul_epu32(0xff, (__m512i)a, (__m512i)b); // the plain one warns in GCC 12
#elif defined(__AVX2__)
    return (WideVec)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (WideVec)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
    return ((WideVec)a & 0xffffffffU) * ((WideVec)b & 0xffffffffU);
#endif
}

struct WidePair {
    WordVec high, low;
};

inline WidePair multiplyWide(WordVec a, std::uint32_t b)
{
    const WordVec factor = b - WordVec{};
    const WideVec even = multiplyEven(a, factor);
    const WideVec odd = multiplyEven((WordVec)((WideVec)a >> 32), factor);
    const WideVec lowHalf = 0xffffffffU - WideVec{};
    return {(WordVec)((even >> 32) | (odd & ~lowHalf)), (WordVec)((even & lowHalf) | (odd << 32))};
}

/// Writes the words of blocks [firstBlock, firstBlock + kLanes) in order: kWordsPerStep words.
inline void philoxStep(const RandomStream& random, std::uint64_t firstBlock, std::uint32_t* words)
{
    WordVec lane;
    for (Index i = 0; i < kLanes; ++i)
        lane[i] = static_cast<std::uint32_t>(i);
    const WordVec zero{};
    const WordVec firstLow = static_cast<std::uint32_t>(firstBlock) - zero;
    WordVec x0 = firstLow + lane;
    WordVec x1 = static_cast<std::uint32_t>(firstBlock >> 32) - zero;
    x1 -= (WordVec)(x0 < firstLow); // a true comparison is -1: the carry
    WordVec x2 = static_cast<std::uint32_t>(random.stream) - zero;
    WordVec x3 = static_cast<std::uint32_t>(random.stream >> 32) - zero;
    auto key0 = static_cast<std::uint32_t>(random.seed);
    auto key1 = static_cast<std::uint32_t>(random.seed >> 32);
    for (int round = 0; round < 10; ++round) {
        const WidePair p0 = multiplyWide(x0, 0xD2511F53U);
        const WidePair p1 = multiplyWide(x2, 0xCD9E8D57U);
        x0 = p1.high ^ x1 ^ key0;
        x1 = p1.low;
        x2 = p0.high ^ x3 ^ key1;
        x3 = p0.low;
        key0 += 0x9E3779B9U;
        key1 += 0xBB67AE85U;
    }
    // The four words of a block lie together.
    const WordVec even[2] = {interleaveLow(x0, x2), interleaveHigh(x0, x2)};
    const WordVec odd[2] = {interleaveLow(x1, x3), interleaveHigh(x1, x3)};
    const WordVec ordered[4] = {interleaveLow(even[0], odd[0]), interleaveHigh(even[0], odd[0]),
        interleaveLow(even[1], odd[1]), interleaveHigh(even[1], odd[1])};
    __builtin_memcpy(words, ordered, sizeof ordered);
}

/// Elements that RandomWords holds at once.
inline constexpr Index kRandomWindow = 256;

/// The words of up to kRandomWindow consecutive elements of a stream, wherever they begin.
class RandomWords {
public:
    /// words()[i] is then the word of element first + i, for i < count <= kRandomWindow.
    void draw(const RandomStream& random, std::uint64_t first, Index count)
    {
        m_offset = static_cast<Index>(first % 4);
        const Index needed = m_offset + (count + kLanes - 1) / kLanes * kLanes; // readers take whole vectors
        for (Index made = 0; made < needed; made += kWordsPerStep)
            philoxStep(random, first / 4 + static_cast<std::uint64_t>(made / 4), m_words + made);
    }
    const std::uint32_t* words() const { return m_words + m_offset; }

private:
    alignas(64) std::uint32_t m_words[kRandomWindow + 2 * kWordsPerStep];
    Index m_offset = 0;
};

} // namespace remat::kernels::REMAT_ISA
