// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cost/cpu_measurement.h"
#include "core/run/run_report.h"

namespace remat {

/// The costs that a run's own times give (RunReport::ops, optimizer), on top of `base`: this CPU's measurement with the
/// report's threads; of a run on a GPU, one that knows the GPU's memory alone.
///
/// Each op of the model is there with its times; ops that are alike (core/cost/measured_op.h), such as a layer's two
/// norms, with the mean of theirs, weighted by how often they ran, so that a step's sum stays what it was.  Each class
/// of which an op ran gets its overhead and rate from a fit to the forwards and backwards of its ops
/// (core/cost/alpha_beta.h); the other classes keep those of `base`.  A report without times gives `base` as it is.
CpuMeasurement profiledCosts(const RunReport& report, CpuMeasurement base);

/// The device "cpu" with these costs, where the run was on this CPU (`cpu`: as measured in general); of a run on a GPU
/// the device kMeasuredGpu.  `memory`: of the machine that ran.
/// Error: it was of another processor or had other threads or kernels, whose times say nothing here.
Result<Device> profiledDevice(const RunReport& report, const CpuMeasurement& cpu, Bytes memory);

} // namespace remat
