// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/emulator/shared_memory.h"

#include <algorithm>
#include <cstring>

#include "cuda/emulator/address_sanitizer.h"

namespace remat::cuda {

struct alignas(128) SharedMemory::Bytes {
    std::byte at[kMaxSharedBytes];
};

SharedMemory::SharedMemory() : m_bytes(new Bytes) { }

SharedMemory::~SharedMemory()
{
    unpoison(m_bytes->at, kMaxSharedBytes);
}

void SharedMemory::reset(std::size_t dynamicBytes)
{
    poison(m_bytes->at, kMaxSharedBytes);
    m_arrays.clear();
    handOut(0, dynamicBytes);
}

void* SharedMemory::dynamic()
{
    return m_bytes->at;
}

void* SharedMemory::array(const void* key, std::size_t bytes, std::size_t alignment)
{
    const auto known
        = std::find_if(m_arrays.begin(), m_arrays.end(), [&](const Array& array) { return array.key == key; });
    if (known != m_arrays.end())
        return known->memory;
#ifdef __SANITIZE_ADDRESS__
    const std::size_t step = std::max<std::size_t>(alignment, 8), gap = 64;
#else
    const std::size_t step = alignment, gap = 0;
#endif
    const std::size_t begin = (m_used + gap + step - 1) / step * step;
    if (begin + bytes > kMaxSharedBytes)
        return nullptr;
    m_arrays.push_back({key, handOut(begin, bytes)});
    return m_arrays.back().memory;
}

void* SharedMemory::handOut(std::size_t begin, std::size_t bytes)
{
    m_used = begin + bytes;
    unpoison(m_bytes->at + begin, bytes);
    return std::memset(m_bytes->at + begin, 0xff, bytes);
}

} // namespace remat::cuda
