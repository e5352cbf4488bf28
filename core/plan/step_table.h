// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace remat {

/// Costs in a solve: excess nanoseconds * (most reruns + 1) + reruns, so that one comparison is the lexicographic one.
/// Where a chain's numbers do not fit 62 bits that way, the same code runs with the wide type.
using NarrowCost = std::int64_t;
__extension__ typedef __int128 WideCost; // NOLINT(modernize-use-using): __extension__ takes no alias

/// A falling step function: the least cost with at most some memory.  Infinite below memory.front(); at memory[i] and
/// above, up to the next entry, cost[i].  Memory rises and cost falls strictly.
template <class Cost> struct StepTable {
    std::vector<std::int64_t> memory;
    std::vector<Cost> cost;

    std::size_t size() const { return memory.size(); }
};

/// One way to put a stage before a suffix: m' = max(m + keep, floor), c' = c + cost for every point of a table.
template <class Cost> struct StageMove {
    std::int64_t keep = 0;
    std::int64_t floor = 0;
    Cost cost = 0;
    int table = 0; ///< which of the suffix tables it extends
    int option = 0;
};

template <class Cost> using SuffixTables = std::array<const StepTable<Cost>*, 2>;

} // namespace remat
