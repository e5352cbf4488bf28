// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/nested_moves.h"

#include <algorithm>

namespace remat {

namespace {

constexpr std::size_t kNoSlot = ~std::size_t{0};

constexpr std::size_t index(int number)
{
    return static_cast<std::size_t>(number);
}

} // namespace

template <class Cost> NestedTableIndex<Cost>::NestedTableIndex(const NestedChain<Cost>& chain) : m_chain(chain)
{
    const int n = chain.stages();
    // Whether some plan leaves the stage's input to the stage before, which then owns it.
    const auto isHeld = [&](int stage) {
        if (chain.inputsCoincide(stage))
            return true;
        const auto& choices = chain.kind(stage - 1).choices;
        return std::any_of(choices.begin(), choices.end(), [](const auto& choice) { return choice.needsOutput; });
    };
    m_firstSlots.assign(static_cast<std::size_t>(chain.stretches()), kNoSlot);
    std::vector<char> isListed;
    const auto list = [&](const NestedPart& part) {
        const std::size_t slot = slotOf(part);
        if (isListed[slot])
            return;
        isListed[slot] = 1;
        m_parts.push_back(part);
    };
    const auto listIfReached = [&](NestedPart part) {
        if (isHeld(part.first))
            list(part);
        part.freesInput = true;
        if (!chain.inputsCoincide(part.first))
            list(part);
    };
    const auto listWaitingAndStaying = [&](int first, int last) {
        const auto& atLast = chain.kind(last).choices;
        for (int c = 0; c < static_cast<int>(atLast.size()); ++c)
            // Behind the last stage nothing can come first.
            if (last + 1 < n ? chain.mayDrop(last, atLast[index(c)]) : chain.mayWait(last, atLast[index(c)]))
                listIfReached({first, last, c});
        const auto& atFirst = chain.kind(first).choices;
        for (int c = 0; c < static_cast<int>(atFirst.size()); ++c)
            if (chain.mayDrop(first, atFirst[index(c)]))
                list({first, last, NestedPart::kNothing, true, c});
    };
    for (int length = 1; length <= n; ++length) {
        const auto forEach = [&](const auto& visit) {
            for (int first = 0; first + length <= n; ++first)
                visit(first, first + length - 1);
        };
        forEach([&](int first, int last) {
            std::size_t& slot = m_firstSlots[index(chain.stretch(first, last))];
            if (slot == kNoSlot) {
                slot = m_slots;
                const std::size_t waits = chain.kind(last).choices.size() + chain.kind(first).choices.size();
                m_slots += 2 * (1 + (chain.hasDrops() ? waits : 0));
            }
        });
        isListed.resize(m_slots, 0);
        // A part in which nothing waits may need one of its own stretch in which its last stage waits.
        forEach(listWaitingAndStaying);
        forEach([&](int first, int last) { listIfReached({first, last}); });
    }
}

template <class Cost>
void NestedMoves<Cost>::extend(
    const NestedPart& part, std::int64_t resident, const NestedTable<Cost>*& table, std::int64_t& shift) const
{
    const NestedPart canonical = m_index.canonical(part);
    table = &m_tables[m_index.slotOf(canonical)];
    const bool isUncounted = part.freesInput && !canonical.freesInput;
    shift = resident + (isUncounted ? m_chain.inputBytes(part.first) : 0);
}

template <class Cost>
void NestedMoves<Cost>::list(
    const NestedPart& part, std::vector<NestedMove<Cost>>& moves, std::vector<NestedStep>* steps) const
{
    using Step = NestedStep::Kind;
    moves.clear();
    if (steps)
        steps->clear();
    const auto& [first, last, waiting, freesInput, staying] = part;
    const auto& firstKind = m_chain.kind(first);
    const auto& lastKind = m_chain.kind(last);
    const std::int64_t input = freesInput ? m_chain.inputBytes(first) : 0;
    // What is there until the gradient leaves the last stage.
    std::int64_t resident = lastKind.grad;
    if (waiting >= 0) {
        const auto& choice = lastKind.choices[index(waiting)];
        const std::int64_t output = choice.needsOutput ? lastKind.out : 0;
        if (first == last) {
            moves.push_back({(choice.needsInput ? input : 0) + lastKind.grad + output + choice.backwardTop,
                choice.excess, nullptr, 0, nullptr, 0});
            if (steps)
                steps->push_back({Step::Backward, last, waiting, {}, {}});
            return;
        }
        resident += choice.saved + output;
    }

    for (int c = 0; c < static_cast<int>(firstKind.choices.size()); ++c) {
        if (staying >= 0 && c != staying)
            continue;
        const auto& choice = firstKind.choices[index(c)];
        const std::int64_t keptInput = choice.needsInput && staying < 0 ? input : 0;
        const std::int64_t output = choice.needsOutput ? firstKind.out : 0;
        NestedMove<Cost> move;
        move.floor = resident + input + firstKind.out + choice.forwardTop;
        if (staying < 0) {
            move.floor = std::max(move.floor,
                keptInput + output + firstKind.grad + m_chain.weightGrads(first + 1, last) + choice.backwardTop);
            move.cost = choice.excess;
        }
        const NestedPart inner{first + 1, last, waiting, !choice.needsOutput};
        if (first < last)
            extend(inner, choice.saved + keptInput + output, move.first, move.firstShift);
        moves.push_back(move);
        if (steps)
            steps->push_back({Step::All, first, c, inner, {}});
    }

    // Forwards of first .. at - 1 that keep nothing, beside the input: what they need at most.
    std::int64_t sweepTop = firstKind.out + firstKind.bareTemp;
    for (int at = first + 1; at <= last && !m_chain.kind(at - 1).runsOnce; ++at) {
        NestedMove<Cost> move;
        move.floor = resident + input + sweepTop;
        move.cost = m_chain.rerunCost(first, at);
        const NestedPart inner{at, last, waiting, true};
        const NestedPart outer{first, at - 1, NestedPart::kNothing, freesInput, staying};
        extend(inner, input, move.first, move.firstShift);
        extend(outer, m_chain.weightGrads(at, last), move.second, move.secondShift);
        moves.push_back(move);
        if (steps)
            steps->push_back({Step::Checkpoint, at, 0, inner, outer});

        const auto& kind = m_chain.kind(at);
        const std::int64_t outputs = m_chain.inputBytes(at) + kind.out;
        const bool isInside = at < last;
        const bool mayDrop = m_chain.hasDrops() && staying < 0 && (isInside || waiting < 0);
        for (int c = 0; mayDrop && c < static_cast<int>(kind.choices.size()); ++c) {
            const auto& choice = kind.choices[index(c)];
            if (!(isInside ? m_chain.mayDrop(at, choice) : m_chain.mayWait(at, choice)))
                continue;
            NestedMove<Cost> drop;
            drop.floor = resident + input + sweepTop;
            drop.cost = m_chain.rerunCost(first, at);
            NestedPart dropInner{at, last, NestedPart::kNothing, true, c};
            const NestedPart dropOuter{first, at, c, freesInput};
            if (waiting < 0) {
                extend(dropInner, input, drop.first, drop.firstShift);
            } else {
                // One table for every pair of choices would be too much: here the interior is kept at once.
                const std::int64_t output = choice.needsOutput ? kind.out : 0;
                drop.floor = std::max(drop.floor, resident + input + outputs + choice.forwardTop);
                dropInner = {at + 1, last, waiting, !choice.needsOutput};
                extend(dropInner, input + choice.saved + output, drop.first, drop.firstShift);
            }
            extend(dropOuter, m_chain.weightGrads(at + 1, last), drop.second, drop.secondShift);
            moves.push_back(drop);
            if (steps)
                steps->push_back({waiting < 0 ? Step::LateDrop : Step::Drop, at, c, dropInner, dropOuter});
        }
        sweepTop = std::max(sweepTop, outputs + kind.bareTemp);
    }
}

template class NestedTableIndex<NarrowCost>;
template class NestedTableIndex<WideCost>;
template class NestedMoves<NarrowCost>;
template class NestedMoves<WideCost>;

} // namespace remat
