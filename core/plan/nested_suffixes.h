// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/plan/flat_tables.h"
#include "core/plan/nested_chain.h"
#include "core/plan/nested_moves.h"

namespace remat {

/// What the tables C(s, last stage) of a nested solve take over from the suffix tables of a flat one.
///
/// Such a table is the envelope of all(o) before C(s+1, last stage) and of the moves that cut.  At most memories C is
/// what the flat suffix F is, and a stage put before a flat suffix is one again.  So C is kept as two tables, F and the
/// points R of C that are below F (NestedTable::below): R(s) is what of all(o) before R(s+1) and of the cuts is below
/// F, and R is small.  Of a suffix that the flat solve has no table of, there is C alone.
template <class Cost> class NestedSuffixes {
public:
    /// `flat`: whole tables of the same chain, with costs of the same scale.
    NestedSuffixes(const NestedChain<Cost>& chain, const NestedGrid& grid, const FlatTables<Cost>& flat)
        : m_chain(chain),
          m_grid(grid),
          m_flat(flat)
    { }

    /// Makes `flat` the finished F of a canonical part; false where it has none.
    bool copyFlat(const NestedPart& part, NestedTable<Cost>& flat) const;
    /// Turns moves as NestedMoves lists them into those of single tables, from which R is built where the part has F.
    void separate(std::vector<NestedMove<Cost>>& moves, const std::vector<NestedStep>& steps, bool hasFlat) const;

private:
    /// The first of the stages whose flat table is the part's.
    int suffixOf(const NestedPart& part) const { return m_chain.stages() - 1 - (part.last - part.first); }

    const NestedChain<Cost>& m_chain;
    NestedGrid m_grid;
    const FlatTables<Cost>& m_flat;
};

} // namespace remat
