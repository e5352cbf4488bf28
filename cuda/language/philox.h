// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/run/kernels/kernels.h"
#include "cuda/language/kernel.h"

/// The random words of a stream, as core/run/kernels/kernels.h numbers them.
namespace remat::cuda {

/// Four elements of a stream: block b holds the words of elements 4b ... 4b + 3.
struct PhiloxBlock {
    std::uint32_t words[4];
};

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC 2011).
__device__ inline PhiloxBlock philox(const kernels::RandomStream& random, std::uint64_t block)
{
    auto x0 = static_cast<std::uint32_t>(block);
    auto x1 = static_cast<std::uint32_t>(block >> 32);
    auto x2 = static_cast<std::uint32_t>(random.stream);
    auto x3 = static_cast<std::uint32_t>(random.stream >> 32);
    auto key0 = static_cast<std::uint32_t>(random.seed);
    auto key1 = static_cast<std::uint32_t>(random.seed >> 32);
    for (int round = 0; round < 10; ++round) {
        const std::uint32_t high0 = __umulhi(x0, 0xD2511F53U), low0 = x0 * 0xD2511F53U;
        const std::uint32_t high1 = __umulhi(x2, 0xCD9E8D57U), low1 = x2 * 0xCD9E8D57U;
        x0 = high1 ^ x1 ^ key0;
        x1 = low1;
        x2 = high0 ^ x3 ^ key1;
        x3 = low0;
        key0 += 0x9E3779B9U;
        key1 += 0xBB67AE85U;
    }
    return {{x0, x1, x2, x3}};
}

/// What a launcher hands to a kernel that draws a mask: the mask's words and what follows from the probability, by the
/// CPU's formulas, so that both drop the same elements and scale the others by the same float.
struct DropoutMask {
    kernels::RandomStream random;
    std::uint32_t threshold;
    float scale;

    explicit DropoutMask(const kernels::Dropout& dropout)
        : random(dropout.random),
          threshold(static_cast<std::uint32_t>(static_cast<double>(dropout.probability) * 0x1p32)),
          scale(1.0F / (1.0F - dropout.probability))
    { }

    /// What an element with this word is multiplied by.  Dropping nothing, every element is kept and the scale is 1.
    __device__ float factor(std::uint32_t word) const { return word < threshold ? 0.0F : scale; }
};

} // namespace remat::cuda
