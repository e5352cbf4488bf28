// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/units.h"
#include "core/cost/device.h"
#include "core/model/training_setup.h"

namespace remat {

/// The time of one op by the roofline model (Williams, Waterman and Patterson, "Roofline: an insightful visual
/// performance model for multicore architectures", CACM 52(4), 2009), in whole nanoseconds:
///
///   round(10^9 max(flops / (e_c * peak_fp32), bytes / (e_b * bandwidth))) + overhead
///
/// with the efficiencies e_c and e_b of the op's class and the overhead of the class, where one was measured, or else
/// of the device: the linear model alpha + work / beta (core/cost/alpha_beta.h) of whichever resource binds.  An op
/// that does nothing (no FLOPs, no bytes) launches nothing and takes no time.  Halves round up; every step is one IEEE
/// double operation, so that the same inputs give the same integer on every machine.  At most kMaxQuantity.
///
/// A100, 20 GFLOP of a GEMM at 0.75 of 19.5 TFLOP/s, 100 MB at 2.039 TB/s, 4 us to launch: max(1367.5, 49.0) us + 4 us.
Nanoseconds opTime(const Device& device, OpClass opClass, Flops flops, Bytes bytes);

/// Bytes that an optimizer step moves: it reads weight, gradient and the optimizer's own state (AdamW's moments, a
/// master copy) and writes weight and state.
Bytes optimizerTraffic(OptimizerKind kind, Bytes weights, Bytes state);

} // namespace remat
