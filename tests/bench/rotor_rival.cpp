// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/rotor_rival.h"

#include <algorithm>
#include <cstdio>

#include "core/base/clock.h"

namespace remat {

RotorRival compareWithRotor(const Chain& chain, RotorStages stages, const std::vector<FrontierPoint>& points)
{
    RotorRival rival;
    const Bytes step = Bytes{(points.back().peak - points.front().peak).value / RotorRival::kBudgets};
    for (int i = 1; i <= RotorRival::kBudgets; ++i) {
        const Bytes budget = points.front().peak + i * step;
        const Nanoseconds begin = steadyClock();
        const auto answer = solveRotor500(chain, budget, stages);
        rival.milliseconds += static_cast<double>((steadyClock() - begin).value) / 1e6 / RotorRival::kBudgets;
        if (!answer)
            continue;
        const Nanoseconds ours = points[lastWithin(points, budget)].time;
        const double loss = 100 * ratio(answer->time - ours, points.back().time);
        rival.leastLoss = rival.answered == 0 ? loss : std::min(rival.leastLoss, loss);
        rival.mostLoss = rival.answered == 0 ? loss : std::max(rival.mostLoss, loss);
        rival.better += answer->time < ours ? 1 : 0;
        ++rival.answered;
    }
    return rival;
}

void printRotor(RotorStages stages, const RotorRival& rival)
{
    std::printf("  rotor-500 %-7s %9.1f ms per budget; answers %d of %d budgets",
        stages == RotorStages::Atomic ? "classic" : "options", rival.milliseconds, rival.answered,
        RotorRival::kBudgets);
    if (rival.answered > 0)
        std::printf(", loses %.1f to %.1f points, is better at %d", rival.leastLoss, rival.mostLoss, rival.better);
    std::printf("\n");
}

} // namespace remat
