// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/plan/step_table.h"

namespace remat {

/// Which points of a suffix table a stage's moves must be put before, where the next stage is the same stage again.
///
/// Let p be a point of the table that begins with move b: b before some rest r.  Where no floor binds, a before b
/// before r needs as much memory and time as b before a before r, so one of the two orders is enough.  Moves are
/// ranked, and a is put only before points whose first move does not rank before a.  That loses nothing: if a before p
/// is left out, then the table has a point q no worse than a before r, and b before q is no worse than a before p; if
/// that is left out as well, go on from there: the rank of the move in front falls each time.
///
/// Floors: with m the memory of a before p, exchanging needs m >= floor of b and m >= floor of a + keep of b.  Floors
/// do not rise from a stage to the next, so both hold where m_p + least keep >= largest floor + largest keep; below
/// that every move keeps every point.
///
/// Most points begin with one of a few moves.  These rank first, and then a point has two or three candidates instead
/// of one per move.
template <class Cost> class Exchange {
public:
    /// Sorts the moves, each of another option, by rank.  `firstOption` names the option of each point's first move;
    /// neither may be empty. The table must outlive what pointsFor() returns.  Memory of earlier calls is used again.
    void assign(
        std::vector<StageMove<Cost>>& moves, const StepTable<Cost>& table, std::span<const std::int32_t> firstOption);

    /// The points to put the move of this rank before, as a step function.
    const StepTable<Cost>& pointsFor(std::size_t rank) const
    {
        const std::size_t list = std::min(rank, m_lists);
        return list == 0 ? *m_table : m_points[list - 1];
    }
    /// So many first points stand in every list, for floors may bind there and nowhere behind; at least one.
    std::size_t pointsForAll() const { return m_pointsForAll; }

private:
    void filter(const StepTable<Cost>& from, std::int32_t rank, std::size_t count, StepTable<Cost>& points);

    const StepTable<Cost>* m_table = nullptr; ///< the points of the first move
    std::vector<StepTable<Cost>> m_points;    ///< by rank from the second on; higher ranks share the last one in use
    std::size_t m_lists = 0;                  ///< so many are
    std::size_t m_pointsForAll = 0;
    std::vector<std::int32_t> m_ranks; ///< by point of the list that was made last, of its first move
};

} // namespace remat
