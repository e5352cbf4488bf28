// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "cuda/language/types.h"

/// What a kernel's source includes first.  nvcc compiles it for the device; any other compiler compiles it for the
/// emulator (cuda/emulator/block.h), which runs the same source on a CPU.  Besides CUDA's own names a kernel uses:
///
///   REMAT_SHARED_ARRAY(float, tile, 32 * 33);   a block's array of fixed size
///   REMAT_SHARED(float, tile);                  the block's dynamic shared memory, 16-byte aligned
///   REMAT_UNROLL                                in front of a loop of fixed length, where the device's compiler would
///                                               keep what it indexes out of registers
///   REMAT_LAUNCH((sum_rows<T>), grid, block, dynamicSharedBytes, stream)(arguments...);
///
/// A launch throws LaunchError when the kernel cannot start.  Blocks have whole warps wherever lanes exchange values,
/// and at most 48 KiB of shared memory.
#ifdef __CUDACC__
#define REMAT_UNROLL _Pragma("unroll")
#define REMAT_SHARED_ARRAY(T, name, count) __shared__ T name[count]
#define REMAT_SHARED(T, name)                                                                                          \
    extern __shared__ __align__(16) unsigned char rematDynamicShared[];                                                \
    T* const name = reinterpret_cast<T*>(rematDynamicShared)
#else
#include "cuda/emulator/launch.h"
#include "cuda/emulator/simt.h"
#define REMAT_UNROLL
#define REMAT_SHARED_ARRAY(T, name, count)                                                                             \
    static char name##Key;                                                                                             \
    T(&name)[count] = ::remat::cuda::sharedArray<T, count>(&name##Key)
#define REMAT_SHARED(T, name) auto* const name = static_cast<T*>(::remat::cuda::BlockRunner::current().dynamicShared())
#endif
#define REMAT_LAUNCH(kernel, grid, block, dynamicSharedBytes, stream)                                                  \
    ::remat::cuda::launch(#kernel, kernel, grid, block, dynamicSharedBytes, stream)

namespace remat::cuda {

using Index = std::int64_t;

#ifdef __CUDACC__
inline constexpr int kWarp = 32;

/// On the emulator an error when p is no multiple of alignment; a device would fault.
__device__ inline void checkAligned(const void*, std::size_t) { }

/// Throws LaunchError if the last launch failed.
void checkLaunch(const char* kernel);

template <class... Parameters> struct Launch {
    const char* name;
    void (*kernel)(Parameters...);
    dim3 grid, block;
    std::size_t dynamicSharedBytes;
    Stream stream;

    void operator()(Parameters... parameters) const
    {
        kernel<<<grid, block, dynamicSharedBytes, stream>>>(parameters...);
        checkLaunch(name);
    }
};
#endif

template <class... Parameters>
Launch<Parameters...> launch(const char* name, void (*kernel)(Parameters...), dim3 grid, dim3 block,
    std::size_t dynamicSharedBytes, Stream stream)
{
    return {name, kernel, grid, block, dynamicSharedBytes, stream};
}

__host__ __device__ inline constexpr Index dividedUp(Index value, Index divisor)
{
    return (value + divisor - 1) / divisor;
}

} // namespace remat::cuda
