// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/strategy_board.h"

#include <algorithm>

#include "ui/state/answer_views.h"
#include "ui/state/explorer_state.h"
#include "ui/tables/strategy_table_model.h"

namespace remat::ui {

StrategyBoard::StrategyBoard(ExplorerState& state, StrategyTableModel& rows, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_rows(rows)
{
    connect(&m_state, &ExplorerState::idleWorkAdvanced, this, &StrategyBoard::take);
}

void StrategyBoard::setWatched(bool isWatched)
{
    m_isWatched = isWatched;
    if (!isWatched) {
        m_work.reset();
        m_found.nested.reset(); // its tables are large; the rows stay
    }
    follow();
}

bool StrategyBoard::isComplete() const
{
    return m_found.rows.size() == slowStrategies().size();
}

/// Asks for the slow ones of the answer shown, once that has all the others.
void StrategyBoard::follow()
{
    const Answer* answer = m_state.answer();
    if (!m_isWatched || !answer || !answer->shown || !answer->isComplete || answer->inputError)
        return;
    const Bytes budget = answer->question.budget;
    const bool isSameStudy = m_work && m_work->study() == answer->study;
    if (isSameStudy && m_work->budget() == budget)
        return;
    std::shared_ptr<const NestedStudy> nested = answer->nested ? answer->nested
        : isSameStudy                                          ? m_found.nested
                                                               : nullptr;
    m_found = {{}, nested};
    m_work = std::make_shared<SlowStrategies>(answer->study, budget, std::move(nested));
    m_state.doWhenIdle(m_work);
}

void StrategyBoard::take()
{
    if (!m_work)
        return;
    if (std::optional<SlowStrategies::Found> found = m_work->take()) {
        m_found = *std::move(found);
        show();
    }
}

void StrategyBoard::show()
{
    follow();
    if (!m_state.answer() || !m_state.answer()->hasPlan())
        return;
    std::vector<StrategyRow> rows = makeStrategyRows(m_state);
    if (m_state.answer()->shown && !rows.empty())
        for (const Strategy& strategy : slowStrategies()) {
            const auto known = std::find_if(m_found.rows.begin(), m_found.rows.end(),
                [&](const ComparedStrategy& row) { return row.strategy == strategy; });
            rows.push_back(known != m_found.rows.end() ? strategyRow(m_state, *known)
                                                       : strategyRow(m_state, {strategy, std::nullopt, std::nullopt}));
        }
    m_rows.setRows(std::move(rows));
}

} // namespace remat::ui
