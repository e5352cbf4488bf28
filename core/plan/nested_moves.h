// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/plan/nested_chain.h"
#include "core/plan/nested_envelope.h"

namespace remat {

/// One table of the recursion (nested_planner.h): C(first, last), D(first, last, option) where an option waits, or
/// E(first, last, option) where one stays.
struct NestedPart {
    static constexpr int kNothing = -1;

    int first = 0;
    int last = 0;
    int waiting = kNothing;  ///< index into the last stage's choices: its interior waits for its input
    bool freesInput = false; ///< the stretch owns x_{first-1}: counts it and may free it
    /// Index into the first stage's choices: its interior stays behind without its input.
    int staying = kNothing;

    bool operator==(const NestedPart&) const = default;
};

/// What a move does, for schedules.
struct NestedStep {
    enum class Kind {
        Backward,   ///< of the waiting stage: D(k,k,o)
        All,        ///< run `first` with a choice; if that stays, its input goes at once
        Checkpoint, ///< keep the input of stage `at`
        Drop,       ///< keep the interior of stage `at`, not its input
        LateDrop,   ///< keep the input of stage `at`, in the end its interior instead
    };

    Kind kind = Kind::All;
    int at = 0;
    int choice = 0;   ///< of all but Checkpoint
    NestedPart inner; ///< what comes first, with `first` behind; none where Kind::Backward or a stretch of one stage
    NestedPart outer; ///< of all but Backward and All: what comes then
};

/// The tables of one solve by part.
template <class Cost> class NestedTableIndex {
public:
    explicit NestedTableIndex(const NestedChain<Cost>& chain);

    /// Where parts share a table, the one that stands for it: an input of which it does not matter who owns it is not
    /// counted.
    NestedPart canonical(NestedPart part) const
    {
        if (part.staying == NestedPart::kNothing)
            part.freesInput = part.freesInput && !m_chain.inputsCoincide(part.first);
        return part;
    }
    std::size_t slotOf(const NestedPart& canonicalPart) const
    {
        const NestedPart& part = canonicalPart;
        const auto stretch = static_cast<std::size_t>(m_chain.stretch(part.first, part.last));
        // C is 0 and 1, then come pairs of D, then pairs of E, of which only the second is used.
        const std::size_t waits = part.staying == NestedPart::kNothing
            ? static_cast<std::size_t>(part.waiting + 1)
            : 1 + m_chain.kind(part.last).choices.size() + static_cast<std::size_t>(part.staying);
        return m_firstSlots[stretch] + 2 * waits + (part.freesInput ? 1 : 0);
    }
    std::size_t slotCount() const { return m_slots; }
    /// One canonical part per table, in the order of levelOf(): a part needs only parts of lower levels.
    const std::vector<NestedPart>& parts() const { return m_parts; }
    static int levelOf(const NestedPart& part)
    {
        const bool isWhole = part.waiting == NestedPart::kNothing && part.staying == NestedPart::kNothing;
        return 2 * (part.last - part.first) + (isWhole ? 1 : 0);
    }

private:
    const NestedChain<Cost>& m_chain;
    std::vector<std::size_t> m_firstSlots; ///< by stretch
    std::size_t m_slots = 0;
    std::vector<NestedPart> m_parts;
};

/// The moves of one canonical part in order of preference, each with what it does.
template <class Cost> class NestedMoves {
public:
    NestedMoves(const NestedChain<Cost>& chain, const NestedTableIndex<Cost>& index,
        const std::vector<NestedTable<Cost>>& tables)
        : m_chain(chain),
          m_index(index),
          m_tables(tables)
    { }

    /// `steps` may be null.
    void list(const NestedPart& part, std::vector<NestedMove<Cost>>& moves, std::vector<NestedStep>* steps) const;

private:
    /// Points a move's part at its table; the shift counts what the part does not know of.
    void extend(
        const NestedPart& part, std::int64_t resident, const NestedTable<Cost>*& table, std::int64_t& shift) const;

    const NestedChain<Cost>& m_chain;
    const NestedTableIndex<Cost>& m_index;
    const std::vector<NestedTable<Cost>>& m_tables;
};

} // namespace remat
