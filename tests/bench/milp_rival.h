// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/chain/chain.h"
#include "core/plan/frontier.h"

namespace remat {

/// HiGHS beside a frontier of ours: the flat problem of a chain as a mixed-integer program (flat_milp.py).
struct MilpComparison {
    int budgets = 0;                ///< asked
    int optimal = 0;                ///< of these, where HiGHS proved its plan
    int infeasible = 0;             ///< where it proved that no flat plan fits
    int overshooting = 0;           ///< where its plan does not fit when it is replayed in whole bytes; not compared
    int better = 0;                 ///< where its plan fits and is faster than ours
    int different = 0;              ///< where it proved a plan that fits and takes another time than ours
    std::optional<double> mostLoss; ///< of its plans' times less ours, in points (percent of the step's least time)
    double leastMilliseconds = 0;   ///< that HiGHS took for a budget
    double mostMilliseconds = 0;

    int unproved() const { return budgets - optimal - infeasible; }
};

/// Runs HiGHS in a Python of its own.
class MilpRival {
public:
    static constexpr int kBudgets = 3;
    static constexpr int kSecondsPerBudget = 5;

    /// With the Python that REMAT_MILP_PYTHON names ("./dev bench" makes one where it can); says so where it names
    /// none, and then nothing is compared.
    static MilpRival fromEnvironment();

    bool isThere() const { return !m_python.empty(); }
    /// Asks HiGHS at three budgets, spread evenly over the frontier; nothing where the script does not answer.
    std::optional<MilpComparison> compare(const Chain& chain, const std::vector<FrontierPoint>& points) const;

private:
    std::string m_python;
};

/// The aim for the flat planner: an answered budget takes HiGHS this many times as long as ours.
inline constexpr double kMilpAim = 1000;

/// Prints it in a line, beside what our frontier took: a budget of it is that time divided by its points.  `aim`: 0
/// where there is none.
void printMilp(const MilpComparison& rival, double ourMilliseconds, std::size_t points, double aim);

} // namespace remat
