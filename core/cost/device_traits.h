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

/// To what CUDA's memory pools round an allocation, as PyTorch's allocator takes it to be; a run on a GPU has yet to
/// show it.
inline constexpr Bytes kCudaGranule{512};
/// One fp32 number a row of scores: what a CUDA machine's backward of attention needs (cuda/kernels/attention.h).
inline constexpr Bytes kCudaAttentionRow{4};

/// What the device's machine adds to the sizes of the model: its granule, the scratch that it holds all step long, and
/// what its kernels need while they run.
inline MachineTraits machineTraits(const Device& device)
{
    if (device.kind == DeviceKind::Cpu)
        return {device.granule, device.threads * kCpuScratchPerThread, {}};
    return {device.granule, kCudaWorkspace, kCudaAttentionRow};
}

/// Whether the device's kernels store what the setup asks for: half precision in the runtime profile is a GPU's.
/// Errors name the setup's key "precision" in `where`.
Result<void> checkPrecision(const TrainingSetup& setup, const Device& device);

} // namespace remat
