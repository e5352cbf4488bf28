// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// What lies under the pointer of a TimelineChart, and what pressing and keys do.
#include <algorithm>
#include <cmath>

#include <QKeyEvent>

#include "ui/charts/step_curve.h"
#include "ui/charts/timeline_chart.h"

namespace remat::ui {

bool TimelineChart::isOnPeak(const QPointF& at) const
{
    if (!m_view.peak)
        return false;
    const QPointF distance = at - peakPosition();
    return std::hypot(distance.x(), distance.y()) <= theme().px(10);
}

std::optional<int> TimelineChart::sampleAt(double x) const
{
    if (m_predictedPoints.empty())
        return std::nullopt;
    // Hundreds of samples share a pixel; the curve that is seen there is their maximum.
    const double reach = 1.5 * (frame().x.maximum - frame().x.minimum) / std::max(1.0, frameLayout().plot.width());
    std::size_t best = stepIndexAt(m_predictedPoints, x);
    for (std::size_t i = best + 1; i < m_predictedPoints.size() && m_predictedPoints[i].x() <= x + reach; ++i)
        if (m_view.predicted[i].live > m_view.predicted[best].live)
            best = i;
    for (std::size_t i = stepIndexAt(m_predictedPoints, x); i-- > 0 && m_predictedPoints[i].x() >= x - reach;)
        if (m_view.predicted[i].live > m_view.predicted[best].live)
            best = i;
    return static_cast<int>(best);
}

void TimelineChart::choose(std::optional<int> sample)
{
    emit instantActivated(sample == m_instant ? std::nullopt : sample);
}

void TimelineChart::clicked(const QPointF& at)
{
    if (isOnPeak(at))
        emit peakActivated();
    choose(sampleAt(isOnPeak(at) ? inUnits(m_view.peak->at, m_time) : frameLayout().xAt(frame(), at.x())));
}

QStringList TimelineChart::readoutAt(const QPointF& at)
{
    const NumberFormat format;
    double x = frameLayout().xAt(frame(), at.x());
    x = std::clamp(x, frame().x.minimum, frame().x.maximum);
    QStringList lines;
    if (isOnPeak(at)) {
        x = inUnits(m_view.peak->at, m_time);
        lines.append(tr("sets the peak"));
    }
    // The mouse takes over from the arrow keys.
    if (m_keySample
        && std::abs(toWidget(m_predictedPoints[static_cast<std::size_t>(*m_keySample)].x(), 0).x() - at.x()) > 1)
        m_keySample.reset();
    const std::optional<int> sample = m_keySample ? m_keySample : sampleAt(x);
    m_cursor = x;
    const Nanoseconds time{std::llround(x * m_time.size)};
    QString head = format.duration(time);
    for (const TimelinePhase& phase : m_view.phases)
        if (phase.begin <= time && time < phase.end)
            head += QStringLiteral(" · ") + phase.name;
    lines.append(head);
    int op = -1;
    if (sample) {
        const TimelineSample& shown = m_view.predicted[static_cast<std::size_t>(*sample)];
        op = shown.op;
        if (op >= 0 && m_view.opName)
            lines.append(m_view.opName(op));
        lines.append(tr("predicted %1").arg(format.bytes(shown.live)));
    }
    if (!m_measuredPoints.empty())
        lines.append(tr("measured %1").arg(format.bytes(m_view.measured[stepIndexAt(m_measuredPoints, x)].live)));
    if (sample && m_view.stackAt)
        lines.append(m_view.stackAt(*sample));
    emit opHovered(op);
    return lines;
}

void TimelineChart::pointerLeft()
{
    emit opHovered(-1);
}

void TimelineChart::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_instant)
        return choose(m_instant);
    ChartPanel::keyPressEvent(event);
}

Qt::CursorShape TimelineChart::cursorAt(const QPointF& at) const
{
    return isOnPeak(at) ? Qt::PointingHandCursor : Qt::ArrowCursor;
}

bool TimelineChart::keyStep(int direction)
{
    if (direction == 0) {
        if (m_keySample) {
            choose(m_keySample);
            return true;
        }
        if (!m_view.peak)
            return false;
        emit peakActivated();
        choose(sampleAt(inUnits(m_view.peak->at, m_time)));
        return true;
    }
    if (m_predictedPoints.empty())
        return false;
    const double from = m_cursor.value_or(m_view.peak ? inUnits(m_view.peak->at, m_time) : frame().x.minimum);
    const auto last = static_cast<int>(m_predictedPoints.size()) - 1;
    m_keySample
        = std::clamp(m_keySample.value_or(static_cast<int>(stepIndexAt(m_predictedPoints, from))) + direction, 0, last);
    const QPointF& point = m_predictedPoints[static_cast<std::size_t>(*m_keySample)];
    showReadoutAt(toWidget(point.x(), point.y()));
    return true;
}

} // namespace remat::ui
