// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/sweep/sweep_grid.h"
#include "core/sweep/sweep_journal.h"

namespace remat {

inline constexpr std::string_view kSweepFormat = "remat-sweep";
inline constexpr std::int64_t kSweepVersion = 1;

/// What became of a sweep's points.
struct SweepCount {
    std::int64_t points = 0;   ///< that are known
    std::int64_t fitting = 0;  ///< within their budget
    std::int64_t onDevice = 0; ///< of these: on their device too, context and cuBLAS workspace included
    std::int64_t problems = 0; ///< that no plan can be made of: a sequence beyond the model's positions
};

/// The results of a sweep whose points are all known, in the order of their numbers: same rows, same bytes.
struct SweepResults {
    std::string json; ///< {"format": "remat-sweep", "version": 1, "grid": {...}, "points": [{...}, ...]}
    std::string csv;  ///< one row a point: the flags that its axes set, and its figures
    SweepCount count;
};

/// Precondition: every study has its rows.
SweepResults sweepResults(const SweepGrid& grid, const SweepRows& rows);

/// How many studies of a grid have no rows.
std::int64_t missingStudies(const SweepRows& rows);

} // namespace remat
