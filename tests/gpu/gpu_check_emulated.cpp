// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// The check of a GPU, on the emulated one: a check that fails here is wrong itself.
#include "cuda/emulator/emulated_gpu.h"
#include "tests/gpu/gpu_check.h"

int main()
{
    remat::cuda::EmulatedGpu gpu;
    return remat::testing::checkGpu(gpu, 3) == 0 ? 0 : 1;
}
