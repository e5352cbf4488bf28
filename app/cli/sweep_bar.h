// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/sweep/sweep_run.h"

namespace remat::cli {

/// A sweep's progress as one line: "[#########-----------] 4500 of 10000 points, about 40 s left".  The time is told by
/// the pace of this run, once it has found a fiftieth of what was left.
std::string sweepBar(const SweepProgress& progress);

/// When to show it: on a terminal five times a second on the same line, elsewhere a line every ten seconds, and at the
/// end always.
class SweepBar {
public:
    explicit SweepBar(bool isTerminal) : m_isTerminal(isTerminal) { }

    /// The text to write now, its line end or return included; nothing where there is nothing new to say.
    std::optional<std::string> text(const SweepProgress& progress);

private:
    bool m_isTerminal;
    std::optional<Nanoseconds> m_last;
};

} // namespace remat::cli
