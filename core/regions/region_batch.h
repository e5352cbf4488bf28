// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <stop_token>

#include "core/plan/batch_map.h"
#include "core/regions/region_request.h"

namespace remat {

/// The largest batch below the request's own of which some plan of regions stays within the budget; nothing where one
/// sequence is too much already, or the search is stopped.  Least peaks grow with the batch, so the gap is halved:
/// log2(batch) least-memory studies.
std::optional<std::int64_t> largestSmallerBatch(
    const RegionRequest& request, Bytes budget, const std::stop_token& cancel = {});

/// One batch of a budget x batch map of PyTorch's step (core/plan/batch_map.h), from so many simulated plans.
/// Errors: those of validate(), cancelled.
Result<BatchMapRow> solveMapRow(
    const RegionRequest& request, std::int64_t batch, const FlatLimits& limits, std::size_t plans);

} // namespace remat
