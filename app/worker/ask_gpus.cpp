// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/worker/ask_gpus.h"

#ifdef REMAT_HAVE_CUDA
#include "cuda/device/find_gpus.h"
#endif

namespace remat::worker {

GpuAnswer askGpus()
{
#ifdef REMAT_HAVE_CUDA
    return cuda::findGpus();
#else
    return {};
#endif
}

} // namespace remat::worker
