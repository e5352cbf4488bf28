// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "core/run/run_machine.h"
#include "core/run/run_passes.h"

namespace remat::worker {

/// A machine as the passes of a run see it; a pass has one for itself, in a process of its own.
class PassMachine {
public:
    virtual ~PassMachine() = default;
    virtual Result<MemoryFound> memory(const PassSetup& setup, const PassWatch& watch) = 0;
    /// `mostHeld`: how much memory a CPU may keep for reuse.
    virtual Result<TimingFound> timing(
        const PassSetup& setup, std::int64_t steps, Bytes mostHeld, const PassWatch& watch)
        = 0;
    virtual Result<GradientsFound> gradients(const PassSetup& setup, bool poisons, const PassWatch& watch) = 0;
};

/// The kernels for GPUs exist twice under the same names, compiled for a device and for the emulator.  So each has a
/// program of its own, built from the same sources as remat-worker, which starts it for the passes:
/// "remat-worker-cuda", "remat-worker-emulated".
std::string passProgramOf(RunMachine machine);

/// The machine that this program has beside the CPU.
std::optional<RunMachine> gpuMachineHere();

/// Errors: this program does not have that machine, or the device cannot be used (exit code 11).  `poolLimit`: more a
/// GPU's memory pool does not give; on the CPU the executor enforces budgets.
Result<std::unique_ptr<PassMachine>> openPassMachine(RunMachine machine, std::optional<Bytes> poolLimit);

/// What openPassMachine() does for anything but the CPU; each program is linked with one of gpu_none.cpp,
/// gpu_device.cpp and gpu_emulated.cpp.
Result<std::unique_ptr<PassMachine>> openGpuPassMachine(RunMachine machine, std::optional<Bytes> poolLimit);

/// The error of a program that does not have a machine.
Error machineNotHere(RunMachine machine);

} // namespace remat::worker
