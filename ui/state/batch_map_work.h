// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>
#include <vector>

#include "core/base/mailbox.h"
#include "core/plan/batch_map.h"
#include "ui/state/idle_work.h"
#include "ui/state/planner_thread.h"

namespace remat::ui {

/// The rows of a budget x batch map, the nearest to the person's batch first.
class BatchMapWork : public IdleWork {
public:
    /// `known`: rows of the same map that need not be solved again.
    BatchMapWork(Question question, std::vector<BatchMapRow> known);

    bool step(const std::stop_token& cancel) override;

    const Question& question() const { return m_question; }
    std::int64_t batch() const { return m_question.request.setup.batch; }
    /// Rising.
    const std::vector<std::int64_t>& batches() const { return m_batches; }
    /// How many batches are still to be solved; before the first step.
    std::size_t left() const { return m_todo.size(); }
    struct Found {
        std::vector<BatchMapRow> rows; ///< all so far
        std::size_t left = 0;          ///< batches that are still to be solved
    };
    /// What there is, when it is more than at the last call.
    std::optional<Found> take() { return m_box.take(); }

    /// Whether a map made for one question holds for another: they differ in nothing but batch, budget
    /// and strategy; with optimal-nested a map is another.
    static bool isSameMap(const Question& a, const Question& b);

private:
    Result<BatchMapRow> solveRow(const FlatLimits& limits);

    const Question m_question;
    std::vector<std::int64_t> m_batches;
    std::vector<std::int64_t> m_todo; ///< the next one last
    std::vector<BatchMapRow> m_rows;
    StudyMemory m_memory; ///< of step() alone
    Mailbox<Found> m_box;
};

} // namespace remat::ui
