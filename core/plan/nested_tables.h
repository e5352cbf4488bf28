// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/plan/nested_bound.h"
#include "core/plan/nested_chain.h"
#include "core/plan/nested_envelope.h"
#include "core/plan/nested_moves.h"
#include "core/plan/nested_planner.h"
#include "core/plan/nested_suffixes.h"

namespace remat {

/// What a solved frontier keeps so that any point's schedule can be walked back.
class NestedFrontier::Tables {
public:
    Tables() = default;
    Tables(const Tables&) = delete;
    Tables& operator=(const Tables&) = delete;
    virtual ~Tables() = default;

    virtual std::size_t points() const = 0;
    virtual std::int64_t states() const = 0;
    virtual FrontierPoint pointAt(std::size_t index) const = 0;
    virtual Schedule scheduleOf(std::size_t index) const = 0;
};

/// The tables of one chain, by rising length of their stretches; those of one length are shared out over threads.
template <class Cost> class NestedTables final : public NestedFrontier::Tables {
public:
    enum class Outcome { Done, Cancelled, TooLarge };
    static constexpr std::size_t kAllPoints = 0;

    NestedTables(const Chain& chain, NestedClass solvedClass);

    /// Fills all tables.  What cannot be part of a plan that is better than all `known` ones (by rising peak; may be
    /// none) is left out of them.  `flat`: whole flat tables with costs of this scale, or null.
    Outcome fill(
        const NestedLimits& limits, std::span<const FrontierPoint> known, const FlatTables<Cost>* flat = nullptr);
    /// Fills all tables with about so many points each, the leanest and the cheapest always among them; each knows how
    /// far it may be above the exact one.
    Outcome fillThinned(const NestedLimits& limits, std::size_t pointsPerTable);
    std::size_t tables() const { return m_index.parts().size(); }
    /// Of the tables' costs.
    Cost costPerNanosecond() const { return m_chain.costPerNanosecond(); }
    /// False where fill() is not worth trying within NestedLimits::maxWork.
    bool mayFit(const NestedLimits& limits) const;
    /// Less than what fillThinned() will take, in the unit of NestedLimits::maxWork.
    std::int64_t leastThinnedWork(std::size_t pointsPerTable) const;
    /// What the tables of the last fill take.
    std::int64_t bytes() const { return m_bytes; }
    /// True when the last fill() dropped nothing.
    bool isWhole() const { return m_tables[rootSlot()].error == 0; }
    /// The largest share by which any point may be above the class's best at its budget.
    double certifiedGap() const;

    std::size_t points() const override { return m_points.size(); }
    std::int64_t states() const override;
    FrontierPoint pointAt(std::size_t index) const override;
    Schedule scheduleOf(std::size_t index) const override;

private:
    /// A table that is being made.
    struct Job {
        std::vector<NestedMove<Cost>> moves;
        std::vector<NestedStep> steps;
        std::vector<NestedTable<Cost>> shares; ///< of its cells
        bool hasFlat = false;                  ///< the points are those below a flat table
    };

    NestedPart root() const { return {0, m_chain.stages() - 1, NestedPart::kNothing, false}; }
    std::size_t rootSlot() const { return m_index.slotOf(root()); }
    NestedGrid gridOf(std::int64_t cells) const;
    /// Calls visit(stages, moves) for every table.
    template <class Visit> void countMoves(const Visit& visit) const;
    Outcome fillAll(const NestedLimits& limits, const NestedGrid& grid, std::size_t pointsPerTable,
        std::int64_t sharesOfFew, const NestedBound* bound, const NestedSuffixes<Cost>* suffixes);
    void listPoints();

    NestedChain<Cost> m_chain;
    NestedTableIndex<Cost> m_index;
    std::vector<NestedTable<Cost>> m_tables; ///< by slot
    std::int64_t m_bytes = 0;
    std::vector<std::size_t> m_points; ///< per frontier point, its index in the root's table
};

} // namespace remat
