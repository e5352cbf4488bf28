// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/result.h"
#include "core/cost/device.h"
#include "core/model/training_setup.h"
#include "core/tape/machine_traits.h"

namespace remat {

/// GEMM packing buffers and attention blocks of one CPU thread (core/run/kernels needs exactly this).
inline constexpr Bytes kCpuScratchPerThread{std::int64_t{2} << 20};
/// The cuBLASLt workspace that a CUDA machine passes to every product: NVIDIA's recommendation for Hopper, as quoted in
/// pytorch#120925.
inline constexpr Bytes kCudaWorkspace{std::int64_t{32} << 20};

/// What the device's machine adds to the sizes of the model: its granule and the scratch that it holds all step long.
inline MachineTraits machineTraits(const Device& device)
{
    const bool isCpu = device.kind == DeviceKind::Cpu;
    return {device.granule, isCpu ? device.threads * kCpuScratchPerThread : kCudaWorkspace};
}

/// Whether the device's kernels store what the setup asks for: half precision in the runtime profile is a GPU's.
/// Errors name the setup's key "precision" in `where`.
Result<void> checkPrecision(const TrainingSetup& setup, const Device& device);

} // namespace remat
