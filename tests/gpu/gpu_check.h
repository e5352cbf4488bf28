// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/machine/gpu.h"

namespace remat::testing {

/// Checks whole steps and products on a Gpu, a line each: laws 1 and 4 over random plans, gradients against the CPU
/// machine, matrix products against sums in double.  Returns how many checks failed.
int checkGpu(cuda::Gpu& gpu, int models);

} // namespace remat::testing
