// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "core/base/mailbox.h"
#include "core/export/article_table.h"
#include "ui/state/idle_work.h"

namespace remat::ui {

/// The article's table rebuilt, a row a step.
class ArticleWork : public IdleWork {
public:
    explicit ArticleWork(ArticleTable table) : m_table(std::move(table)) { }

    bool step(const std::stop_token& cancel) override
    {
        FlatLimits limits;
        limits.cancel = cancel;
        limits.gapTarget = 0.01; // least peaks, which decide batches, are exact all the same
        const bool hasMore = m_table.computeNext(limits);
        if (hasMore)
            m_box.post(m_table);
        return hasMore || cancel.stop_requested();
    }

    /// The table so far, when there is more of it than at the last call.
    std::optional<ArticleTable> takeTable() { return m_box.take(); }

private:
    ArticleTable m_table;
    Mailbox<ArticleTable> m_box;
};

} // namespace remat::ui
