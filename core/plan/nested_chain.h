// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/chain/chain.h"
#include "core/plan/nested_planner.h"
#include "core/plan/step_table.h"

namespace remat {

/// A chain as the nested recursion sees it: per kind of stage the options worth trying, sums over stretches, and which
/// stretches are the same.
///
/// Stages with equal numbers are one *kind* and stretches of equal kinds are one *stretch*, whatever names and `kind`
/// keys say, so that every table is solved once.  Costs are as in step_table.h: excess nanoseconds above the chain's
/// least time, times (most reruns + 1), plus reruns.
template <class Cost> class NestedChain {
public:
    /// An option that no other one of its stage beats in every respect.
    struct Choice {
        std::int64_t saved;
        std::int64_t forwardTop;  ///< saved + forward temporaries
        std::int64_t backwardTop; ///< saved + backward temporaries
        bool needsInput;
        bool needsOutput;
        Cost excess; ///< of its backward, above the stage's fastest
        int option;  ///< index into the stage's options
    };
    struct Kind {
        std::int64_t out = 0;
        std::int64_t grad = 0;
        std::int64_t weightGrad = 0;
        bool runsOnce = false; ///< no plan may run its forward again
        Cost rerun = 0;        ///< of one more forward
        /// Temporaries of a forward that keeps nothing: its own, or those of an option whose interior goes at once.
        std::int64_t bareTemp = 0;
        int bareOption = -1; ///< that option; -1: none
        bool alwaysNeedsInput = true;
        std::vector<Choice> choices; ///< by rising saved bytes
    };

    NestedChain(const Chain& chain, NestedClass solvedClass);

    int stages() const { return static_cast<int>(m_kindOf.size()); }
    const Kind& kind(int stage) const { return m_kinds[static_cast<std::size_t>(kindIndex(stage))]; }
    /// x_{stage-1}; that of the first stage belongs to base.
    std::int64_t inputBytes(int stage) const { return stage == 0 ? 0 : kind(stage - 1).out; }
    /// True when owning the input changes nothing but who counts it, so that one table serves both.
    bool inputsCoincide(int stage) const
    {
        return stage == 0 || kind(stage).alwaysNeedsInput || inputBytes(stage) == 0;
    }
    /// Whether the chosen class may drop the stage's input while this choice's interior stays.
    bool mayDrop(int stage, const Choice& choice) const
    {
        return stage > 0 && (m_class == NestedClass::Drop || (m_class == NestedClass::DropLean && choice.saved == 0));
    }
    /// Whether a plan can have to make the stage's output again only because it was dropped there.
    bool mayBeDropped(int stage) const
    {
        if (stage + 1 == stages())
            return false;
        const auto& choices = kind(stage + 1).choices;
        return std::any_of(choices.begin(), choices.end(),
            [&](const Choice& choice) { return choice.needsInput && mayDrop(stage + 1, choice); });
    }
    bool hasDrops() const { return m_class != NestedClass::NoDrop; }
    /// Whether the stage's backward can be worth putting off although nothing is left to do before it: what waits for
    /// it must be less than what it makes.
    bool mayWait(int stage, const Choice& choice) const
    {
        const std::int64_t waits = choice.saved + (choice.needsOutput ? kind(stage).out : 0) + kind(stage).grad;
        return mayDrop(stage, choice) && waits < kind(stage - 1).grad + kind(stage).weightGrad;
    }

    /// Weight gradients of the stages first .. last; 0 where first > last.
    std::int64_t weightGrads(int first, int last) const
    {
        return m_weightGradsBefore[static_cast<std::size_t>(last) + 1]
            - m_weightGradsBefore[static_cast<std::size_t>(first)];
    }
    /// One more forward of each of the stages first .. last - 1.
    Cost rerunCost(int first, int last) const
    {
        return m_rerunsBefore[static_cast<std::size_t>(last)] - m_rerunsBefore[static_cast<std::size_t>(first)];
    }
    /// Equal for stretches whose tables are equal.
    int stretch(int first, int last) const { return m_stretches[stretchIndex(first, last)]; }
    int stretches() const { return m_stretchCount; }

    /// The point of the whole chain's table at (memory, cost), and back: of any plan's point.
    FrontierPoint pointOf(std::int64_t memory, Cost cost) const;
    std::int64_t memoryOf(const FrontierPoint& point) const { return (point.peak - m_base).value; }
    Cost costOf(const FrontierPoint& point) const
    {
        return m_costPerNanosecond * (point.time - m_leastTime).value + static_cast<Cost>(point.reruns);
    }
    Cost costPerNanosecond() const { return m_costPerNanosecond; }
    /// What the step needs on top of base whatever is chosen: all weight gradients and the optimizer step.
    std::int64_t stepEnd() const { return m_stepEnd; }
    Nanoseconds leastTime() const { return m_leastTime; }
    /// Nanoseconds of a cost, rounded up.
    std::int64_t excessOf(Cost cost) const
    {
        return static_cast<std::int64_t>((cost + m_costPerNanosecond - 1) / m_costPerNanosecond);
    }
    /// False for a cost whose time would pass kMaxQuantity.
    bool isWithinTime(Cost cost) const
    {
        return cost / m_costPerNanosecond <= static_cast<Cost>((Nanoseconds{kMaxQuantity} - m_leastTime).value);
    }
    /// No table has a higher cost.
    Cost mostCost() const { return m_mostCost; }
    /// About what the tables' memory ranges over, to scale grids.
    std::int64_t memoryRange() const { return m_memoryRange; }
    /// No table's memory is larger.
    std::int64_t mostMemory() const { return m_mostMemory; }

private:
    int kindIndex(int stage) const { return m_kindOf[static_cast<std::size_t>(stage)]; }
    std::size_t stretchIndex(int first, int last) const
    {
        return static_cast<std::size_t>(first) * m_kindOf.size() + static_cast<std::size_t>(last);
    }
    Kind kindOf(const Stage& stage) const;
    void findKinds(const Chain& chain);
    void findStretches();

    NestedClass m_class;
    std::vector<Kind> m_kinds;
    std::vector<int> m_kindOf; ///< by stage
    std::vector<std::int64_t> m_weightGradsBefore;
    std::vector<Cost> m_rerunsBefore;
    std::vector<int> m_stretches;
    int m_stretchCount = 0;
    Bytes m_base;
    std::int64_t m_stepEnd = 0;
    std::int64_t m_memoryRange = 0;
    std::int64_t m_mostMemory = 0;
    Nanoseconds m_leastTime;
    Cost m_costPerNanosecond = 1;
    Cost m_mostCost = 0;
};

/// Whether every nested plan's cost of this chain fits NarrowCost.
bool fitsNarrowNestedCost(const Chain& chain);
/// Whether it fits WideCost, with room for sums of three.
bool fitsWideNestedCost(const Chain& chain);

} // namespace remat
