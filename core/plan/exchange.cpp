// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/exchange.h"

#include <algorithm>
#include <limits>

namespace remat {

namespace {

/// Lists hold so many copies of the table's points at most, whatever its points begin with.
constexpr std::size_t kMostCopies = 4;

/// Above this memory of the table's point no floor binds.
template <class Cost> std::int64_t floorsEnd(const std::vector<StageMove<Cost>>& moves)
{
    std::int64_t largestFloor = 0;
    std::int64_t largestKeep = 0;
    std::int64_t leastKeep = std::numeric_limits<std::int64_t>::max();
    for (const StageMove<Cost>& move : moves) {
        largestFloor = std::max(largestFloor, move.floor);
        largestKeep = std::max(largestKeep, move.keep);
        leastKeep = std::min(leastKeep, move.keep);
    }
    return largestFloor + largestKeep - leastKeep;
}

} // namespace

template <class Cost>
void Exchange<Cost>::assign(
    std::vector<StageMove<Cost>>& moves, const StepTable<Cost>& table, std::span<const std::int32_t> firstOption)
{
    // At least the first point is for all, so that no list is empty.
    const auto bound = std::max<std::ptrdiff_t>(
        1, std::lower_bound(table.memory.begin(), table.memory.end(), floorsEnd(moves)) - table.memory.begin());
    m_pointsForAll = static_cast<std::size_t>(bound);
    const auto free = firstOption.subspan(m_pointsForAll);
    std::int32_t mostOption = *std::max_element(firstOption.begin(), firstOption.end());
    for (const StageMove<Cost>& move : moves)
        mostOption = std::max(mostOption, move.option);
    std::vector<std::size_t> count(static_cast<std::size_t>(mostOption) + 1);
    for (const std::int32_t option : free)
        ++count[static_cast<std::size_t>(option)];
    const auto countOf = [&](const StageMove<Cost>& move) { return count[static_cast<std::size_t>(move.option)]; };
    std::stable_sort(moves.begin(), moves.end(),
        [&](const StageMove<Cost>& a, const StageMove<Cost>& b) { return countOf(a) > countOf(b); });

    // The first list is the table itself.
    const std::size_t mostCopies = (kMostCopies - 1) * table.size();
    std::vector<std::int32_t> rankOf(count.size(), std::numeric_limits<std::int32_t>::max());
    for (std::size_t rank = moves.size(); rank-- > 0;)
        rankOf[static_cast<std::size_t>(moves[rank].option)] = static_cast<std::int32_t>(rank);
    m_ranks.resize(table.size());
    for (std::size_t i = 0; i < table.size(); ++i)
        m_ranks[i] = i < m_pointsForAll ? std::numeric_limits<std::int32_t>::max()
                                        : rankOf[static_cast<std::size_t>(firstOption[i])];
    m_table = &table;
    m_lists = 0;
    if (m_points.size() + 1 < moves.size())
        m_points.resize(moves.size() - 1);
    std::size_t copies = 0;
    for (std::size_t rank = 1; rank < moves.size(); ++rank) {
        const StepTable<Cost>& before = pointsFor(rank - 1);
        const std::size_t left = before.size() - countOf(moves[rank - 1]);
        copies += left;
        if (copies > mostCopies)
            break;
        filter(before, static_cast<std::int32_t>(rank), left, m_points[m_lists]);
        ++m_lists;
    }
}

/// The `count` points of a list that begin with a move of at least this rank, with their ranks.
template <class Cost>
void Exchange<Cost>::filter(const StepTable<Cost>& from, std::int32_t rank, std::size_t count, StepTable<Cost>& points)
{
    // One more is written and dropped again, so that the loop has no branch.
    const auto makeRoom = [room = count + 1](auto& list) {
        if (list.capacity() < room) {
            list.clear();
            list.reserve(2 * room);
        }
        list.resize(room);
    };
    makeRoom(points.memory);
    makeRoom(points.cost);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        points.memory[kept] = from.memory[i];
        points.cost[kept] = from.cost[i];
        m_ranks[kept] = m_ranks[i];
        kept += m_ranks[i] >= rank ? 1 : 0;
    }
    points.memory.resize(count);
    points.cost.resize(count);
}

template class Exchange<NarrowCost>;
template class Exchange<WideCost>;

} // namespace remat
