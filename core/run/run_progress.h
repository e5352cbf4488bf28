// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/base/units.h"
#include "core/run/run_events.h"

namespace remat {

/// Turns the events of a run into lines that a person can follow: every phase, and of long ones the step and the time
/// that is left of the whole run, told by the pace so far.
///
///   timing: step 2 of 3, about 40 s left
///
/// A step is told when it begins, but no two lines come within a second, and a slow step speaks again every ten.
class RunProgress {
public:
    /// The line for an event at a time of any steady clock; nothing where there is nothing new to say.
    std::optional<std::string> line(const RunEvent& event, Nanoseconds now);

private:
    std::optional<std::string> stepLine(const StepEvent& step, Nanoseconds now);

    std::optional<Nanoseconds> m_start; ///< of the first pass
    Nanoseconds m_lastLine{};
    std::string m_lastStep;
};

} // namespace remat
