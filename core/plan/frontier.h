// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/chain/chain.h"
#include "core/chain/schedule.h"

namespace remat {

/// One point of a frontier: no schedule of the planner's class has a lower peak without costing more.
///
/// Cost is the pair (time, reruns), compared lexicographically.  Points are sorted by rising peak and falling cost.
struct FrontierPoint {
    Bytes peak;
    Nanoseconds time;
    std::int64_t reruns = 0;

    bool operator==(const FrontierPoint&) const = default;
};

/// The instant that sets a schedule's peak.
struct BindingOp {
    enum class Kind { Base, Forward, Backward, StepEnd };

    Kind kind = Kind::Base;
    int stage = -1; ///< of Forward and Backward, from 0
    std::string stageName;
    Bytes peak;
};

/// "base", "forward", "backward", "step-end": as in files.
std::string_view nameOf(BindingOp::Kind kind);

/// Replays a schedule and says what binds.  Errors: those of replay().
Result<BindingOp> bindingOp(const Chain& chain, const Schedule& schedule);

/// The infeasibility certificate: the leanest schedule needs leastBinding.peak, so `budget` cannot be met.
/// Exit code DoesNotFit.  Arguments: budget, least feasible budget, shortfall, and for an op its stage number (from 1)
/// and name, and the class of plans that was searched ("flat").  Codes: does-not-fit-base, -forward, -backward,
/// -nested-forward, -nested-backward, -step-end.
Error doesNotFit(Bytes budget, const BindingOp& leastBinding, std::string_view planClass);

/// What a solve that was stopped before it ended returns: "solve-cancelled".
Error solveCancelled(const Chain& chain);

/// Index of the cheapest point whose peak is within the budget: the last one.  Returns points.size() if there is none.
std::size_t lastWithin(std::span<const FrontierPoint> points, Bytes budget);

/// What the frontiers of all planners have in common: the points worth having in a class of plans, how sure that is,
/// and the certificate below the least of them.
class Frontier {
public:
    const std::vector<FrontierPoint>& points() const { return m_points; }
    /// True when no point of the class's true frontier is missing.
    bool exact() const { return m_exact; }
    /// At every budget: (time of our plan - time of the class's best) / time of the class's best is at most this.
    double gap() const { return m_gap; }
    /// The smallest budget that any plan of the class meets (exact even when thinned).
    Bytes leastPeak() const { return m_points.front().peak; }
    /// What the leanest plan of the class cannot do without.
    const BindingOp& leastBinding() const { return m_leastBinding; }
    /// Points of the step functions that the solve kept: what its answer rests on.
    std::int64_t states() const { return m_states; }
    /// Index of the cheapest point within the budget.  O(log points).
    /// Error: the infeasibility certificate of doesNotFit().
    Result<std::size_t> cheapestWithin(Bytes budget) const;

protected:
    std::vector<FrontierPoint> m_points;
    bool m_exact = false;
    double m_gap = 0;
    std::string_view m_planClass; ///< a literal, as in files
    BindingOp m_leastBinding;
    std::int64_t m_states = 0;
};

} // namespace remat
