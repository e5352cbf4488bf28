// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_times_json.h"

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/cost/measured_op.h"

namespace remat {

using nlohmann::json;

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
        ops.push_back({row["stage"].string(), row["op"].string(), row["forward_ns"].nanoseconds(),
            row["backward_ns"].nanoseconds(), row["forwards"].integer(0, kMaxQuantity),
            row["backwards"].integer(0, kMaxQuantity)});
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
