// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// What lies under the pointer of a TradeoffChart, and what pressing and keys do.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/charts/step_curve.h"
#include "ui/charts/tradeoff_chart.h"

namespace remat::ui {

namespace {

constexpr double kRivalDistance = 9;
constexpr double kGrabDistance = 10;

} // namespace

bool TradeoffChart::isOnCurve(const QPointF& at) const
{
    const double reach = theme().px(kGrabDistance);
    if (m_view.budget && std::abs(ChartPanel::toWidget(inUnits(*m_view.budget, m_bytes), 0).x() - at.x()) <= reach / 2)
        return true;
    if (m_curve.empty())
        return false;
    const double left = frameLayout().xAt(frame(), at.x() - reach);
    const double right = frameLayout().xAt(frame(), at.x() + reach);
    if (right < m_curve.front().x() || left > m_curve.back().x())
        return false;
    const double high = ChartPanel::toWidget(0, extraAt(left)).y();
    const double low = ChartPanel::toWidget(0, extraAt(right)).y();
    return at.y() >= high - reach && at.y() <= low + reach;
}

bool TradeoffChart::takesPress(const QPointF& at)
{
    return !rivalAt(at) && isOnCurve(at);
}

void TradeoffChart::dragTo(const QPointF& at, bool isLast)
{
    const double x = std::clamp(frameLayout().xAt(frame(), at.x()), frame().x.minimum, frame().x.maximum);
    emit budgetRequested(Bytes{std::llround(x * m_bytes.size)}, isLast);
}

std::optional<std::size_t> TradeoffChart::rivalAt(const QPointF& at) const
{
    std::optional<std::size_t> nearest;
    double best = theme().px(kRivalDistance);
    for (std::size_t i = 0; i < m_view.rivals.size(); ++i) {
        const QPointF d = toWidget(m_view.rivals[i].point) - at;
        if (const double distance = std::hypot(d.x(), d.y()); distance <= best) {
            best = distance;
            nearest = i;
        }
    }
    return nearest;
}

void TradeoffChart::clicked(const QPointF& at)
{
    if (const auto rival = rivalAt(at))
        emit rivalActivated(m_view.rivals[*rival].key);
}

QStringList TradeoffChart::readoutAt(const QPointF& at)
{
    const NumberFormat format;
    const auto index = rivalAt(at);
    emit rivalHovered(index ? m_view.rivals[*index].key : QString());
    const double x = frameLayout().xAt(frame(), at.x());
    const bool hasPlan = !index && !m_curve.empty() && x >= m_curve.front().x();
    emit planHovered(hasPlan ? std::optional(m_view.frontier[stepIndexAt(m_curve, x)].peak) : std::nullopt);
    if (index) {
        const RivalPoint& rival = m_view.rivals[*index];
        return {rival.name, tr("peak %1").arg(format.bytes(rival.point.peak)),
            tr("%1 time").arg(format.percent(rival.point.extraTime)), rival.fits ? tr("fits") : tr("does not fit")};
    }
    if (m_curve.empty())
        return {};
    const QString budget = tr("budget %1").arg(format.bytes(Bytes{std::llround(std::max(0.0, x) * m_bytes.size)}));
    if (x < m_curve.front().x())
        return {budget, tr("no plan fits")};
    const TradeoffPoint& plan = m_view.frontier[stepIndexAt(m_curve, x)];
    return {
        budget, tr("%1 time").arg(format.percent(plan.extraTime)), tr("plan peaks at %1").arg(format.bytes(plan.peak))};
}

void TradeoffChart::pointerLeft()
{
    emit rivalHovered(QString());
    emit planHovered(std::nullopt);
}

Qt::CursorShape TradeoffChart::cursorAt(const QPointF& at) const
{
    return rivalAt(at) ? Qt::PointingHandCursor : isOnCurve(at) ? Qt::SizeHorCursor : Qt::ArrowCursor;
}

bool TradeoffChart::keyStep(int direction)
{
    if (direction == 0 || m_view.frontier.empty())
        return false;
    const Bytes from = m_view.budget.value_or(m_view.plan ? m_view.plan->peak : Bytes{});
    const auto& points = m_view.frontier;
    const auto isBelow = [](const TradeoffPoint& p, Bytes b) { return p.peak < b; };
    const auto isAbove = [](Bytes b, const TradeoffPoint& p) { return b < p.peak; };
    if (direction > 0) {
        const auto next = std::upper_bound(points.begin(), points.end(), from, isAbove);
        if (next != points.end())
            emit budgetRequested(next->peak, true);
    } else {
        const auto next = std::lower_bound(points.begin(), points.end(), from, isBelow);
        if (next != points.begin())
            emit budgetRequested(std::prev(next)->peak, true);
    }
    return true;
}

} // namespace remat::ui
