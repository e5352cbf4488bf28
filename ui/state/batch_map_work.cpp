// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/batch_map_work.h"

#include <algorithm>

#include "ui/state/planner_thread.h"

namespace remat::ui {

BatchMapWork::BatchMapWork(StudyRequest request, std::vector<BatchMapRow> known)
    : m_request(std::move(request)),
      m_batches(mapBatches(m_request.setup.batch)),
      m_rows(std::move(known))
{
    const auto isWanted
        = [&](std::int64_t batch) { return std::binary_search(m_batches.begin(), m_batches.end(), batch); };
    std::erase_if(m_rows, [&](const BatchMapRow& row) { return !isWanted(row.batch); });
    m_todo = byNearness(m_batches, m_request.setup.batch);
    std::erase_if(m_todo, [&](std::int64_t batch) {
        return std::any_of(m_rows.begin(), m_rows.end(), [&](const BatchMapRow& row) { return row.batch == batch; });
    });
    std::reverse(m_todo.begin(), m_todo.end());
}

bool BatchMapWork::step(const std::stop_token& cancel)
{
    if (m_todo.empty())
        return false;
    FlatLimits limits;
    limits.cancel = cancel;
    limits.gapTarget = kFirstGap; // a tenth of a pixel of extra time
    Result<BatchMapRow> row = solveMapRow(m_request, m_todo.back(), limits, &m_memory);
    if (cancel.stop_requested())
        return true;
    // A batch that is not valid here (its step would be too large for any sum) has no row.
    if (row)
        m_rows.push_back(*std::move(row));
    m_todo.pop_back();
    m_box.post({m_rows, m_todo.size()});
    return !m_todo.empty();
}

bool BatchMapWork::isSameMap(const StudyRequest& a, const StudyRequest& b)
{
    StudyRequest other = b;
    other.setup.batch = a.setup.batch;
    return haveSameStudy(a, other);
}

} // namespace remat::ui
