// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cuda/language/kernel.h"
#include "cuda/language/launch_error.h"

namespace remat::cuda {

void checkLaunch(const char* kernel)
{
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
        throw LaunchError(std::string("kernel ") + kernel + " cannot be launched: " + cudaGetErrorString(error));
}

} // namespace remat::cuda
