// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/chain/chain.h"
#include "core/plan/frontier.h"
#include "core/plan/rotor_500.h"

namespace remat {

/// Rotor with 500 memory slots, as published, beside a frontier of ours.
struct RotorRival {
    static constexpr int kBudgets = 8;

    double milliseconds = 0; ///< wall time per budget
    int answered = 0;        ///< budgets
    int better = 0;          ///< of these, where its plan is faster than ours
    double leastLoss = 0;    ///< its time less ours, in points (percent of the step's least time)
    double mostLoss = 0;
};

/// Solves it in this run at eight budgets, spread evenly over the frontier.
RotorRival compareWithRotor(const Chain& chain, RotorStages stages, const std::vector<FrontierPoint>& points);

/// Prints it in a line.
void printRotor(RotorStages stages, const RotorRival& rival);

} // namespace remat
