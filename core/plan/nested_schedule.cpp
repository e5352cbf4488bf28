// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/nested_schedule.h"

#include <algorithm>
#include <cassert>

namespace remat {

namespace {

/// The points that a move is made of at some memory, or nothing if it does not make that cost.
template <class Cost> struct Source {
    bool makesCost = false;
    typename NestedTable<Cost>::Point first{};
    typename NestedTable<Cost>::Point second{};
};

template <class Cost> Source<Cost> sourceOf(const NestedMove<Cost>& move, std::int64_t memory, Cost cost)
{
    Source<Cost> source;
    if (move.floor > memory)
        return source;
    Cost made = move.cost;
    const auto add = [&](const NestedTable<Cost>* table, std::int64_t shift, auto& point) {
        if (!table)
            return true;
        const auto* const found = table->pointWithin(memory - shift);
        if (!found)
            return false;
        point = *found;
        made += point.cost;
        return true;
    };
    source.makesCost = add(move.first, move.firstShift, source.first)
        && add(move.second, move.secondShift, source.second) && made == cost;
    return source;
}

} // namespace

template <class Cost> Schedule NestedScheduleWriter<Cost>::write(const NestedPart& part, const Point& point)
{
    m_schedule.clear();
    std::vector<Task> stack{{Task::Kind::Part, part, point, {}}};
    while (!stack.empty()) {
        const Task task = stack.back();
        stack.pop_back();
        if (task.kind == Task::Kind::Op) {
            m_schedule.push_back(task.op);
            continue;
        }
        m_later.clear();
        writePart(task.part, task.point);
        stack.insert(stack.end(), m_later.rbegin(), m_later.rend());
    }
    // The step ends with the backward of the first stage.
    while (m_schedule.back().kind != ScheduleOp::Kind::Backward)
        m_schedule.pop_back();
    return std::move(m_schedule);
}

template <class Cost> void NestedScheduleWriter<Cost>::writePart(const NestedPart& part, const Point& point)
{
    using Op = ScheduleOp::Kind;
    const NestedPart canonical = m_index.canonical(part);
    m_moves.list(canonical, m_listed, &m_steps);
    Source<Cost> source;
    std::size_t taken = 0;
    for (; taken < m_listed.size(); ++taken)
        if (source = sourceOf(m_listed[taken], point.memory, point.cost); source.makesCost)
            break;
    assert(source.makesCost);
    NestedStep step = m_steps[taken];
    step.outer.freesInput = part.freesInput;
    const int first = part.first;
    const auto choiceOf = [&](int stage, int choice) -> const auto&
    {
        return m_chain.kind(stage).choices[static_cast<std::size_t>(choice)];
    };
    switch (step.kind) {
    case NestedStep::Kind::Backward: {
        const auto& choice = choiceOf(step.at, step.choice);
        if (part.freesInput && !choice.needsInput)
            later(Op::FreeOutput, first - 1);
        later(Op::Backward, first);
        if (choice.needsOutput)
            later(Op::FreeOutput, first);
        if (part.freesInput && choice.needsInput)
            later(Op::FreeOutput, first - 1);
        break;
    }
    case NestedStep::Kind::All: {
        const auto& choice = choiceOf(first, step.choice);
        const bool stays = part.staying != NestedPart::kNothing;
        forwardKeeping(first, step.choice);
        if (part.freesInput && (stays || !choice.needsInput))
            later(Op::FreeOutput, first - 1);
        if (first < part.last)
            later(step.inner, source.first);
        else if (!choice.needsOutput)
            later(Op::FreeOutput, first);
        if (stays)
            break;
        later(Op::Backward, first);
        if (choice.needsOutput)
            later(Op::FreeOutput, first);
        if (part.freesInput && choice.needsInput)
            later(Op::FreeOutput, first - 1);
        break;
    }
    case NestedStep::Kind::Checkpoint:
    case NestedStep::Kind::LateDrop:
        sweep(first, step.at);
        later(step.inner, source.first);
        later(step.outer, source.second);
        break;
    case NestedStep::Kind::Drop:
        sweep(first, step.at);
        forwardKeeping(step.at, step.choice);
        later(Op::FreeOutput, step.at - 1);
        later(step.inner, source.first);
        later(step.outer, source.second);
        break;
    }
}

template <class Cost> void NestedScheduleWriter<Cost>::forwardKeeping(int stage, int choice)
{
    const int option = m_chain.kind(stage).choices[static_cast<std::size_t>(choice)].option;
    m_later.push_back({Task::Kind::Op, {}, {}, {ScheduleOp::Kind::Forward, stage, option}});
}

template <class Cost> void NestedScheduleWriter<Cost>::sweep(int first, int at)
{
    for (int stage = first; stage < at; ++stage) {
        const int option = m_chain.kind(stage).bareOption;
        m_later.push_back({Task::Kind::Op, {}, {}, {ScheduleOp::Kind::Forward, stage, option}});
        if (option >= 0)
            later(ScheduleOp::Kind::FreeSaved, stage);
        if (stage > first)
            later(ScheduleOp::Kind::FreeOutput, stage - 1);
    }
}

template <class Cost> void NestedScheduleWriter<Cost>::later(ScheduleOp::Kind kind, int stage)
{
    m_later.push_back({Task::Kind::Op, {}, {}, {kind, stage, ScheduleOp::kNoOption}});
}

template class NestedScheduleWriter<NarrowCost>;
template class NestedScheduleWriter<WideCost>;

} // namespace remat
