// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "core/run/kernels/kernels.h"
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
#if defined(__AVX2__)
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
    // Transpose, so that the four words of a block lie together.
#ifdef __AVX2__
    const WordVec t0 = __builtin_shufflevector(x0, x1, 0, 8, 1, 9, 4, 12, 5, 13);
    const WordVec t1 = __builtin_shufflevector(x0, x1, 2, 10, 3, 11, 6, 14, 7, 15);
    const WordVec t2 = __builtin_shufflevector(x2, x3, 0, 8, 1, 9, 4, 12, 5, 13);
    const WordVec t3 = __builtin_shufflevector(x2, x3, 2, 10, 3, 11, 6, 14, 7, 15);
    const WordVec u0 = __builtin_shufflevector(t0, t2, 0, 1, 8, 9, 4, 5, 12, 13);   // blocks 0 and 4
    const WordVec u1 = __builtin_shufflevector(t0, t2, 2, 3, 10, 11, 6, 7, 14, 15); // 1 and 5
    const WordVec u2 = __builtin_shufflevector(t1, t3, 0, 1, 8, 9, 4, 5, 12, 13);   // 2 and 6
    const WordVec u3 = __builtin_shufflevector(t1, t3, 2, 3, 10, 11, 6, 7, 14, 15); // 3 and 7
    const WordVec ordered[4] = {
        __builtin_shufflevector(u0, u1, 0, 1, 2, 3, 8, 9, 10, 11),
        __builtin_shufflevector(u2, u3, 0, 1, 2, 3, 8, 9, 10, 11),
        __builtin_shufflevector(u0, u1, 4, 5, 6, 7, 12, 13, 14, 15),
        __builtin_shufflevector(u2, u3, 4, 5, 6, 7, 12, 13, 14, 15),
    };
#else
    const WordVec t0 = __builtin_shufflevector(x0, x1, 0, 4, 1, 5);
    const WordVec t1 = __builtin_shufflevector(x0, x1, 2, 6, 3, 7);
    const WordVec t2 = __builtin_shufflevector(x2, x3, 0, 4, 1, 5);
    const WordVec t3 = __builtin_shufflevector(x2, x3, 2, 6, 3, 7);
    const WordVec ordered[4] = {
        __builtin_shufflevector(t0, t2, 0, 1, 4, 5),
        __builtin_shufflevector(t0, t2, 2, 3, 6, 7),
        __builtin_shufflevector(t1, t3, 0, 1, 4, 5),
        __builtin_shufflevector(t1, t3, 2, 3, 6, 7),
    };
#endif
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
    alignas(32) std::uint32_t m_words[kRandomWindow + 2 * kWordsPerStep];
    Index m_offset = 0;
};

} // namespace remat::kernels::REMAT_ISA
