// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/run/run_passes.h"

namespace remat::worker {

/// What a pass process says to the worker that started it, beside the events of the run protocol: one last line
/// {"event": "measured", ...}.  Both ends are the same program, so these lines are no interface for others.
std::string measuredLine(const MemoryFound& found);
std::string measuredLine(const TimingFound& found);
std::string measuredLine(const GradientsFound& found);

bool isMeasuredLine(std::string_view line);

Result<MemoryFound> readMemoryFound(std::string_view line);
Result<TimingFound> readTimingFound(std::string_view line);
Result<GradientsFound> readGradientsFound(std::string_view line);

} // namespace remat::worker
