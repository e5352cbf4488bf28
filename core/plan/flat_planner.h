// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/chain/chain.h"
#include "core/plan/frontier.h"

namespace remat {

class FlatMemory;

/// For FlatLimits::gapTarget: whatever gap the fastest solve certifies.
inline constexpr double kAnyGap = std::numeric_limits<double>::infinity();

/// How far a flat solve may go.
struct FlatLimits {
    /// Asked before every stage; a stopped solve returns the error "solve-cancelled".
    std::stop_token cancel;
    /// Called after every stage with the share done, 0 to 1, on the solving thread.
    std::function<void(double)> progress;
    /// 0: exact.  Above 0: a thinned solve may answer if its certified gap is at most this share of the step's time;
    /// where it cannot certify that, the solve is exact all the same.
    double gapTarget = 0;
    /// With gapTarget above 0: an exact solve goes ahead as long as it makes no more points than that, because where
    /// stages repeat it is often the faster one.
    std::int64_t quickPoints = 0;
    /// Points of all stages together that an exact solve may hold (24 bytes each or less); above it the thinned answer
    /// is returned with whatever gap it certifies.
    std::int64_t maxPoints = 48'000'000;
    /// Threads that share large tables; 0: one per core.  The answer does not depend on it.
    int threads = 0;
};

/// Every plan worth having when each stage runs forward exactly once: the answer of FlatPlanner.
///
/// Copies are cheap: the tables behind choiceOf() are shared and immutable.
class FlatFrontier : public Frontier {
public:
    /// One option per stage that reaches the point exactly; of several the one that saves least in the earliest stage
    /// where they differ.  O(stages * options * log points).
    std::vector<int> choiceOf(std::size_t point) const;

    /// What choiceOf() reads; made by the solver.
    class Tables;

private:
    friend class FlatPlanner;

    std::shared_ptr<const Tables> m_tables;
};

/// The cheapest way to run a chain at every budget, when each stage runs forward exactly once.
///
/// Walks the stages from the head to the input and keeps, per suffix i..n, the step function F_i of least cost over
/// memory, relative to what the prefix keeps (so no running peak is carried):
///   F_i(m) = min over options o with floor_o <= m of  cost_o + F_{i+1}(m - keep_o)
///   keep_o  = saved + x_{i-1} if o reads it in backward or stage i-1 owns it
///   floor_o = max(x_{i-1} + out + saved + forward temp,  keep_o + [x_i if o owns it] + grad + g_{i+1..n} + backward
///   temp)
/// where stage i *owns* x_i if its option reads its own output in backward.  Where that happens there are two tables
/// per stage, one for an owned input and one for an input that nobody owns; where every option reads its input they
/// coincide. The step's peak is base + max(m, all g + step end).  Exact in whole bytes and nanoseconds, for all budgets
/// at once; O(stages * options * points / 8), see core/plan/step_envelope.h, and far less where stages repeat, see
/// core/plan/exchange.h.
///
///   auto frontier = FlatPlanner{chain}.solve();                 // all budgets
///   auto point = frontier->cheapestWithin(8_GiB);               // or the certificate
///   auto schedule = flatSchedule(chain, frontier->choiceOf(*point));
class FlatPlanner {
public:
    /// The chain must be valid (docs/planner.md) and outlive the planner.
    explicit FlatPlanner(const Chain& chain, FlatLimits limits = {});

    /// `remembered`: what past solves left and this one leaves for the next, or null.  An exact answer does not depend
    /// on it; one with a gap may be exact instead.
    /// Errors: cancelled.
    Result<FlatFrontier> solve(FlatMemory* remembered = nullptr) const;

private:
    const Chain& m_chain;
    FlatLimits m_limits;
};

} // namespace remat
