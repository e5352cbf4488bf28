// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/sweep/sweep_journal.h"

namespace remat {

/// How far a sweep is.
struct SweepProgress {
    std::int64_t done = 0, total = 0; ///< points, those of earlier runs included
    std::int64_t found = 0;           ///< points of this run
    Nanoseconds elapsed;              ///< of this run
};

/// What one run of a sweep took.
struct SweepTally {
    std::int64_t found = 0; ///< points that this run answered
    Nanoseconds wall;
    /// Share of the threads' time in which they worked: processor time of the process over wall time times threads.
    double busy = 0.0;
};

/// Answers the studies of a list that the journal lacks, in `threads` threads, and writes each to the journal as soon
/// as it is known.  Threads take the next study when they are done with one, so the end of the list is all that can
/// leave a thread idle.  Rows do not depend on how many threads there are.
///
/// `answer` gives a study's rows as the text of a JSON list; it is called from the threads.  `progress` is called after
/// every study, one call at a time.  The journal is synced about every second and at the end.
/// Errors: those of the journal; the system gives no memory or no thread.  What was answered until then is kept.
Result<SweepTally> runSweep(const std::vector<std::int64_t>& studies, std::int64_t pointsOfStudy, int threads,
    const std::function<std::string(std::int64_t study)>& answer, SweepJournal& journal,
    const std::function<void(const SweepProgress&)>& progress);

/// Studies `part`, `part` + `parts`, ... of all: what one of `parts` jobs answers.
std::vector<std::int64_t> studiesOfPart(std::int64_t studies, std::int64_t part, std::int64_t parts);

} // namespace remat
