// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/budget_steps.h"

#include <algorithm>

namespace remat {

std::vector<BudgetStep> budgetSteps(
    std::span<const BudgetStep> points, Bytes budget, Nanoseconds time, Nanoseconds keepAll)
{
    std::vector<BudgetStep> steps;
    const Nanoseconds extra = time - keepAll;
    for (const std::int64_t quarters : {3, 2, 1, 0}) {
        // Divided before it is multiplied: times reach 2^61.
        const Nanoseconds most = keepAll + quarters * Nanoseconds{extra.value / 4};
        const auto point = std::partition_point(
            points.begin(), points.end(), [&](const BudgetStep& p) { return p.budget <= budget || p.time > most; });
        if (point == points.end() || point->time >= time)
            break;
        if (steps.empty() || steps.back() != *point)
            steps.push_back(*point);
    }
    return steps;
}

} // namespace remat
