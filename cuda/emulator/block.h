// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cuda/emulator/fiber.h"
#include "cuda/emulator/meeting.h"
#include "cuda/emulator/shared_memory.h"

namespace remat::cuda {

struct uint3 {
    unsigned x = 0, y = 0, z = 0;
};

struct dim3 {
    unsigned x, y, z;

    constexpr dim3(unsigned sizeX = 1, unsigned sizeY = 1, unsigned sizeZ = 1) : x(sizeX), y(sizeY), z(sizeZ) { }
};

inline constexpr int kWarp = 32;
inline constexpr unsigned kMaxThreadsPerBlock = 1024;

/// In which order the threads of a block, and the blocks of a grid, get their turn.  A kernel whose bits depend on it
/// is wrong: it lacks a barrier, or adds up by chance.
enum class ThreadOrder {
    Forward,
    Reverse,
    Shuffled, // warps interleave by a seeded random choice
};

/// Runs one block at a time: each thread on a fiber, from one meeting to the next.
///
/// A thread runs until it must wait.  Warps go as far as they can before the block's barrier opens, so that a result
/// passed between warps without a barrier is missed in one of the orders.  Threads that have returned count as arrived
/// at the block's barrier; inside a warp's meeting they are an error, as is a lane that the block does not have: real
/// devices leave both undefined.  When nobody can go on, the error says who waits where.
/// Shared memory is poisoned at the start of each block.
class BlockRunner {
public:
    using Function = void (*)(const void* context);

    /// function(context) is the kernel with its arguments.
    BlockRunner(const char* kernel, dim3 grid, dim3 block, std::size_t dynamicSharedBytes, Function function,
        const void* context, ThreadOrder order, std::uint64_t seed);
    ~BlockRunner();
    BlockRunner(const BlockRunner&) = delete;
    BlockRunner& operator=(const BlockRunner&) = delete;

    /// Throws LaunchError for a broken rule, or what the kernel threw.
    void run(uint3 block);

    /// The runner of the thread that calls; only kernels may ask.
    static BlockRunner& current();

    /// Waits until all threads of the block are here.
    void meet(const Meeting& meeting);
    /// Waits until all lanes of the meeting are here, and returns what lane `source` brought.
    std::uint64_t exchange(const Meeting& meeting, std::uint64_t value, int source);
    /// Waits likewise; bit i is lane i's vote.
    std::uint32_t vote(const Meeting& meeting, bool vote);

    int lane() const;
    /// The block's memory for the array that this key stands for, the same for every thread.
    void* sharedArray(const void* key, std::size_t bytes, std::size_t alignment);
    void* dynamicShared();
    void checkAligned(const void* p, std::size_t alignment) const;

private:
    struct Thread;
    enum class Result { None, LaneValue, Votes };

    void wait(const Meeting& meeting, Result result, std::uint64_t value, int source);
    void resume(Thread& thread);
    void runThread(Thread& thread) noexcept;
    bool stepWarp(std::size_t warp);
    bool isComplete(const Thread& thread, std::size_t firstOfWarp) const;
    bool openWarpMeetings(std::size_t warp);
    bool openBlockMeeting();
    void runWarps();
    std::vector<std::size_t> ordered(std::size_t count);
    void abandonThreads();
    std::string whoWaitsWhere() const;
    [[noreturn]] void fail(const std::string& what) const;

    const char* m_kernel;
    dim3 m_gridSize, m_blockSize;
    std::size_t m_dynamicSharedBytes;
    Function m_function;
    const void* m_context;
    ThreadOrder m_order;
    std::mt19937_64 m_random;

    uint3 m_block;
    std::vector<Thread> m_threads;
    Thread* m_running = nullptr;
    std::exception_ptr m_error;
    bool m_isAbandoning = false;

    SharedMemory m_shared;
};

} // namespace remat::cuda
