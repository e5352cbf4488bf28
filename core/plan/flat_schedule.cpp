// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/flat_schedule.h"

#include <cassert>

namespace remat {

Schedule flatSchedule(const Chain& chain, std::span<const int> options)
{
    using Kind = ScheduleOp::Kind;
    const int count = static_cast<int>(chain.stages.size());
    assert(options.size() == chain.stages.size());
    const auto option = [&](int i) -> const Option& {
        const auto index = static_cast<std::size_t>(i);
        return chain.stages[index].options[static_cast<std::size_t>(options[index])];
    };
    const auto ownsOutput = [&](int i) { return option(i).needsOutput; };
    const auto readsInput = [&](int i) { return i < count && option(i).needsInput; };

    Schedule schedule;
    schedule.reserve(3 * chain.stages.size());
    for (int i = 0; i < count; ++i) {
        schedule.push_back({Kind::Forward, i, options[static_cast<std::size_t>(i)]});
        if (i > 0 && !ownsOutput(i - 1) && !readsInput(i))
            schedule.push_back({Kind::FreeOutput, i - 1});
    }
    if (!ownsOutput(count - 1))
        schedule.push_back({Kind::FreeOutput, count - 1});
    for (int i = count - 1; i >= 0; --i) {
        schedule.push_back({Kind::Backward, i});
        if (i == 0)
            break;
        if (ownsOutput(i))
            schedule.push_back({Kind::FreeOutput, i});
        if (readsInput(i) && !ownsOutput(i - 1))
            schedule.push_back({Kind::FreeOutput, i - 1});
    }
    return schedule;
}

} // namespace remat
