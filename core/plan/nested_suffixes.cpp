// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/nested_suffixes.h"

namespace remat {

template <class Cost> bool NestedSuffixes<Cost>::has(const NestedPart& part) const
{
    return part.waiting == NestedPart::kNothing && part.staying == NestedPart::kNothing
        && m_chain.stretch(part.first, part.last) == m_chain.stretch(suffixOf(part), m_chain.stages() - 1);
}

/// A flat table always counts the input, a nested one where it may free it.
template <class Cost> void NestedSuffixes<Cost>::copyFlat(const NestedPart& part, NestedTable<Cost>& table) const
{
    table.points.clear();
    const int stage = suffixOf(part);
    const bool isFree = part.freesInput || stage == 0;
    const StepTable<Cost>* const flat
        = m_flat.suffixTable(static_cast<std::size_t>(stage), isFree ? Input::Free : Input::Owned);
    if (!flat)
        return;
    const std::int64_t uncounted = part.freesInput ? 0 : m_chain.inputBytes(stage);
    table.points.resize(flat->size());
    for (std::size_t i = 0; i < flat->size(); ++i)
        table.points[i] = {flat->memory[i] - uncounted, flat->cost[i]};
    table.finish(m_grid);
}

template <class Cost>
void NestedSuffixes<Cost>::replaceMoves(
    const NestedPart& part, std::vector<NestedMove<Cost>>& moves, Scratch& scratch) const
{
    copyFlat(part, scratch.flat);
    if (scratch.flat.points.empty())
        return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const NestedStep& step = scratch.steps[i];
        const bool isAll = step.kind == NestedStep::Kind::All;
        if (isAll && part.first == part.last)
            continue;
        moves[kept] = moves[i];
        if (isAll)
            moves[kept].first = &m_rest[restIndex(m_index.canonical(step.inner))];
        ++kept;
    }
    moves.resize(kept);
    moves.push_back({.floor = 0, .cost = 0, .first = &scratch.flat});
}

template <class Cost>
void NestedSuffixes<Cost>::keepRest(const NestedPart& part, const NestedTable<Cost>& table, const Scratch& scratch)
{
    NestedTable<Cost>& rest = m_rest[restIndex(part)];
    rest.points.clear();
    const auto& flat = scratch.flat.points;
    std::size_t next = 0; // the first flat point, if any, with more memory
    for (std::size_t i = 0; i < table.size(); ++i) {
        const auto& point = table.points[i];
        while (next < flat.size() && flat[next].memory <= point.memory)
            ++next;
        if (next == 0 || flat[next - 1].cost > point.cost)
            rest.points.push_back(point);
    }
    rest.finish(m_grid);
}

template class NestedSuffixes<NarrowCost>;
template class NestedSuffixes<WideCost>;

} // namespace remat
