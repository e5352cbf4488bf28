// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/language/kernel.h"

/// A warp per row: kernels launched with gridOfRows and kRowsBlock.
namespace remat::cuda {

inline constexpr int kRowsPerBlock = 8;
inline const dim3 kRowsBlock(kWarp, kRowsPerBlock);

inline dim3 gridOfRows(Index rows)
{
    return {static_cast<unsigned>(dividedUp(rows, kRowsPerBlock))};
}

/// The row of the calling warp; may lie beyond the last.
__device__ inline Index rowOfWarp()
{
    return static_cast<Index>(blockIdx.x) * kRowsPerBlock + static_cast<Index>(threadIdx.y);
}

} // namespace remat::cuda
