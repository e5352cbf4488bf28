// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/comparison.h"

#include <algorithm>

#include "ui/run/run_controller.h"
#include "ui/state/answer_views.h"
#include "ui/state/explorer_state.h"

namespace remat::ui {

namespace {

/// "gpt2, batch 8, optimal": what tells one plan from another at a glance.
QString titleOf(const Plan& plan)
{
    return QStringLiteral("%1 \u00b7 %2\u00d7%3 \u00b7 %4")
        .arg(QString::fromStdString(plan.shape().name))
        .arg(plan.setup().batch)
        .arg(plan.setup().sequence)
        .arg(strategyTitle(plan.strategy));
}

QString titleOf(const RegionPlan& plan)
{
    return QStringLiteral("%1 \u00b7 %2\u00d7%3 \u00b7 PyTorch \u00b7 %4")
        .arg(QString::fromStdString(plan.request.shape.name))
        .arg(plan.request.setup.batch)
        .arg(plan.request.setup.sequence)
        .arg(strategyTitle(plan.strategy));
}

} // namespace

Comparison::Comparison(const ExplorerState& state, const RunController& runs, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_runs(runs)
{
    connect(&m_state, &ExplorerState::answerChanged, this, &Comparison::changed);
    connect(&m_runs, &RunController::runsChanged, this, &Comparison::changed);
}

std::vector<Comparand> Comparison::choices() const
{
    std::vector<Comparand> all;
    const Answer* answer = m_state.answer();
    if (answer && answer->shown)
        all.push_back({shownKey(), tr("the plan shown"),
            std::shared_ptr<const Plan>(answer->shown, &answer->shown->plan), nullptr});
    if (answer && answer->regions)
        all.push_back({shownKey(), tr("the plan shown"), nullptr, nullptr,
            std::shared_ptr<const RegionPlan>(answer->regions, &answer->regions->plan)});
    all.insert(all.end(), m_aside.begin(), m_aside.end());
    if (answer && answer->regions)
        for (const ComparedRegions& row : answer->regionStrategies)
            if (row.plan)
                all.push_back({strategyKey(QString::fromStdString(toName(row.strategy))),
                    tr("strategy: %1").arg(strategyTitle(row.strategy)), nullptr, nullptr,
                    std::make_shared<const RegionPlan>(*row.plan)});
    if (answer && answer->shown)
        for (const ComparedStrategy& row : answer->strategies)
            if (row.plan)
                all.push_back({strategyKey(QString::fromStdString(toName(row.strategy))),
                    tr("strategy: %1").arg(strategyTitle(row.strategy)), std::make_shared<const Plan>(*row.plan),
                    nullptr});
    for (const RunRecord& run : m_runs.runs())
        if (run.report)
            all.push_back({runKey(run.row.number), tr("run %1: %2").arg(run.row.number).arg(run.row.plan), nullptr,
                std::make_shared<const RunReport>(*run.report)});
    return all;
}

std::optional<Comparand> Comparison::find(const QString& key) const
{
    const std::vector<Comparand> all = choices();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Comparand& c) { return c.key == key; });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

void Comparison::setA(const QString& key)
{
    if (m_a == key)
        return;
    m_a = key;
    emit changed();
}

void Comparison::setB(const QString& key)
{
    if (m_b == key)
        return;
    m_b = key;
    emit changed();
}

void Comparison::swap()
{
    if (m_b.isEmpty())
        return;
    std::swap(m_a, m_b);
    emit changed();
}

void Comparison::putAside(const QString& title, const Plan& plan)
{
    putAside(
        Comparand{{}, QStringLiteral("%1: %2").arg(title, titleOf(plan)), std::make_shared<const Plan>(plan), nullptr});
}

void Comparison::putAside(const QString& title, const RegionPlan& plan)
{
    putAside(Comparand{{}, QStringLiteral("%1: %2").arg(title, titleOf(plan)), nullptr, nullptr,
        std::make_shared<const RegionPlan>(plan)});
}

void Comparison::putAside(Comparand aside)
{
    if (m_aside.size() >= kMostAside)
        m_aside.erase(m_aside.begin());
    aside.key = QStringLiteral("kept:%1").arg(++m_lastAside);
    m_aside.push_back(std::move(aside));
    m_b = m_aside.back().key;
    emit changed();
}

void Comparison::putAsideShown()
{
    const Answer* answer = m_state.answer();
    const QString title = tr("snapshot %1").arg(m_lastAside + 1);
    if (answer && answer->shown)
        putAside(title, answer->shown->plan);
    else if (answer && answer->regions)
        putAside(title, answer->regions->plan);
}

void Comparison::clear()
{
    m_a = shownKey();
    m_b.clear();
    emit changed();
}

} // namespace remat::ui
