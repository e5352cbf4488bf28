// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/flat_memory.h"

#include <algorithm>

namespace remat {

namespace {

/// Back and forth between a few settings finds all of their tables.
constexpr std::int64_t kRememberedSolves = 8;
/// Of all tables together, 16 bytes each with narrow costs.
constexpr std::int64_t kMostPoints = 16'000'000;

} // namespace

template <class Cost> typename FlatSuffixes<Cost>::Kind FlatSuffixes<Cost>::interned(Kind kind)
{
    const auto known = std::find_if(m_kinds.begin(), m_kinds.end(), [&](const Kind& other) { return *other == *kind; });
    if (known != m_kinds.end())
        return *known;
    m_kinds.push_back(kind);
    return kind;
}

template <class Cost> typename FlatSuffixes<Cost>::Tables FlatSuffixes<Cost>::find(const Key& key)
{
    const auto found = m_entries.find(placeOf(key));
    if (found == m_entries.end())
        return nullptr;
    found->second.lastUse = m_solve;
    return found->second.tables;
}

template <class Cost> void FlatSuffixes<Cost>::keep(Key key, Tables tables)
{
    const Place place = placeOf(key);
    m_entries.insert_or_assign(place, Entry{std::move(key), std::move(tables), m_solve});
}

template <class Cost> std::int64_t FlatSuffixes<Cost>::dropOlder(std::int64_t solve)
{
    std::int64_t points = 0;
    for (auto entry = m_entries.begin(); entry != m_entries.end();) {
        if (entry->second.lastUse < solve) {
            entry = m_entries.erase(entry);
            continue;
        }
        points += entry->second.tables->points();
        ++entry;
    }
    return points;
}

template <class Cost> void FlatSuffixes<Cost>::age()
{
    ++m_solve;
    // A solve uses the tables behind those that it uses, so none goes before those that were made of it.
    std::int64_t oldest = m_solve - kRememberedSolves;
    while (dropOlder(oldest) > kMostPoints)
        ++oldest;
    std::erase_if(m_kinds, [](const Kind& kind) { return kind.use_count() == 1; });
}

template class FlatSuffixes<NarrowCost>;
template class FlatSuffixes<WideCost>;

} // namespace remat
