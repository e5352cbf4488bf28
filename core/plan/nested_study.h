// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "core/plan/nested_planner.h"
#include "core/plan/study.h"

namespace remat {

/// A study's step solved once more with layers that may run forward again: budgets below the least of one forward a
/// layer, and cheaper plans near it.  Takes seconds where a study takes milliseconds.  Immutable; safe to share.
///
///   auto nested = NestedStudy::solve(*study);
///   auto plan = nested->cheapestWithin(3_GiB);    // or the certificate of the class that was solved
class NestedStudy {
public:
    /// Several variants share the limits on work and tables: half is the setup's own.
    /// `remembered`: that of the study, whose flat tables this solve then takes over, or null.
    /// Errors: those of NestedPlanner::solve().
    static Result<NestedStudy> solve(
        const Study& study, const NestedLimits& limits = {}, StudyMemory* remembered = nullptr);

    /// Over all variants: rising peak, falling cost.
    const std::vector<StudyPoint>& points() const { return m_frontiers.points(); }
    bool isExact() const { return m_frontiers.isExact(); }
    double gap() const { return m_frontiers.gap(); }
    /// The smallest class that a variant was solved in: at every budget the answer is at least as cheap as each of its
    /// plans.
    NestedClass solvedClass() const { return m_class; }
    Bytes leastPeak() const { return m_frontiers.leastPeak(); }

    /// The cheapest plan whose peak is within the budget.  Error: the infeasibility certificate (exit 4).
    Result<Plan> cheapestWithin(Bytes budget) const;
    /// The same of one variant alone, by its place in the study's variants(): 0 is the setup's own.
    Result<Plan> cheapestOfVariant(int variant, Bytes budget) const;
    /// The plan of one point of the frontier; its budget is the point's own peak.
    Plan planAt(std::size_t point) const { return planOf(points()[point]); }

private:
    Plan planOf(const StudyPoint& point) const;
    Result<Plan> planWithin(const Result<StudyPoint>& point, Bytes budget) const;

    Device m_device;
    std::vector<Pin> m_pins;
    std::vector<std::shared_ptr<const StepChain>> m_variants;
    MergedFrontiers<NestedFrontier> m_frontiers;
    NestedClass m_class = NestedClass::Drop;
};

} // namespace remat
