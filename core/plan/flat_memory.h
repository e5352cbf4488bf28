// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "core/plan/flat_moves.h"
#include "core/plan/step_table.h"

namespace remat {

/// The suffix tables of one stage.
template <class Cost> struct FlatStageTables {
    std::array<StepTable<Cost>, 2> byInput;
    bool isWhole = true; ///< nothing was dropped from these

    std::int64_t points() const { return static_cast<std::int64_t>(byInput[0].size() + byInput[1].size()); }
};

/// What a solve leaves out of its suffix tables; by default nothing.
struct FlatThinning {
    std::size_t points = 0;   ///< a table keeps about so many; 0: all
    bool onlyCorners = false; ///< tries only moves on the convex hull of what they keep and cost, and the leanest

    auto operator<=>(const FlatThinning&) const = default;
};

/// Suffix tables of past solves by what they follow from: the tables of the next stage and the stage's own moves.
///
/// A chain that ends like an earlier one shares the tables of that end: one with more or fewer layers, or where only an
/// early layer changed, or one whose solve was cut short.
template <class Cost> class FlatSuffixes {
public:
    using Tables = std::shared_ptr<const FlatStageTables<Cost>>;
    using Kind = std::shared_ptr<const FlatStageKind<Cost>>;
    struct Key {
        Tables next;
        Kind kind; ///< of interned()
        std::int64_t laterWeightGrads = 0;
        std::array<bool, 2> isReached{};
        FlatThinning thinning; ///< of the tables
    };

    FlatSuffixes() : m_afterLast(behindLastStage()) { }

    /// What follows the last stage of every chain.
    static Tables behindLastStage()
    {
        FlatStageTables<Cost> nothing;
        nothing.byInput.fill({{0}, {0}});
        return std::make_shared<const FlatStageTables<Cost>>(std::move(nothing));
    }
    const Tables& afterLast() const { return m_afterLast; }
    /// The kind with the same moves that earlier calls know, or else this one.
    Kind interned(Kind kind);
    /// Null where there are none.
    Tables find(const Key& key);
    void keep(Key key, Tables tables);
    /// Stages' tables that are remembered.
    std::size_t size() const { return m_entries.size(); }

    /// Starts a new solve: what the last few did not use goes, and the oldest where there are too many points.
    void age();

private:
    /// Pointers of a Key say what is equal; the entry keeps alive what they point to, so that none is used again.
    using Place = std::tuple<const void*, const void*, std::int64_t, std::array<bool, 2>, FlatThinning>;
    struct Entry {
        Key key;
        Tables tables;
        std::int64_t lastUse = 0;
    };
    static Place placeOf(const Key& key)
    {
        return {key.next.get(), key.kind.get(), key.laterWeightGrads, key.isReached, key.thinning};
    }
    /// Drops what was last used before this solve; returns the points that remain.
    std::int64_t dropOlder(std::int64_t solve);

    Tables m_afterLast;
    std::vector<Kind> m_kinds;
    std::map<Place, Entry> m_entries;
    std::int64_t m_solve = 0;
};

/// What flat solves leave for the next ones.  Of one thread; the tables themselves are immutable and shared.
class FlatMemory {
public:
    template <class Cost> FlatSuffixes<Cost>& suffixes()
    {
        if constexpr (std::is_same_v<Cost, NarrowCost>)
            return m_narrow;
        else
            return m_wide;
    }
    /// Before the solves of a study.
    void age()
    {
        m_narrow.age();
        m_wide.age();
    }

private:
    FlatSuffixes<NarrowCost> m_narrow;
    FlatSuffixes<WideCost> m_wide;
};

} // namespace remat
