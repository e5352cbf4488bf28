// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/run/gpu_answer.h"

namespace remat::cuda {

/// Asks the CUDA runtime, which is linked statically and starts without a driver.  A GPU whose free memory is asked for
/// gets a context for as long as the process lives.
GpuAnswer findGpus();

/// The runtime's number of the GPU that runs use, usableGpu(); 0 where there is none.
int usedDevice();

} // namespace remat::cuda
