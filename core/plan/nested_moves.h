// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/plan/nested_chain.h"
#include "core/plan/nested_envelope.h"

namespace remat {

/// One table of the recursion (nested_planner.h): C(first, last), or D(first, last, option) where an option waits.
struct NestedPart {
    static constexpr int kNothing = -1;

    int first = 0;
    int last = 0;
    int waiting = kNothing;  ///< index into the last stage's choices: its interior waits for its input
    bool freesInput = false; ///< the stretch owns x_{first-1}: counts it and may free it

    bool operator==(const NestedPart&) const = default;
};

/// What a move does, for schedules.
struct NestedStep {
    enum class Kind {
        Backward,   ///< of the waiting stage: D(k,k,o)
        All,        ///< run `first` with a choice
        Checkpoint, ///< keep the input of stage `at`
        Drop,       ///< keep the interior of stage `at`, not its input
    };

    Kind kind = Kind::All;
    int at = 0;
    int choice = 0;   ///< of All and Drop
    NestedPart inner; ///< what comes first, with `first` behind; none where Kind::Backward or a stretch of one stage
    NestedPart outer; ///< of Checkpoint and Drop: what comes then
};

/// The tables of one solve by part.
template <class Cost> class NestedTableIndex {
public:
    NestedTableIndex(const NestedChain<Cost>& chain);

    /// Where parts share a table, the one that stands for it: an owned input that changes nothing is not counted.
    NestedPart canonical(NestedPart part) const
    {
        part.freesInput = part.freesInput && !m_chain.inputsCoincide(part.first);
        return part;
    }
    std::size_t slotOf(const NestedPart& canonicalPart) const
    {
        const auto stretch = static_cast<std::size_t>(m_chain.stretch(canonicalPart.first, canonicalPart.last));
        return m_firstSlots[stretch] + static_cast<std::size_t>(2 * (canonicalPart.waiting + 1))
            + (canonicalPart.freesInput ? 1 : 0);
    }
    std::size_t slots() const { return m_slots; }
    /// One canonical part per table, in the order of levelOf(): a part needs only parts of lower levels.
    const std::vector<NestedPart>& parts() const { return m_parts; }
    static int levelOf(const NestedPart& part)
    {
        return 2 * (part.last - part.first) + (part.waiting == NestedPart::kNothing ? 1 : 0);
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
