// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/nested_suffixes.h"

#include <cstddef>

namespace remat {

/// A part has one where it is a C whose stretch equals that of as many last stages.  A flat table always counts the
/// input, a nested one where it may free it.
template <class Cost> bool NestedSuffixes<Cost>::copyFlat(const NestedPart& part, NestedTable<Cost>& flat) const
{
    const int stage = suffixOf(part);
    if (part.waiting != NestedPart::kNothing || part.staying != NestedPart::kNothing
        || m_chain.stretch(part.first, part.last) != m_chain.stretch(stage, m_chain.stages() - 1))
        return false;
    const bool isFree = part.freesInput || stage == 0;
    const StepTable<Cost>* const table
        = m_flat.suffixTable(static_cast<std::size_t>(stage), isFree ? Input::Free : Input::Owned);
    if (!table)
        return false;
    const std::int64_t uncounted = part.freesInput ? 0 : m_chain.inputBytes(stage);
    flat.points.reserve(table->size() + 1);
    for (std::size_t i = 0; i < table->size(); ++i)
        flat.points.push_back({table->memory[i] - uncounted, table->cost[i]});
    flat.finish(m_grid);
    return true;
}

template <class Cost>
void NestedSuffixes<Cost>::separate(
    std::vector<NestedMove<Cost>>& moves, const std::vector<NestedStep>& steps, bool hasFlat) const
{
    const std::vector<NestedMove<Cost>> listed = std::move(moves);
    moves.clear();
    const auto add = [&](NestedMove<Cost> move, const NestedTable<Cost>* first, const NestedTable<Cost>* second) {
        move.first = first;
        move.second = second;
        moves.push_back(move);
    };
    for (std::size_t i = 0; i < listed.size(); ++i) {
        const NestedTable<Cost>* const first = listed[i].first;
        const NestedTable<Cost>* const second = listed[i].second;
        const NestedTable<Cost>* const belowFirst = first ? first->below.get() : nullptr;
        const NestedTable<Cost>* const belowSecond = second ? second->below.get() : nullptr;
        // What all(o) makes of nothing and of flat tables is in F.
        const bool isInFlat = hasFlat && steps[i].kind == NestedStep::Kind::All && (!first || belowFirst);
        if (!isInFlat)
            add(listed[i], first, second);
        if (belowFirst)
            add(listed[i], belowFirst, second);
        if (belowSecond)
            add(listed[i], first, belowSecond);
        if (belowFirst && belowSecond)
            add(listed[i], belowFirst, belowSecond);
    }
}

template class NestedSuffixes<NarrowCost>;
template class NestedSuffixes<WideCost>;

} // namespace remat
