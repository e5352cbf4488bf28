// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/gpu/gpu_check.h"
#include "tests/gpu/tally.h"

namespace remat::testing {

/// The checks of whole steps of a model: memory, cap and times of gpu_check.h.
void checkMemory(const OpenGpu& open, const std::vector<CheckedStep>& steps, Tally& tally);
void checkCap(const OpenGpu& open, const CheckedStep& step, Tally& tally);
void checkTimes(const OpenGpu& open, const CheckedStep& step, std::int64_t timedSteps, Tally& tally);

} // namespace remat::testing
