// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// remat-worker-emulated: the GPU's kernels on this CPU.
#include "app/worker/gpu_pass_machine.h"
#include "cuda/emulator/emulated_gpu.h"

namespace remat::worker {

std::optional<RunMachine> gpuMachineHere()
{
    return RunMachine::Emulated;
}

Result<std::unique_ptr<PassMachine>> openGpuPassMachine(RunMachine machine, std::optional<Bytes> poolLimit)
{
    if (machine != RunMachine::Emulated)
        return machineNotHere(machine);
    return std::unique_ptr<PassMachine>(
        std::make_unique<GpuPassMachine>(std::make_unique<cuda::EmulatedGpu>(poolLimit), poolLimit));
}

} // namespace remat::worker
