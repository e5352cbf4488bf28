// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/cli/environment.h"
#include "core/cost/cpu_measurement.h"

namespace remat::cli {

// This CPU, measured where it has not been yet (core/run/cpu_calibration.h); whoever waits at a terminal is told what
// for.  `threads` 0: all that a run uses.

CpuMeasurement measurementOfThisCpu(const Environment& environment, int threads = 0);
/// environment.thisCpu, where that is known already.
Device deviceOfThisCpu(const Environment& environment, int threads = 0);

} // namespace remat::cli
