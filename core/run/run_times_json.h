// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/run/run_times.h"

namespace remat {

class JsonCursor;

/// Rows of reports and of the worker's own lines:
///
///   {"stage": "block", "op": "ffn_up", "forward_ns": 2500000, "backward_ns": 5100000, "forwards": 36, "backwards": 36}
///   {"forward_ns": 9000000, "rerun_ns": 0, "backward_ns": 19000000}
nlohmann::json toJson(const std::vector<OpTime>& ops);
nlohmann::json toJson(const std::vector<StageTime>& stages);

/// Mistakes are recorded at the cursor: more than kMostMeasuredOps rows, a time above kLongestMeasuredOp, an op that
/// ran less than once either way or absurdly often.
std::vector<OpTime> readOpTimes(const JsonCursor& at);
/// Each time within kMaxQuantity; sums are the caller's to check.
std::vector<StageTime> readStageTimes(const JsonCursor& at);

} // namespace remat
