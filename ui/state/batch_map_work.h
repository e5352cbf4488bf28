// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>
#include <vector>

#include "core/base/mailbox.h"
#include "core/plan/batch_map.h"
#include "ui/state/idle_work.h"

namespace remat::ui {

/// The rows of a budget x batch map, the nearest to the person's batch first.
class BatchMapWork : public IdleWork {
public:
    /// `known`: rows of the same request that need not be solved again.
    BatchMapWork(StudyRequest request, std::vector<BatchMapRow> known);

    bool step(const std::stop_token& cancel) override;

    const StudyRequest& request() const { return m_request; }
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

    /// Whether a map made for one request holds for another: they differ in nothing but the batch.
    static bool isSameMap(const StudyRequest& a, const StudyRequest& b);

private:
    const StudyRequest m_request;
    std::vector<std::int64_t> m_batches;
    std::vector<std::int64_t> m_todo; ///< the next one last
    std::vector<BatchMapRow> m_rows;
    StudyMemory m_memory; ///< of step() alone
    Mailbox<Found> m_box;
};

} // namespace remat::ui
