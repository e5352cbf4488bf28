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
    const auto free = firstOption.subspan(static_cast<std::size_t>(bound));
    std::int32_t mostOption = *std::max_element(firstOption.begin(), firstOption.end());
    for (const StageMove<Cost>& move : moves)
        mostOption = std::max(mostOption, move.option);
    std::vector<std::size_t> count(static_cast<std::size_t>(mostOption) + 1);
    for (const std::int32_t option : free)
        ++count[static_cast<std::size_t>(option)];
    const auto countOf = [&](const StageMove<Cost>& move) { return count[static_cast<std::size_t>(move.option)]; };
    std::stable_sort(moves.begin(), moves.end(),
        [&](const StageMove<Cost>& a, const StageMove<Cost>& b) { return countOf(a) > countOf(b); });

    const std::size_t mostCopies = kMostCopies * table.size();
    std::size_t copies = 0;
    std::size_t left = table.size();
    m_lists = 0;
    for (std::size_t rank = 0; rank < moves.size() && (rank == 0 || copies + left <= mostCopies); ++rank) {
        if (m_lists == m_points.size())
            m_points.emplace_back();
        StepTable<Cost>& points = m_points[m_lists++];
        points.memory.reserve(left);
        points.cost.reserve(left);
        points.memory.assign(table.memory.begin(), table.memory.begin() + bound);
        points.cost.assign(table.cost.begin(), table.cost.begin() + bound);
        copies += left;
        left -= countOf(moves[rank]);
    }
    // A first move that is none of the moves here cannot be exchanged with: its points are for all.
    std::vector<std::size_t> lastList(count.size(), m_lists - 1);
    for (std::size_t rank = 0; rank < m_lists; ++rank)
        lastList[static_cast<std::size_t>(moves[rank].option)] = rank;

    for (auto i = static_cast<std::size_t>(bound); i < table.size(); ++i) {
        const std::size_t last = lastList[static_cast<std::size_t>(firstOption[i])];
        for (std::size_t list = 0; list <= last; ++list) {
            m_points[list].memory.push_back(table.memory[i]);
            m_points[list].cost.push_back(table.cost[i]);
        }
    }
}

template class Exchange<NarrowCost>;
template class Exchange<WideCost>;

} // namespace remat
