// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_times_json.h"

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/cost/measured_op.h"

namespace remat {

using nlohmann::json;

namespace {

/// The runs of all ops together stay within kMaxQuantity.
constexpr std::int64_t kMostRuns = kMaxQuantity / static_cast<std::int64_t>(kMostMeasuredOps);

Nanoseconds readOpTime(const JsonCursor& at)
{
    return {at.integer(0, kLongestMeasuredOp.value)};
}

} // namespace

json toJson(const std::vector<OpTime>& ops)
{
    json rows = json::array();
    for (const OpTime& op : ops)
        rows.push_back({{"stage", op.stage}, {"op", op.op}, {"forward_ns", op.forward.value},
            {"backward_ns", op.backward.value}, {"forwards", op.forwards}, {"backwards", op.backwards}});
    return rows;
}

json toJson(const std::vector<StageTime>& stages)
{
    json rows = json::array();
    for (const StageTime& stage : stages)
        rows.push_back({{"forward_ns", stage.forward.value}, {"rerun_ns", stage.rerun.value},
            {"backward_ns", stage.backward.value}});
    return rows;
}

std::vector<OpTime> readOpTimes(const JsonCursor& at)
{
    std::vector<OpTime> ops;
    for (const JsonCursor& row : at.elements(kMostMeasuredOps))
        ops.push_back(
            {row["stage"].string(), row["op"].string(), readOpTime(row["forward_ns"]), readOpTime(row["backward_ns"]),
                row["forwards"].integer(1, kMostRuns), row["backwards"].integer(1, kMostRuns)});
    return ops;
}

std::vector<StageTime> readStageTimes(const JsonCursor& at)
{
    std::vector<StageTime> stages;
    for (const JsonCursor& row : at.elements())
        stages.push_back(
            {row["forward_ns"].nanoseconds(), row["rerun_ns"].nanoseconds(), row["backward_ns"].nanoseconds()});
    return stages;
}

} // namespace remat
