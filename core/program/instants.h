// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/program/program.h"

namespace remat {

/// The step as a person watches it: one op at a time, with what it brings into memory and what had just left.
struct Instant {
    int instruction = 0;       ///< the op: Forward, Backward or OptimizerStep
    std::vector<int> appeared; ///< buffers allocated for it, since the op before
    std::vector<int> left;     ///< buffers released since the op before ran
};

/// Every op of a program in order.  What has appeared and not left by an instant is alive while its op runs, and adds
/// up with the base to Timeline::points[instruction].live.  O(instructions).
std::vector<Instant> instantsOf(const Program& program);

} // namespace remat
