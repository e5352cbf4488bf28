// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "core/run/run_report.h"

namespace remat {

/// Where a step's time went: all stages and micro-batches together.
struct PhaseTimes {
    Nanoseconds forward;   ///< of the stages before the head
    Nanoseconds loss;      ///< the head's forward, which makes the loss
    Nanoseconds rerun;     ///< what was not kept, made again
    Nanoseconds backward;  ///< without the reruns
    Nanoseconds optimizer; ///< one step

    bool operator==(const PhaseTimes&) const = default;
};

/// As measured; absent in reports of older versions.  Memory management between the ops is in no phase.
std::optional<PhaseTimes> measuredPhases(const RunReport& report);
/// As predicted; absent also where the plan was timed for another device.
std::optional<PhaseTimes> predictedPhases(const RunReport& report);

} // namespace remat
