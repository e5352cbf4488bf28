// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/this_cpu.h"

#include <cstdio>
#include <unistd.h>

#include "core/run/cpu_calibration.h"

namespace remat::cli {

namespace {

CpuMeasurement measureAndTell(int threads)
{
    const bool isWatched = ::isatty(STDERR_FILENO) == 1;
    if (isWatched)
        std::fputs("remat: measuring how fast this CPU is, once, for some seconds ...", stderr);
    CpuMeasurement measurement = measureCpu(threads);
    if (isWatched)
        std::fputs(" done\n", stderr);
    return measurement;
}

} // namespace

CpuMeasurement measurementOfThisCpu(const Environment& environment, int threads)
{
    return thisCpu(environment.cacheFolder, threads, measureAndTell);
}

Device deviceOfThisCpu(const Environment& environment, int threads)
{
    if (environment.thisCpu && threads == 0)
        return *environment.thisCpu;
    return thisCpuDevice(environment.cacheFolder, threads, measureAndTell);
}

} // namespace remat::cli
