// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

/// What the emulator tells the address sanitizer; without it these do nothing.
namespace remat::cuda {

/// Reading or writing these bytes is an error from here on.
inline void poison([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes)
{
#ifdef __SANITIZE_ADDRESS__
    __asan_poison_memory_region(memory, bytes);
#endif
}

inline void unpoison([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes)
{
#ifdef __SANITIZE_ADDRESS__
    __asan_unpoison_memory_region(memory, bytes);
#endif
}

/// Just before a switch to the given stack; a null fakeStack says that the stack left behind is never entered again.
inline void startSwitch(
    [[maybe_unused]] void** fakeStack, [[maybe_unused]] const void* bottom, [[maybe_unused]] std::size_t bytes)
{
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(fakeStack, bottom, bytes);
#endif
}

/// Just after a switch; where wanted, receives the stack that was left.
inline void finishSwitch(
    [[maybe_unused]] void* fakeStack, [[maybe_unused]] const void** leftBottom, [[maybe_unused]] std::size_t* leftBytes)
{
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(fakeStack, leftBottom, leftBytes);
#endif
}

} // namespace remat::cuda
