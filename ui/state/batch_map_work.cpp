// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/batch_map_work.h"

#include <algorithm>

#include "core/regions/region_batch.h"

namespace remat::ui {

namespace {

/// What the tables of one row may take; the plan shown may take more.
constexpr std::int64_t kMostTableBytes = std::int64_t{128} << 20;

bool isNested(const Question& question)
{
    return !question.torch && question.strategy.kind == Strategy::Kind::OptimalNested;
}

} // namespace

BatchMapWork::BatchMapWork(Question question, std::vector<BatchMapRow> known)
    : m_question(std::move(question)),
      m_batches(mapBatches(batch())),
      m_rows(std::move(known))
{
    const auto isWanted
        = [&](std::int64_t batch) { return std::binary_search(m_batches.begin(), m_batches.end(), batch); };
    std::erase_if(m_rows, [&](const BatchMapRow& row) { return !isWanted(row.batch); });
    m_todo = byNearness(m_batches, batch());
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
    limits.gapTarget = kRoughGap; // a tenth of a pixel of extra time
    const Result<BatchMapRow> row = solveRow(limits);
    if (cancel.stop_requested())
        return true;
    // A batch that is not valid here (its step would be too large for any sum) has no row.
    if (row)
        m_rows.push_back(*row);
    m_todo.pop_back();
    m_box.post({m_rows, m_todo.size()});
    return !m_todo.empty();
}

Result<BatchMapRow> BatchMapWork::solveRow(const FlatLimits& limits)
{
    const StudyRequest& request = m_question.request;
    const std::int64_t batch = m_todo.back();
    if (m_question.torch)
        return solveMapRow(regionRequestOf(request.shape, request.setup, *m_question.torch, request.device), batch,
            limits, kFirstRegions);
    if (isNested(m_question)) {
        NestedLimits nested;
        nested.cancel = limits.cancel;
        nested.maxTableBytes = kMostTableBytes;
        Result<BatchMapRow> row = solveNestedMapRow(request, batch, limits, nested, &m_memory);
        // A step too large for it has the flat row that the plan shown has too.
        if (row || limits.cancel.stop_requested())
            return row;
    }
    return solveMapRow(request, batch, limits, &m_memory);
}

bool BatchMapWork::isSameMap(const Question& a, const Question& b)
{
    Question other = b;
    other.request.setup.batch = a.request.setup.batch;
    return haveSameStudy(a, other) && isNested(a) == isNested(b);
}

} // namespace remat::ui
