// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "core/plan/flat_tables.h"
#include "core/plan/nested_chain.h"
#include "core/plan/nested_moves.h"

namespace remat {

/// What the tables C(s, last stage) of a nested solve take over from the suffix tables of a flat one.
///
/// Such a table is the envelope of all(o) before C(s+1, last stage) and of the moves that cut.  At most memories C is
/// what the flat suffix is, and a stage put before a flat suffix is one again.  So where F is the flat table of s and
/// R(s+1) has those points of C(s+1) that are not on the flat table of s+1, all(o) before R(s+1) and F itself make the
/// same envelope, and R is small.  Of a suffix that the flat solve has no table of, R is C.
template <class Cost> class NestedSuffixes {
public:
    /// What one thread works with.
    struct Scratch {
        NestedTable<Cost> flat; ///< of the part that is being built; no points: none
        std::vector<NestedStep> steps;
    };

    /// `flat`: whole tables of the same chain, with costs of the same scale.
    NestedSuffixes(const NestedChain<Cost>& chain, const NestedTableIndex<Cost>& index, const NestedGrid& grid,
        const FlatTables<Cost>& flat)
        : m_chain(chain),
          m_index(index),
          m_grid(grid),
          m_flat(flat)
    { }

    /// Whether the canonical part is a C whose stretch equals that of as many last stages, so that both have one table.
    bool has(const NestedPart& part) const;
    /// Puts the flat table, which stays in the scratch, in the place of the moves that it makes needless.
    /// Precondition: keepRest() of the parts with one stage less; `moves` and `scratch.steps` as NestedMoves lists
    /// them.
    void replaceMoves(const NestedPart& part, std::vector<NestedMove<Cost>>& moves, Scratch& scratch) const;
    /// Keeps R of the part's finished table.  Safe to call at once for the parts of one length.
    void keepRest(const NestedPart& part, const NestedTable<Cost>& table, const Scratch& scratch);

private:
    static std::size_t restIndex(const NestedPart& part)
    {
        return 2 * (static_cast<std::size_t>(part.last - part.first) % 2) + (part.freesInput ? 1 : 0);
    }
    /// The first of the stages whose flat table is the part's.
    int suffixOf(const NestedPart& part) const { return m_chain.stages() - 1 - (part.last - part.first); }
    void copyFlat(const NestedPart& part, NestedTable<Cost>& table) const;

    const NestedChain<Cost>& m_chain;
    const NestedTableIndex<Cost>& m_index;
    NestedGrid m_grid;
    const FlatTables<Cost>& m_flat;
    std::array<NestedTable<Cost>, 4> m_rest; ///< of the last two lengths, each without and with NestedPart::freesInput
};

} // namespace remat
