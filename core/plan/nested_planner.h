// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/chain/chain.h"
#include "core/chain/schedule.h"
#include "core/plan/frontier.h"

namespace remat {

class FlatMemory;

/// Which schedules a nested solve looks at; each class contains the one before it.
enum class NestedClass {
    NoDrop,   ///< an interior is kept only beside its input, where its backward reads that
    DropLean, ///< inputs of options that save nothing may go until the gradient arrives
    Drop,     ///< any input may
};

/// "nested-no-drop", "nested-drop-lean", "nested": as in files and flags.
std::string_view nameOf(NestedClass nestedClass);

/// Memory that a nested solve's tables may take by default.
inline constexpr std::int64_t kNestedTableBytes = std::int64_t{5} << 30;
/// Points of step functions that the solve of one class may look at by default: 8 to 12 s on two cores, so that a solve
/// which has to try all classes ends within 40 s.
inline constexpr std::int64_t kNestedWork = 1'500'000'000;
/// Longer chains are refused: the number of stretches grows with the square of the length.
inline constexpr std::size_t kMostNestedStages = 2000;

/// How far a nested solve may go.
struct NestedLimits {
    /// Where the work or the tables of this class would be too large, the next smaller class is solved instead, and the
    /// answer says so.
    NestedClass wanted = NestedClass::Drop;
    /// Asked before every table; a stopped solve returns the error "solve-cancelled".
    std::stop_token cancel;
    /// Called as tables are done with the share done, 0 to 1, on the thread that called solve().
    std::function<void(double)> progress;
    /// Threads that fill tables; 0: one per core.  The answer does not depend on it.
    int threads = 0;
    /// Tables never take more.  Where the whole tables even of the smallest class would (or their work would be more
    /// than maxWork), they are thinned and the answer states its gap.
    std::int64_t maxTableBytes = kNestedTableBytes;
    /// Bounds the time, and not by a clock: the same chain always gets the same answer.
    std::int64_t maxWork = kNestedWork;
};

/// Every plan worth having of a nested class: the answer of NestedPlanner.
///
/// Copies are cheap: the tables behind scheduleOf() are shared and immutable.
class NestedFrontier : public Frontier {
public:
    NestedClass solvedClass() const { return m_class; }

    /// A schedule that replays to exactly the point's peak, time and reruns.
    /// O(stages^2 * options * log points); safe to call from several threads.
    Schedule scheduleOf(std::size_t point) const;

    /// What scheduleOf() reads; made by the solver.
    class Tables;

private:
    friend class NestedPlanner;

    NestedClass m_class = NestedClass::NoDrop;
    std::shared_ptr<const Tables> m_tables;
};

/// The cheapest way to run a chain at every budget, when stretches of stages may run forward again.
///
/// A dynamic program over stretches s..t whose values are step functions of memory (no memory slots), after rotor
/// (Beaumont et al., RR-9302, 2019) with options per stage and growing weight gradients.  C(s,t) is the least cost of
/// running s..t forward and backward once x_{s-1} and y_t are there, over the memory beyond what the rest of the
/// schedule keeps; y_t counts, and so does x_{s-1} if the stretch may free it (else the stage before owns it).
///   all(o)         run s with option o, then C(s+1,t), then backward of s
///   checkpoint(k)  run s..k-1 keeping only x_{k-1}; C(k,t); then C(s,k-1), which runs s..k-1 again
///   drop(k,o)      run s..k-1 keeping only x_{k-1}; E(k,t,o); then D(s,k,o)
/// D(s,k,o) makes x_{k-1} again from x_{s-1} while the interior of k waits, runs the backward of k as soon as it can,
/// and then that of k-1..s.  It has the same three moves, with D in the place of the part that ends at k:
///   all(o')        run s with o', D(s+1,k,o), backward of s
///   checkpoint(k') D(k',k,o) and then C(s,k'-1)
///   drop(k',o')    run k' with o', free its input; D(k'+1,k,o) and then D(s,k',o')
///   D(k,k,o)       the backward of k
/// In C(s,t) an interior need not be kept at once: E(k,t,o) starts with x_{k-1}, may use it as a checkpoint first, and
/// ends with the interior of k and y_k there and x_{k-1} gone, which is where D(s,k,o) begins.
///   drop(o)        run k with o, free x_{k-1}; C(k+1,t)
///   checkpoint(j)  run k..j-1 keeping only x_{j-1}; C(j,t); then E(k,j-1,o)
/// Stages whose forward runs once (Stage::runsOnce) are in no such sweep, so that no move cuts a stretch behind them.
/// The published algorithm knows all and checkpoint; drop closes most of its distance to exhaustive search.
/// Exact in whole bytes and nanoseconds.  Tables of equal stretches are shared: identical layers have O(stages *
/// options) tables, layers that all differ O(stages^2 * options).  Each is the envelope of its moves, see
/// core/plan/nested_envelope.h, without what a plan of a smaller class beats, see core/plan/nested_bound.h.  Those of
/// suffixes start from the flat planner's, see core/plan/nested_suffixes.h.
///
///   auto frontier = NestedPlanner{chain}.solve();          // all budgets
///   auto point = frontier->cheapestWithin(8_GiB);          // or the certificate
///   auto schedule = frontier->scheduleOf(*point);
class NestedPlanner {
public:
    /// The chain must be valid (docs/planner.md) and outlive the planner.
    explicit NestedPlanner(const Chain& chain, NestedLimits limits = {});

    /// `remembered`: what flat solves left, and this one leaves for the next, or null; the answer does not depend on
    /// it. Errors: cancelled; a chain of more than kMostNestedStages, one whose costs could pass 2^124, or one whose
    /// thinned tables or work would still be too large.
    Result<NestedFrontier> solve(FlatMemory* remembered = nullptr) const;

private:
    const Chain& m_chain;
    NestedLimits m_limits;
};

} // namespace remat
