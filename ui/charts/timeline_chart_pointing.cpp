// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
// What lies under the pointer of a TimelineChart, and what pressing and keys do.
#include <algorithm>
#include <cmath>

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

void TimelineChart::clicked(const QPointF& at)
{
    if (isOnPeak(at))
        emit peakActivated();
}

QStringList TimelineChart::readoutAt(const QPointF& at)
{
    const NumberFormat format;
    double x = frameLayout().xAt(frame(), at.x());
    x = std::clamp(x, frame().x.minimum, frame().x.maximum);
    QStringList lines;
    if (isOnPeak(at)) {
        x = inUnits(m_view.peak->at, m_time);
        lines.append(tr("sets the peak; click: what is alive"));
    }
    m_cursor = x;
    const Nanoseconds time{std::llround(x * m_time.size)};
    QString head = format.duration(time);
    for (const TimelinePhase& phase : m_view.phases)
        if (phase.begin <= time && time < phase.end)
            head += QStringLiteral(" · ") + phase.name;
    lines.append(head);
    if (!m_predictedPoints.empty()) {
        const TimelineSample& sample = m_view.predicted[stepIndexAt(m_predictedPoints, x)];
        if (sample.op >= 0 && m_view.opName)
            lines.append(m_view.opName(sample.op));
        lines.append(tr("predicted %1").arg(format.bytes(sample.live)));
    }
    if (!m_measuredPoints.empty())
        lines.append(tr("measured %1").arg(format.bytes(m_view.measured[stepIndexAt(m_measuredPoints, x)].live)));
    return lines;
}

Qt::CursorShape TimelineChart::cursorAt(const QPointF& at) const
{
    return isOnPeak(at) ? Qt::PointingHandCursor : Qt::ArrowCursor;
}

bool TimelineChart::keyStep(int direction)
{
    if (direction == 0) {
        if (!m_view.peak)
            return false;
        emit peakActivated();
        return true;
    }
    if (m_predictedPoints.empty())
        return false;
    const double from = m_cursor.value_or(m_view.peak ? inUnits(m_view.peak->at, m_time) : frame().x.minimum);
    const auto last = static_cast<std::ptrdiff_t>(m_predictedPoints.size()) - 1;
    const auto index = std::clamp(
        static_cast<std::ptrdiff_t>(stepIndexAt(m_predictedPoints, from)) + direction, std::ptrdiff_t{0}, last);
    const QPointF& point = m_predictedPoints[static_cast<std::size_t>(index)];
    showReadoutAt(toWidget(point.x(), point.y()));
    return true;
}

} // namespace remat::ui
