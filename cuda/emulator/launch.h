// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "cuda/emulator/block.h"
#include "cuda/language/types.h"

namespace remat::cuda {

/// Launches of this thread follow the given order for as long as the object lives; without one, Forward.
class UseThreadOrder {
public:
    explicit UseThreadOrder(ThreadOrder order, std::uint64_t seed = 1);
    ~UseThreadOrder();
    UseThreadOrder(const UseThreadOrder&) = delete;
    UseThreadOrder& operator=(const UseThreadOrder&) = delete;

private:
    ThreadOrder m_outerOrder;
    std::uint64_t m_outerSeed;
};

/// Runs every block of the grid, one after another.  Throws LaunchError for a launch that a device would refuse, or for
/// a rule that the kernel breaks (block.h).
void runGrid(const char* kernel, dim3 grid, dim3 block, std::size_t dynamicSharedBytes, BlockRunner::Function function,
    const void* context);

/// What REMAT_LAUNCH makes; its call runs the kernel to its end.
template <class... Parameters> struct Launch {
    const char* name;
    void (*kernel)(Parameters...);
    dim3 grid, block;
    std::size_t dynamicSharedBytes;
    Stream stream;

    void operator()(Parameters... parameters) const
    {
        struct Call {
            void (*kernel)(Parameters...);
            std::tuple<Parameters...> parameters;
        } const call{kernel, {parameters...}};
        runGrid(
            name, grid, block, dynamicSharedBytes,
            [](const void* context) {
                const auto* it = static_cast<const Call*>(context);
                std::apply(it->kernel, it->parameters);
            },
            &call);
    }
};

} // namespace remat::cuda
