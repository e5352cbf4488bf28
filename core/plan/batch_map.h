// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/plan/nested_study.h"

namespace remat {

/// One batch of a budget x batch map: what every budget costs there.
struct BatchMapRow {
    struct Point {
        Bytes peak;
        double extraTime = 0.0; ///< Study::extraTimeOf()
    };
    std::int64_t batch = 0;
    /// The frontier, thinned to kBatchMapPoints with both its ends; a budget below the first one has no plan.
    std::vector<Point> points;

    Bytes leastPeak() const { return points.front().peak; }
    /// Of the cheapest plan within a budget; nothing where none fits.
    std::optional<double> extraTimeAt(Bytes budget) const;
    /// The least budget whose plan takes at most so much extra time; nothing where pins keep every plan above it.
    std::optional<Bytes> leastBudgetFor(double extraTime) const;
};

inline constexpr std::size_t kBatchMapPoints = 400;

/// The batches that a map around one shows, rising: 1, 2, 3, 4, 6, 8, 12, ... up to four times it, and itself.
std::vector<std::int64_t> mapBatches(std::int64_t batch);

/// The same with those nearest to `batch` first: the order in which a map is worth filling.
std::vector<std::int64_t> byNearness(std::vector<std::int64_t> batches, std::int64_t batch);

/// Solves one batch of a request.  `remembered`: what the rows before left, or null.
/// Errors: those of Study::solve(), cancelled.
Result<BatchMapRow> solveMapRow(
    const StudyRequest& request, std::int64_t batch, const FlatLimits& limits, StudyMemory* remembered = nullptr);
/// The same where layers may run again (core/plan/nested_study.h).  Errors: those of NestedStudy::solve() too.
Result<BatchMapRow> solveNestedMapRow(const StudyRequest& request, std::int64_t batch, const FlatLimits& limits,
    const NestedLimits& nestedLimits, StudyMemory* remembered = nullptr);

} // namespace remat
