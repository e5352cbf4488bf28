// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/language/storage.h"

/// How an elementwise kernel shares out its elements: a quad per thread, kElementThreads threads per block.
namespace remat::cuda {

inline constexpr int kElementThreads = 256;

/// The first element of the calling thread's quad; may lie beyond the count.
__device__ inline Index firstOfQuad()
{
    return (static_cast<Index>(blockIdx.x) * kElementThreads + static_cast<Index>(threadIdx.x)) * kQuad;
}

inline dim3 gridOfQuads(Index count)
{
    return {static_cast<unsigned>(dividedUp(count, Index{kElementThreads} * kQuad))};
}

} // namespace remat::cuda
