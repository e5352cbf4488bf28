// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

namespace remat::cuda {

/// What every device offers a block without being asked for more (CUDA C Programming Guide, compute capabilities).
inline constexpr std::size_t kMaxSharedBytes = std::size_t{48} << 10;

/// The shared memory of one block: first the dynamic part, then each array as the first thread declares it.
///
/// Bytes are handed out with all bits set: NaN, or -1 as an integer.  The address sanitizer watches what lies between.
class SharedMemory {
public:
    SharedMemory();
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    /// A new block begins.
    void reset(std::size_t dynamicBytes);
    void* dynamic();
    /// The array that the key stands for, the same for every thread; null where the block has no room for it.
    void* array(const void* key, std::size_t bytes, std::size_t alignment);

private:
    struct Bytes;
    struct Array {
        const void* key;
        void* memory;
    };

    void* handOut(std::size_t begin, std::size_t bytes);

    std::unique_ptr<Bytes> m_bytes;
    std::size_t m_used = 0;
    std::vector<Array> m_arrays;
};

} // namespace remat::cuda
