// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/plan/frontier.h"
#include "core/plan/nested_chain.h"
#include "core/plan/nested_envelope.h"
#include "core/plan/nested_moves.h"

namespace remat {

/// What an entry of a nested table may cost and still belong to a plan that no known plan beats.
///
/// An entry of a part over s..t at memory m serves budgets B >= m + G, where G is what the weight gradients of the
/// stages behind t take.  Whatever plan uses it costs at least
///   the entry + the forwards that every way to this part pays + the least over R <= B - G - m of  P(R) + S(B - R),
/// where P and S are what the stages before s and behind t lose.  Of each either the interior of its only forward, with
/// its input, is kept until its backward, or it runs forward again.  All those interiors exist together at the end of
/// the first sweep, where no weight gradient does, so both sides share B; and the ones before s, of R bytes, exist
/// while the part (or the backward of the last stage) runs.  That is a knapsack, and its linear relaxation, which never
/// loses more, is a sort by slope: without the limit on R memory goes to whichever side loses most without it; with it,
/// a part with much memory leaves the stages before it B - G - m and those behind it G + m.  So where a known plan
/// costs K(B), the entry may cost at most
///   the largest over B of K(B) - forwards - that sum,   which falls as m rises.
/// The forwards (nested_moves.cpp says who pays them): a C or E with a stage behind it is a second run of all its
/// stages, a D one of all but its last, and E(k,t,o) makes k-1 run again and ends with the backward of k with o. A
/// forward of a stage that is made again only for its output must not count twice, for the stage itself and for the one
/// behind that dropped its input: three quarters are the former's loss where it is not kept, a quarter the latter's.
///
/// All costs are sampled as the grid says, and rounded so that no entry worth keeping is above its ceiling.
class NestedBound {
public:
    /// `known`: plans of this chain by rising peak and falling cost; any will do, better ones bound more.
    template <class Cost>
    NestedBound(const NestedChain<Cost>& chain, const NestedGrid& grid, std::span<const FrontierPoint> known);

    /// Of the table of a canonical part.
    template <class Cost> NestedCeiling ceilingOf(const NestedChain<Cost>& chain, const NestedPart& part) const;

private:
    enum Curve : std::size_t { Whole, Waiting, Staying };

    std::size_t curveAt(int stretch, Curve kind) const
    {
        return (static_cast<std::size_t>(stretch) * m_kinds + kind) * m_cells;
    }

    NestedGrid m_grid;
    std::size_t m_kinds = 1;            ///< of curves
    int m_shift = 0;                    ///< a cell is 2^shift bytes wide
    std::size_t m_cells = 0;            ///< the last one stands for all memory above
    std::vector<std::int32_t> m_curves; ///< by stretch, kind of part and cell
};

} // namespace remat
