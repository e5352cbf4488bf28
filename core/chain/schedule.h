// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace remat {

/// One operation of a schedule (docs/planner.md, "Operations").  Stages count from 0 here and from 1 in files.
struct ScheduleOp {
    enum class Kind { Forward, Backward, FreeOutput, FreeSaved };
    static constexpr int kNoOption = -1; ///< forward that keeps nothing

    Kind kind = Kind::Forward;
    int stage = 0;
    int option = kNoOption; ///< of a forward: index into the stage's options

    bool operator==(const ScheduleOp&) const = default;
};

using Schedule = std::vector<ScheduleOp>;

/// How often each of so many stages runs forward: once, or again in nested schedules.
inline std::vector<int> forwardCounts(const Schedule& schedule, std::size_t stages)
{
    std::vector<int> counts(stages);
    for (const ScheduleOp& op : schedule)
        if (op.kind == ScheduleOp::Kind::Forward)
            ++counts[static_cast<std::size_t>(op.stage)];
    return counts;
}

} // namespace remat
