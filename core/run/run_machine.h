// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

namespace remat {

/// What a run computes on.
///
/// `Emulated` runs the GPU's kernels on this CPU, thread by thread, with a heap that counts as a GPU's memory pool
/// does: for tests and teaching, on tiny steps.  Bytes and bits are what they would be there but for the products'
/// order of sums; times are the emulator's.
enum class RunMachine { Cpu, Cuda, Emulated };

/// "cpu", "cuda", "emulated".
std::string_view toName(RunMachine machine);
/// Nothing for another name.
std::optional<RunMachine> parseRunMachine(std::string_view name);

/// Whether the kernels of a GPU run, on one or emulated.
constexpr bool runsGpuKernels(RunMachine machine)
{
    return machine != RunMachine::Cpu;
}

} // namespace remat
