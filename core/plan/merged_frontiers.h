// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "core/base/index.h"
#include "core/plan/frontier.h"

namespace remat {

/// A point of a study's frontier; where the planner may choose variants, each point names its own.
struct StudyPoint {
    FrontierPoint cost;
    int variant = 0;
    std::size_t index = 0; ///< in that variant's frontier
};

/// The points of several frontiers that none of the others beats: rising peak, falling cost.
std::vector<StudyPoint> mergeFrontiers(std::span<const std::vector<FrontierPoint>> frontiers);

/// Of such points the cheapest whose peak is within the budget: the last one; null where there is none.
const StudyPoint* cheapestPoint(std::span<const StudyPoint> points, Bytes budget);

/// The frontiers of all variants of a step as one: flat ones of a study, nested ones of a nested study.
template <class VariantFrontier> class MergedFrontiers {
public:
    void add(VariantFrontier frontier)
    {
        m_isExact = m_isExact && frontier.exact();
        m_gap = std::max(m_gap, frontier.gap());
        m_states += frontier.states();
        m_frontiers.push_back(std::move(frontier));
    }
    /// After the last add().
    void merge()
    {
        std::vector<std::vector<FrontierPoint>> frontiers;
        for (const VariantFrontier& frontier : m_frontiers)
            frontiers.push_back(frontier.points());
        m_points = mergeFrontiers(frontiers);
    }

    std::size_t count() const { return m_frontiers.size(); }
    const VariantFrontier& of(int variant) const { return m_frontiers[at(variant)]; }
    const std::vector<StudyPoint>& points() const { return m_points; }
    bool isExact() const { return m_isExact; }
    double gap() const { return m_gap; }
    std::int64_t states() const { return m_states; }
    Bytes leastPeak() const { return m_points.front().cost.peak; }
    /// What binds where the variant that needs least needs it.
    const BindingOp& leastBinding() const { return of(m_points.front().variant).leastBinding(); }

    /// Error: the infeasibility certificate (exit 4), of the variant that needs least.
    Result<StudyPoint> cheapestWithin(Bytes budget) const
    {
        const StudyPoint* point = cheapestPoint(m_points, budget);
        return point ? Result<StudyPoint>(*point) : cheapestOf(m_points.front().variant, budget);
    }
    /// Error: the certificate of this variant.
    Result<StudyPoint> cheapestOf(int variant, Bytes budget) const
    {
        const Result<std::size_t> point = of(variant).cheapestWithin(budget);
        if (!point)
            return point.error();
        return StudyPoint{of(variant).points()[*point], variant, *point};
    }

private:
    std::vector<VariantFrontier> m_frontiers;
    std::vector<StudyPoint> m_points;
    bool m_isExact = true;
    double m_gap = 0.0;
    std::int64_t m_states = 0;
};

} // namespace remat
