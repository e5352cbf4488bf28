// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "core/chain/schedule.h"
#include "core/plan/nested_moves.h"

namespace remat {

/// Walks one point of a solved table back into the schedule that makes it.
///
/// At each part the first move, in the order of NestedMoves, that makes the point's cost within its memory is taken,
/// and then the points that this move is made of; so the same tables always give the same schedule.
template <class Cost> class NestedScheduleWriter {
public:
    using Point = typename NestedTable<Cost>::Point;

    NestedScheduleWriter(const NestedChain<Cost>& chain, const NestedTableIndex<Cost>& index,
        const std::vector<NestedTable<Cost>>& tables)
        : m_chain(chain),
          m_index(index),
          m_moves(chain, index, tables)
    { }

    /// `point`: of the part's table.
    Schedule write(const NestedPart& part, const Point& point);

private:
    /// A part and the point of its table; deep chains nest too deeply for the call stack, so what is left to do waits
    /// in a list.
    struct Task {
        enum class Kind { Part, Op } kind = Kind::Op;
        NestedPart part;
        Point point{};
        ScheduleOp op;
    };

    void writePart(const NestedPart& part, const Point& point);
    void forwardKeeping(int stage, int choice);
    /// Runs first .. at - 1 forward, keeping only the last output.
    void sweep(int first, int at);
    void later(ScheduleOp::Kind kind, int stage);
    void later(const NestedPart& part, const Point& point) { m_later.push_back({Task::Kind::Part, part, point, {}}); }

    const NestedChain<Cost>& m_chain;
    const NestedTableIndex<Cost>& m_index;
    NestedMoves<Cost> m_moves;
    Schedule m_schedule;
    std::vector<Task> m_later; ///< of the current part, in order
    std::vector<NestedMove<Cost>> m_listed;
    std::vector<NestedStep> m_steps;
};

} // namespace remat
