// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/find_gpus.h"

#include <cuda_runtime_api.h>

#include <optional>
#include <utility>

namespace remat::cuda {

namespace {

/// Nothing where it does not answer, as in another program's exclusive use.
std::optional<GpuFound> describe(int device)
{
    cudaDeviceProp properties{};
    std::size_t free = 0, all = 0;
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess || cudaSetDevice(device) != cudaSuccess
        || cudaMemGetInfo(&free, &all) != cudaSuccess) {
        cudaGetLastError();
        return std::nullopt;
    }
    return GpuFound{properties.name, std::to_string(properties.major) + "." + std::to_string(properties.minor),
        {static_cast<std::int64_t>(all)}, {static_cast<std::int64_t>(free)}};
}

} // namespace

GpuAnswer findGpus()
{
    GpuAnswer answer;
    answer.isBuiltIn = true;
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    answer.status = status;
    answer.statusText = cudaGetErrorName(status);
    cudaDriverGetVersion(&answer.driverVersion);
    cudaRuntimeGetVersion(&answer.runtimeVersion);
    for (int device = 0; status == cudaSuccess && device < count; ++device)
        if (std::optional<GpuFound> found = describe(device))
            answer.gpus.push_back(*std::move(found));
    return answer;
}

int usedDevice()
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess)
        return 0;
    for (int device = 0; device < count; ++device)
        if (const std::optional<GpuFound> found = describe(device); found && isNewEnough(*found))
            return device;
    return 0;
}

} // namespace remat::cuda
