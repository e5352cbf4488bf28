// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "cuda/emulator/block.h"

/// The part of CUDA's language that our kernels may use, for a compiler that knows none of it.  The names are CUDA's;
/// they live in this namespace, where kernel sources find them.  What is not here does not exist on the emulator:
/// inline PTX, matrix units, asynchronous copies, clusters, cooperative grids, atomics on floats (whose bits depend on
/// chance).

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)

namespace remat::cuda {

inline thread_local constinit uint3 threadIdx{}, blockIdx{};
inline thread_local constinit dim3 blockDim{}, gridDim{};

using std::max;
using std::min;

inline float rsqrtf(float x)
{
    return 1.0F / std::sqrt(x);
}

inline unsigned __float_as_uint(float x)
{
    unsigned bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

inline float __uint_as_float(unsigned bits)
{
    float x = 0.0F;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

/// The high half of the product.
inline unsigned __umulhi(unsigned a, unsigned b)
{
    return static_cast<unsigned>((std::uint64_t{a} * b) >> 32);
}

template <class T> T __ldg(const T* p)
{
    return *p;
}

// The place of a call travels as default arguments, which every compiler here fills in alike.

inline void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    BlockRunner::current().meet({"__syncthreads", file, line, 0});
}

inline void __syncwarp(unsigned mask = 0xffffffffU, const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    BlockRunner::current().vote({"__syncwarp", file, line, mask}, false);
}

inline unsigned __ballot_sync(
    unsigned mask, int predicate, const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    return BlockRunner::current().vote({"__ballot_sync", file, line, mask}, predicate != 0);
}

inline int __any_sync(unsigned mask, int predicate, const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    return BlockRunner::current().vote({"__any_sync", file, line, mask}, predicate != 0) != 0 ? 1 : 0;
}

inline int __all_sync(unsigned mask, int predicate, const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    return BlockRunner::current().vote({"__all_sync", file, line, mask}, predicate != 0) == mask ? 1 : 0;
}

/// What lane `source` brings; the other shuffles name their source by its distance.
template <class T> T exchangeLanes(const Meeting& meeting, T value, int source)
{
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = BlockRunner::current().exchange(meeting, bits, source);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <class T>
T __shfl_sync(unsigned mask, T value, int source, const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    return exchangeLanes({"__shfl_sync", file, line, mask}, value, source & (kWarp - 1));
}

template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    return exchangeLanes({"__shfl_xor_sync", file, line, mask}, value, BlockRunner::current().lane() ^ bits);
}

template <class T>
T __shfl_down_sync(
    unsigned mask, T value, int distance, const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    const int lane = BlockRunner::current().lane();
    return exchangeLanes(
        {"__shfl_down_sync", file, line, mask}, value, lane + distance < kWarp ? lane + distance : lane);
}

template <class T>
T __shfl_up_sync(unsigned mask, T value, int distance, const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    const int lane = BlockRunner::current().lane();
    return exchangeLanes({"__shfl_up_sync", file, line, mask}, value, lane >= distance ? lane - distance : lane);
}

inline void checkAligned(const void* p, std::size_t alignment)
{
    BlockRunner::current().checkAligned(p, alignment);
}

/// What REMAT_SHARED_ARRAY declares.
template <class T, std::size_t Count> T (&sharedArray(const void* key))[Count]
{
    return *static_cast<T(*)[Count]>(BlockRunner::current().sharedArray(key, Count * sizeof(T), alignof(T)));
}

} // namespace remat::cuda
