// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// remat-worker-cuda: this machine's first GPU that is new enough.
#include <stdexcept>

#include "app/worker/gpu_pass_machine.h"
#include "cuda/device/cuda_gpu.h"
#include "cuda/device/find_gpus.h"

namespace remat::worker {

namespace {

constexpr MessageCode kCannotStart{"gpu-cannot-start", REMAT_TR("The GPU cannot be used: {0}."),
    REMAT_TR("\"remat probe\" says what this machine finds; nvidia-smi says who uses the card."),
    ExitCode::DeviceError};

} // namespace

std::optional<RunMachine> gpuMachineHere()
{
    return RunMachine::Cuda;
}

Result<std::unique_ptr<PassMachine>> openGpuPassMachine(RunMachine machine, std::optional<Bytes> poolLimit)
{
    if (machine != RunMachine::Cuda)
        return machineNotHere(machine);
    try {
        return std::unique_ptr<PassMachine>(std::make_unique<GpuPassMachine>(
            std::make_unique<cuda::CudaGpu>(cuda::usedDevice(), poolLimit), poolLimit));
    } catch (const std::runtime_error& failure) {
        return Error{&kCannotStart, "", {std::string(failure.what())}};
    }
}

} // namespace remat::worker
