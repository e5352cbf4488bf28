// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/kernels/kernels.h"
#include "cuda/language/kernel.h"

/// Sums over rows in two passes, so that the order of additions follows from the shape alone: groups of rows into
/// partial[sum, group, column], then the groups one after another.
namespace remat::cuda {

inline constexpr int kGroupWarps = 8;

struct RowGroups {
    Index count, rowsEach;
};

/// At least a row for each warp of a block, at most 32 groups: with a warp per 32 columns that fills a large device at
/// C = 768 already.
inline RowGroups rowGroups(Index rows)
{
    constexpr Index most = 32;
    const Index rowsEach = dividedUp(dividedUp(rows, most), kGroupWarps) * kGroupWarps;
    return {dividedUp(rows, rowsEach), rowsEach};
}

// The first pass is launched with gridOfGroups and kGroupsBlock.
inline const dim3 kGroupsBlock(kWarp, kGroupWarps);

inline dim3 gridOfGroups(const RowsShape& shape)
{
    return {static_cast<unsigned>(dividedUp(shape.width, kWarp)), static_cast<unsigned>(rowGroups(shape.rows).count)};
}

/// What a row adds to each of the sums of one column.
template <int Sums> struct Terms {
    float x[Sums];
};

/// Sums term(row, column) -> Terms<Sums> over the block's group of rows: a warp takes every eighth row, 32 neighbouring
/// columns at once, then the eight warps' sums are added in order.
template <int Sums, class Term>
__device__ inline void sumRowsOfGroup(RowsShape shape, Index rowsEach, float* partial, const Term& term)
{
    REMAT_SHARED_ARRAY(float, ofWarp, Sums* kGroupWarps* kWarp);
    const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
    const Index column = static_cast<Index>(blockIdx.x) * kWarp + lane;
    const Index begin = static_cast<Index>(blockIdx.y) * rowsEach;
    const Index end = min(begin + rowsEach, shape.rows);
    Terms<Sums> sums{};
    if (column < shape.width)
        for (Index row = begin + warp; row < end; row += kGroupWarps) {
            const Terms<Sums> terms = term(row, column);
            for (int k = 0; k < Sums; ++k)
                sums.x[k] += terms.x[k];
        }
    for (int k = 0; k < Sums; ++k)
        ofWarp[(k * kGroupWarps + warp) * kWarp + lane] = sums.x[k];
    __syncthreads();
    if (warp != 0 || column >= shape.width)
        return;
    for (int k = 0; k < Sums; ++k) {
        for (int other = 1; other < kGroupWarps; ++other)
            sums.x[k] += ofWarp[(k * kGroupWarps + other) * kWarp + lane];
        partial[(k * static_cast<Index>(gridDim.y) + static_cast<Index>(blockIdx.y)) * shape.width + column]
            = sums.x[k];
    }
}

/// The second pass: sums[C] = or += the sums over all groups of sum `which`, 0 for the first.
template <class T>
void sumGroups(const RowsShape& shape, const float* partial, int which, T* sums, Store mode, Stream stream);

} // namespace remat::cuda
