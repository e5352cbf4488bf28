// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/language/kernel.h"

/// Sums and maxima over a warp or a block, always in the same tree, so that the bits are the same in every run.
namespace remat::cuda {

inline constexpr unsigned kAllLanes = 0xffffffffU;

struct Sum {
    static constexpr float kNeutral = 0.0F;
    __device__ static float combine(float a, float b) { return a + b; }
};

/// NaN wins: unlike with fmaxf, which would hide a poisoned element.
struct Maximum {
    static constexpr float kNeutral = -__builtin_huge_valf();
    __device__ static float combine(float a, float b) { return a > b || a != a ? a : b; }
};

/// Over the 32 lanes; every lane gets the result.  All lanes of the warp must call.
template <class Operation> __device__ inline float overWarp(float value)
{
    // Both partners of a step combine the same two values, and a + b has the bits of b + a.
    for (int distance = kWarp / 2; distance > 0; distance /= 2)
        value = Operation::combine(value, __shfl_xor_sync(kAllLanes, value, distance));
    return value;
}

/// Over a block of Threads threads, a multiple of 32 in one dimension; every thread gets the result.  All threads of
/// the block must call.
template <class Operation, int Threads> __device__ inline float overBlock(float value)
{
    static_assert(Threads % kWarp == 0 && Threads <= kWarp * kWarp);
    constexpr int warps = Threads / kWarp;
    REMAT_SHARED_ARRAY(float, ofWarp, warps);
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    value = overWarp<Operation>(value);
    if (lane == 0)
        ofWarp[warp] = value;
    __syncthreads();
    value = overWarp<Operation>(lane < warps ? ofWarp[lane] : Operation::kNeutral);
    __syncthreads(); // the next call may write
    return value;
}

} // namespace remat::cuda
