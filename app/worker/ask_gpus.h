// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/run/gpu_answer.h"

namespace remat::worker {

/// What CUDA answers here; in a build without it, that there is none.
GpuAnswer askGpus();

} // namespace remat::worker
