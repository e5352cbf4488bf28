// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/run/kernels/kernels.h"
#include "core/run/pool_memory.h"
#include "core/tape/tape.h"
#include "cuda/language/types.h"

namespace remat::cuda {

/// One product C (+)= op(A) op(B), row-major as kernels::Gemm says, with numbers of the type `storage` and sums in
/// fp32.
struct Product {
    kernels::Gemm gemm;
    ElementType storage = ElementType::Fp32;
    const std::byte* a = nullptr;
    const std::byte* b = nullptr;
    const std::byte* bias = nullptr; ///< [n], added to every row before rounding; null where C is added to
    std::byte* c = nullptr;
    kernels::Store store = kernels::Store::Write;
};

/// What the driver tells of the device now; absent where it does not.
struct DriverMemory {
    std::optional<Bytes> process; ///< of this process, contexts included
    std::optional<Bytes> free;    ///< of the whole device
};

/// What a real GPU and the emulator do differently; the kernels run on both.
///
/// Work is enqueued on one stream, in the order of the calls.  A call that fails throws std::runtime_error, as a launch
/// does (cuda/language/launch_error.h); the text says what failed.
class Gpu {
public:
    virtual ~Gpu() = default;
    virtual std::string name() const = 0;
    virtual Stream stream() const = 0;

    /// Null where the memory is used up.  256-byte aligned at least.
    virtual std::byte* allocate(Bytes bytes) = 0;
    virtual void release(std::byte* data) = 0;
    /// Every byte of it.
    virtual void setBytes(std::span<std::byte> data, unsigned char value) = 0;
    /// Waits for all work before it.
    virtual void copyToHost(std::span<const std::byte> data, std::span<std::byte> out) = 0;
    virtual void finish() = 0;

    /// High-water marks of the pool that allocate() serves from, since the last reset; both wait for the work so far.
    virtual void resetPeak() = 0;
    virtual PoolPeak peak() = 0;
    virtual DriverMemory driverMemory() = 0;

    /// Notes the moment when all work so far is done, and tells the moments since the last call (Stopwatch).
    virtual void stamp() = 0;
    virtual std::vector<Nanoseconds> takeStamps() = 0;

    /// The same product gets the same algorithm every time, hence the same bits.  Workspace: kCudaWorkspace.
    virtual void multiply(const Product& product, std::byte* workspace) = 0;
};

} // namespace remat::cuda
