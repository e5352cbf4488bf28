// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/base/units.h"
#include "core/cost/device.h"
#include "core/model/training_setup.h"
#include "core/tape/tape.h"

namespace remat {

/// What one op takes on a device; rounded to whole nanoseconds before anything is summed.
struct OpTimes {
    Nanoseconds forward;
    Nanoseconds backward;
};

/// Times of a tape's ops: measured where the device has a measurement of an op of the same kind, sizes and storage
/// (core/cost/measured_op.h), else by the roofline of its class (core/cost/roofline.h).  An op half that moves no bytes
/// and does no FLOPs, such as the backward of a residual add, launches nothing and takes no time.  No measured time
/// counts for more than what the slowest device that the program describes would take (core/model/step_bounds.h).  Half
/// precision computes at the device's rate for 16-bit numbers where it has one.
std::vector<OpTimes> opTimes(const StageTape& tape, const Device& device, Precision precision = Precision::Fp32);

} // namespace remat
