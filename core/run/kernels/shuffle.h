// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>

#include "core/run/kernels/simd.h"

/// Vectors whose lanes change places.
namespace remat::kernels::REMAT_ISA {

using LaneNumbers = std::make_index_sequence<static_cast<std::size_t>(kLanes)>;

template <Index First, class V, std::size_t... Lane> inline V interleave(V a, V b, std::index_sequence<Lane...>)
{
    constexpr int kCount = static_cast<int>(kLanes);
    return __builtin_shufflevector(
        a, b, static_cast<int>(First) + static_cast<int>(Lane) / 2 + (Lane % 2 == 0 ? 0 : kCount)...);
}

/// a0 b0 a1 b1 ..., as far as a vector goes.
template <class V> inline V interleaveLow(V a, V b)
{
    return interleave<0>(a, b, LaneNumbers{});
}

/// The rest of that row.
template <class V> inline V interleaveHigh(V a, V b)
{
    return interleave<kLanes / 2>(a, b, LaneNumbers{});
}

/// Of two rows of blocks of Size lanes: the blocks of `a` that stand at even places, each followed by its match of `b`.
template <Index Size, std::size_t... Lane> inline Vec evenBlocks(Vec a, Vec b, std::index_sequence<Lane...>)
{
    return __builtin_shufflevector(a, b,
        ((static_cast<Index>(Lane) & Size) == 0 ? static_cast<int>(Lane)
                                                : static_cast<int>(kLanes + static_cast<Index>(Lane) - Size))...);
}

/// The same of the blocks at odd places.
template <Index Size, std::size_t... Lane> inline Vec oddBlocks(Vec a, Vec b, std::index_sequence<Lane...>)
{
    return __builtin_shufflevector(a, b,
        ((static_cast<Index>(Lane) & Size) == 0 ? static_cast<int>(static_cast<Index>(Lane) + Size)
                                                : static_cast<int>(kLanes + static_cast<Index>(Lane)))...);
}

/// Transposes kLanes vectors of kLanes lanes: swaps the blocks beside the diagonal, of 1 lane, of 2, of 4, ...
template <Index Size = 1> inline void transpose(Vec* rows)
{
    if constexpr (Size < kLanes) {
#pragma GCC unroll 16
        for (Index i = 0; i < kLanes; ++i)
            if ((i & Size) == 0) {
                const Vec a = rows[i], b = rows[i + Size];
                rows[i] = evenBlocks<Size>(a, b, LaneNumbers{});
                rows[i + Size] = oddBlocks<Size>(a, b, LaneNumbers{});
            }
        transpose<2 * Size>(rows);
    }
}

} // namespace remat::kernels::REMAT_ISA
