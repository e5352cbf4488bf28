// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/emulator/launch.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cuda/language/launch_error.h"

namespace remat::cuda {
namespace {

thread_local ThreadOrder currentOrder = ThreadOrder::Forward;
thread_local std::uint64_t currentSeed = 1;

/// The limits of every device since compute capability 5.0 (CUDA C Programming Guide, technical specifications).
void checkLimits(const char* kernel, dim3 grid, dim3 block, std::size_t dynamicSharedBytes)
{
    const auto require = [&](bool holds, const char* what) {
        if (!holds)
            throw LaunchError(std::string("kernel ") + kernel + " cannot be launched: " + what);
    };
    require(std::uint64_t{block.x} * block.y * block.z <= kMaxThreadsPerBlock, "a block has at most 1024 threads");
    require(block.x > 0 && block.y > 0 && block.z > 0, "a block has at least one thread");
    require(block.z <= 64, "a block is at most 64 threads deep");
    require(grid.x > 0 && grid.y > 0 && grid.z > 0, "a grid has at least one block");
    require(grid.x <= 0x7fffffffU, "a grid is at most 2^31 - 1 blocks wide");
    require(grid.y <= 65535 && grid.z <= 65535, "a grid is at most 65535 blocks high and deep");
    require(dynamicSharedBytes <= kMaxSharedBytes, "a block has at most 48 KiB of shared memory");
}

} // namespace

UseThreadOrder::UseThreadOrder(ThreadOrder order, std::uint64_t seed)
    : m_outerOrder(std::exchange(currentOrder, order)),
      m_outerSeed(std::exchange(currentSeed, seed))
{ }

UseThreadOrder::~UseThreadOrder()
{
    currentOrder = m_outerOrder;
    currentSeed = m_outerSeed;
}

void runGrid(const char* kernel, dim3 grid, dim3 block, std::size_t dynamicSharedBytes, BlockRunner::Function function,
    const void* context)
{
    checkLimits(kernel, grid, block, dynamicSharedBytes);
    std::vector<std::uint64_t> blocks(std::uint64_t{grid.x} * grid.y * grid.z);
    std::iota(blocks.begin(), blocks.end(), std::uint64_t{0});
    if (currentOrder == ThreadOrder::Reverse)
        std::reverse(blocks.begin(), blocks.end());
    if (currentOrder == ThreadOrder::Shuffled)
        std::shuffle(blocks.begin(), blocks.end(), std::mt19937_64(currentSeed));
    BlockRunner runner(kernel, grid, block, dynamicSharedBytes, function, context, currentOrder, currentSeed);
    for (const std::uint64_t at : blocks) {
        const std::uint64_t row = at / grid.x;
        runner.run({static_cast<unsigned>(at % grid.x), static_cast<unsigned>(row % grid.y),
            static_cast<unsigned>(row / grid.y)});
    }
}

} // namespace remat::cuda
