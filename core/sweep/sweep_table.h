// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/sweep/sweep_grid.h"

namespace remat {

/// What a sweep found at one point; what it does not say is empty.
struct SweepPoint {
    std::vector<std::string> values; ///< of SweepTable::columns
    bool fits = false;
    std::optional<Bytes> peak;
    std::optional<Bytes> leastBudget; ///< of a point that does not fit: the budget that would do
    std::optional<Nanoseconds> step;
    std::optional<double> extraTime; ///< over keeping everything, as a share
    std::optional<double> samplesPerSecond;
    std::string problem; ///< why there is no step to plan

    bool operator==(const SweepPoint&) const = default;
};

/// The results of `remat sweep` as a reader wants them (docs/file-formats.md, remat-sweep).
struct SweepTable {
    /// A flag that takes several values, in the order in which they first appear.
    struct Axis {
        std::size_t column = 0;
        std::vector<std::string> values;
    };

    std::vector<std::string> columns; ///< every flag that an axis of the grid sets
    std::vector<SweepPoint> points;   ///< in the order of the grid
    GridFlags common;                 ///< flags of every point

    /// The columns that a map can be spread over.
    std::vector<Axis> axes() const;
    /// The flags of a point with their values, the common ones included; empty values are flags that it lacks.
    GridFlags flagsOf(const SweepPoint& point) const;
};

/// Errors: no results of a sweep; other points than the grid in the file says.
Result<SweepTable> parseSweepResults(std::string_view text, const std::string& where);

} // namespace remat
