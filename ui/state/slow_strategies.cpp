// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/slow_strategies.h"

#include <algorithm>

namespace remat::ui {

namespace {

constexpr MessageCode kTooManyStages{"rotor-on-demand",
    REMAT_TR("With {0} stages rotor takes seconds; it is computed when it is chosen."), REMAT_TR("Choose the row.")};

} // namespace

SlowStrategies::SlowStrategies(
    std::shared_ptr<const Study> study, Bytes budget, std::shared_ptr<const NestedStudy> nested)
    : m_study(std::move(study)),
      m_budget(budget),
      m_todo(slowStrategies())
{
    m_found.nested = std::move(nested);
    std::reverse(m_todo.begin(), m_todo.end());
}

bool SlowStrategies::step(const std::stop_token& cancel)
{
    if (m_todo.empty())
        return false;
    const Strategy strategy = m_todo.back();
    const std::size_t stages = m_study->tape().stages.size();
    std::optional<Result<Plan>> plan;
    if (strategy.kind == Strategy::Kind::OptimalNested) {
        if (!m_found.nested) {
            NestedLimits limits;
            limits.cancel = cancel;
            limits.maxTableBytes = kMostTableBytes;
            Result<NestedStudy> nested = NestedStudy::solve(*m_study, limits);
            if (cancel.stop_requested())
                return true;
            if (nested)
                m_found.nested = std::make_shared<const NestedStudy>(*std::move(nested));
            else
                plan = nested.error();
        }
        if (m_found.nested)
            plan = m_found.nested->cheapestWithin(m_budget);
    } else if (stages > kMostRotorStages) {
        plan = Error{&kTooManyStages, "", {static_cast<std::int64_t>(stages)}};
    } else {
        plan = m_study->plan(strategy, m_budget);
    }
    m_found.rows.push_back(*plan ? ComparedStrategy{strategy, **plan, std::nullopt}
                                 : ComparedStrategy{strategy, std::nullopt, plan->error()});
    m_todo.pop_back();
    m_box.post(m_found);
    return !m_todo.empty();
}

} // namespace remat::ui
