// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

#include "core/cost/cpu_measurement.h"
#include "core/cost/device.h"

namespace remat {

/// Measures how fast this CPU runs the executor's ops, in about a second: two steps of one GPT-2-wide layer with its
/// head, once with blocked and once with stored attention, timed op by op after a step that warms up.  The rate of a
/// class is the work that the tape counts over the time that its ops took, forward and backward together.
CpuMeasurement measureCpu(int threads);

/// The measurement kept in `cacheFolder` if it is of this processor, thread count and kernels; otherwise measures and
/// keeps it (a folder that cannot be written only costs the next start a second).  `threads` 0: usableThreads();
/// another number has a file of its own and leaves that of usableThreads() alone.
CpuMeasurement thisCpu(const std::string& cacheFolder, int threads = 0,
    const std::function<CpuMeasurement(int threads)>& measure = measureCpu);

/// The device "cpu": thisCpu() with the memory that is built in, so that the same machine gives the same plan file.
Device thisCpuDevice(const std::string& cacheFolder, int threads = 0,
    const std::function<CpuMeasurement(int threads)>& measure = measureCpu);

} // namespace remat
