// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/chain/chain.h"
#include "core/plan/frontier.h"
#include "core/plan/step_table.h"

namespace remat {

/// Whether the stage before owns this stage's input, which then exists until that stage's backward (flat_planner.h).
enum class Input { Free = 0, Owned = 1 };

/// A move whose backward floor does not yet count the weight gradients of later stages.
template <class Cost> struct FlatMoveTemplate {
    std::int64_t keep;
    std::int64_t forwardFloor;
    std::int64_t backwardFloor;
    Cost cost;
    int table;
    int option;

    bool operator==(const FlatMoveTemplate&) const = default;
};

/// The moves of stages with equal numbers.
template <class Cost> struct FlatStageKind {
    std::array<std::vector<FlatMoveTemplate<Cost>>, 2> templates; ///< by Input
    bool inputsCoincide = false;
    bool ownsSome = false;
    bool ownsAll = false;

    bool operator==(const FlatStageKind&) const = default;
};

template <class Cost> class FlatSuffixes;

/// A chain as the flat recursion sees it: per stage the options as moves, without those that another one beats.
///
/// Moves of a stage are sorted by preference: of two plans with equal cost the one whose earlier stage keeps less wins,
/// then the one whose option stands first.  Stages with equal numbers share their moves.
template <class Cost> class FlatMoves {
public:
    using Kind = FlatStageKind<Cost>;

    /// `scale`: so many units of cost are a nanosecond; more than the reruns of any plan.  `remembered`: where kinds
    /// are looked up, or null.
    explicit FlatMoves(const Chain& chain, Cost scale, FlatSuffixes<Cost>* remembered = nullptr);
    /// A scale that chains of about the same length share.
    static Cost usualScale(const Chain& chain);

    std::size_t stages() const { return m_stages.size(); }
    /// Whether any option of the stage before leaves the input in that state.
    bool isReached(std::size_t stage, Input input) const { return m_stages[stage].isReached[indexOf(input)]; }
    /// True when every option reads its input, so that owning it changes nothing.
    bool inputsCoincide(std::size_t stage) const { return m_stages[stage].kind->inputsCoincide; }
    /// True when the next stage is the same stage again and both have but one table.
    bool repeatsNext(std::size_t stage) const
    {
        const Kind& kind = *m_stages[stage].kind;
        const bool hasSameNext = stage + 1 < stages() && m_stages[stage + 1].kind == m_stages[stage].kind;
        return hasSameNext && kind.inputsCoincide && !kind.ownsSome;
    }

    const std::shared_ptr<const Kind>& kind(std::size_t stage) const { return m_stages[stage].kind; }
    const std::array<bool, 2>& reached(std::size_t stage) const { return m_stages[stage].isReached; }
    std::int64_t laterWeightGrads(std::size_t stage) const { return m_stages[stage].laterWeightGrads; }

    /// The moves worth trying before these suffix tables.  Also drops options whose higher floor is the only reason to
    /// keep another: a floor below the suffix's least memory does not bind.
    void worthTrying(
        std::size_t stage, Input input, const SuffixTables<Cost>& suffix, std::vector<StageMove<Cost>>& moves) const;

    /// The first move, by preference, that makes `cost` of a suffix with `memory`; to walk a plan back.
    StageMove<Cost> moveThatMakes(
        std::size_t stage, Input input, std::int64_t memory, Cost cost, const SuffixTables<Cost>& suffix) const;

    /// The point of the whole chain's table at (memory, cost).
    FrontierPoint pointOf(std::int64_t memory, Cost cost) const;
    /// The nanoseconds of a cost, above the chain's least time.
    std::int64_t excessOf(Cost cost) const { return static_cast<std::int64_t>(cost / m_costPerNanosecond); }
    Nanoseconds leastTime() const { return m_leastTime; }
    /// What the step needs on top of base whatever is chosen: all weight gradients and the optimizer step.
    std::int64_t stepEnd() const { return m_stepEnd; }

    static std::size_t indexOf(Input input) { return static_cast<std::size_t>(input); }

private:
    using Template = FlatMoveTemplate<Cost>;
    struct StageEntry {
        std::shared_ptr<const Kind> kind;
        std::int64_t laterWeightGrads = 0;
        std::array<bool, 2> isReached{};
    };

    Kind kindOf(const Stage& stage, std::int64_t inputBytes) const;
    static StageMove<Cost> moveOf(const Template& one, std::int64_t laterWeightGrads);

    std::vector<StageEntry> m_stages;
    Bytes m_base;
    std::int64_t m_stepEnd = 0;
    Nanoseconds m_leastTime;
    Cost m_costPerNanosecond;
};

/// Whether every plan's cost of this chain fits NarrowCost.
bool fitsNarrowCost(const Chain& chain);

} // namespace remat
