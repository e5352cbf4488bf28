// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/timeline_chart.h"

#include <algorithm>
#include <cmath>

#include <QAreaSeries>
#include <QChart>
#include <QLineSeries>
#include <QPainter>
#include <QPainterPath>
#include <QValueAxis>

#include "ui/charts/step_curve.h"
#include "ui/theme/hatch.h"

namespace remat::ui {

namespace {

constexpr double kFillShare = 0.27;
constexpr double kHeadroom = 1.08;

std::vector<QPointF> inAxisUnits(
    const std::vector<TimelineSample>& samples, const ColumnUnit& time, const ColumnUnit& bytes)
{
    std::vector<QPointF> points;
    points.reserve(samples.size());
    for (const TimelineSample& sample : samples)
        points.emplace_back(inUnits(sample.at, time), inUnits(sample.live, bytes));
    return points;
}

/// The height of what is shown.  A budget far above it would press the curve flat: it is named, but out of the picture.
Bytes largestOf(const TimelineView& view)
{
    Bytes largest;
    for (const auto* samples : {&view.predicted, &view.measured})
        for (const TimelineSample& sample : *samples)
            largest = std::max(largest, sample.live);
    const Bytes budget = view.budget.value_or(Bytes{});
    return largest == Bytes{} || ratio(budget, largest) <= 1.5 ? std::max(largest, budget) : largest;
}

double valueAtRightEdge(const std::vector<QPointF>& points, double x)
{
    return points.empty() ? 0.0 : points[stepIndexAt(points, x)].y();
}

} // namespace

TimelineChart::TimelineChart(const Theme& startTheme, QWidget* parent)
    : ChartPanel(startTheme, parent),
      m_predicted(new QLineSeries(this)),
      m_fillTop(new QLineSeries(this)),
      m_measured(new QLineSeries(this)),
      m_fill(new QAreaSeries(m_fillTop))
{
    setZoomable(true);
    for (QAbstractSeries* series : std::initializer_list<QAbstractSeries*>{m_fill, m_predicted, m_measured}) {
        chart().addSeries(series);
        series->attachAxis(&xAxis());
        series->attachAxis(&yAxis());
    }
    colourSeries();
    rebuild();
}

void TimelineChart::setTimelineView(TimelineView view)
{
    m_view = std::move(view);
    Nanoseconds end = m_view.end;
    for (const auto* samples : {&m_view.predicted, &m_view.measured})
        if (!samples->empty())
            end = std::max(end, samples->back().at);
    m_bytes = columnUnit(largestOf(m_view));
    m_time = timeUnit(end);
    m_end = std::max(inUnits(end, m_time), 1e-9);
    m_predictedPoints = inAxisUnits(m_view.predicted, m_time, m_bytes);
    m_measuredPoints = inAxisUnits(m_view.measured, m_time, m_bytes);
    m_cursor.reset();
    m_keySample.reset();
    if (m_instant && *m_instant >= static_cast<int>(m_view.predicted.size()))
        m_instant.reset();
    setHasData(!m_predictedPoints.empty() || !m_measuredPoints.empty());
    rebuild();
}

void TimelineChart::setHighlighted(std::vector<TimelineSpan> spans)
{
    m_view.highlighted = std::move(spans);
    repaintMarks();
}

void TimelineChart::setHovered(std::vector<TimelineSpan> spans)
{
    m_hovered = std::move(spans);
    repaintMarks();
}

void TimelineChart::setInstant(std::optional<int> sample)
{
    m_instant = sample && *sample < static_cast<int>(m_view.predicted.size()) ? sample : std::nullopt;
    repaintMarks();
}

ChartFrame TimelineChart::makeFrame(const std::optional<std::pair<double, double>>& window) const
{
    const NumberFormat format;
    ChartFrame frame;
    frame.x = {0, m_end, tr("step time"), m_time.name};
    if (window && window->first < m_end) {
        frame.x.minimum = window->first;
        frame.x.maximum = std::min(window->second, m_end);
    }
    frame.x.hasGrid = false;
    frame.y = {0, std::max(inUnits(largestOf(m_view), m_bytes) * kHeadroom, 1e-9), QString(), m_bytes.name};
    const double edge = frame.x.maximum;
    if (!m_predictedPoints.empty())
        frame.legend.push_back(
            {tr("predicted"), Swatch::Area, mixed(theme().colour(Role::Panel), theme().colour(Role::Keep), 0.6),
                valueAtRightEdge(m_predictedPoints, edge)});
    if (!m_measuredPoints.empty())
        frame.legend.push_back({tr("measured (%1)").arg(format.duration(m_view.measuredStep)), Swatch::Line,
            theme().colour(Role::Text), valueAtRightEdge(m_measuredPoints, edge)});
    if (m_view.budget)
        frame.legend.push_back({tr("budget %1").arg(format.bytes(*m_view.budget)), Swatch::Dashes,
            theme().colour(Role::Text), inUnits(*m_view.budget, m_bytes)});
    return frame;
}

void TimelineChart::fill(QLineSeries* series, const std::vector<QPointF>& points) const
{
    showPoints(*series, cornersInFrame(points, std::min(m_end, frame().x.maximum)));
}

void TimelineChart::fillSeries()
{
    fill(m_predicted, m_predictedPoints);
    showPoints(*m_fillTop, m_predicted->points());
    fill(m_measured, m_measuredPoints);
}

void TimelineChart::colourSeries()
{
    QColor tint = theme().colour(Role::Keep);
    m_predicted->setPen(QPen(tint, 1.6));
    m_measured->setPen(QPen(theme().colour(Role::Text), 1.2));
    tint.setAlphaF(static_cast<float>(kFillShare));
    m_fill->setBrush(tint);
    m_fill->setPen(Qt::NoPen);
}

void TimelineChart::paintUnderSeries(QPainter& painter)
{
    painter.save();
    painter.setClipRect(frameLayout().plot);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintSpans(painter, m_hovered, 0.07);
    paintSpans(painter, m_view.highlighted, 0.12);
    painter.restore();
}

void TimelineChart::paintSpans(QPainter& painter, const std::vector<TimelineSpan>& spans, double strength) const
{
    const QRectF& plot = frameLayout().plot;
    for (const TimelineSpan& span : spans) {
        QRectF band(QPointF(toWidget(inUnits(span.begin, m_time), 0).x(), plot.top()),
            QPointF(toWidget(inUnits(span.end, m_time), 0).x(), plot.bottom()));
        band.setWidth(std::max(band.width(), 2.0));
        painter.fillRect(band, mixed(theme().colour(Role::Panel), theme().colour(Role::Text), strength));
        painter.setPen(QPen(theme().colour(Role::Text), 1, Qt::DotLine));
        painter.drawLine(band.topLeft(), band.bottomLeft());
        painter.drawLine(band.topRight(), band.bottomRight());
    }
}

void TimelineChart::paintOverBudget(QPainter& painter) const
{
    const QList<QPointF> corners = m_predicted->points();
    if (!m_view.budget || corners.isEmpty())
        return;
    const double budget = inUnits(*m_view.budget, m_bytes);
    const bool isOver = std::any_of(corners.begin(), corners.end(), [&](const QPointF& p) { return p.y() > budget; });
    if (!isOver)
        return;
    QPolygonF above({toWidget(corners.first().x(), budget)});
    for (const QPointF& corner : corners)
        above.append(toWidget(corner.x(), std::max(corner.y(), budget)));
    above.append(toWidget(corners.last().x(), budget));
    QPainterPath path;
    path.addPolygon(above);
    painter.save();
    painter.setClipPath(path, Qt::IntersectClip);
    fillHatch(painter, path.boundingRect(), theme().colour(Role::Over), theme().colour(Role::OverTint),
        HatchKind::OverBudget);
    painter.restore();
}

void TimelineChart::paintPhases(QPainter& painter) const
{
    const QRectF& plot = frameLayout().plot;
    const QFont font = theme().font(FontRole::Tick);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const TimelinePhase& phase : m_view.phases) {
        const double from = toWidget(inUnits(phase.begin, m_time), 0).x();
        const double to = toWidget(inUnits(phase.end, m_time), 0).x();
        if (from > plot.left() + 1 && from < plot.right()) {
            painter.setPen(QPen(mixed(theme().colour(Role::Panel), theme().colour(Role::Muted), 0.6), 1));
            painter.drawLine(QPointF(std::round(from), plot.top()), QPointF(std::round(from), plot.bottom()));
        }
        // The name stands on the fill at the foot, where live bytes never go: it costs no height.
        const QRectF room(QPointF(std::max(from, plot.left()), plot.bottom() - metrics.height() - 2),
            QPointF(std::min(to, plot.right()), plot.bottom() - 2));
        if (room.width() < metrics.horizontalAdvance(phase.name) + theme().px(6))
            continue;
        painter.setPen(theme().colour(Role::Text));
        painter.drawText(room, Qt::AlignCenter, phase.name);
    }
}

QPointF TimelineChart::peakPosition() const
{
    return m_view.peak ? toWidget(inUnits(m_view.peak->at, m_time), inUnits(m_view.peak->live, m_bytes)) : QPointF();
}

void TimelineChart::paintOverSeries(QPainter& painter)
{
    const QRectF& plot = frameLayout().plot;
    painter.save();
    painter.setClipRect(plot.adjusted(-1, -plot.top(), 1, 1));
    paintOverBudget(painter);
    paintPhases(painter);
    if (m_view.budget && inUnits(*m_view.budget, m_bytes) <= frame().y.maximum) {
        // Smoothed and on half a pixel: the dashes keep their lengths at every scale.
        painter.setRenderHint(QPainter::Antialiasing, true);
        const double y = std::floor(toWidget(0, inUnits(*m_view.budget, m_bytes)).y()) + 0.5;
        painter.setPen(QPen(theme().colour(Role::Text), 1.2, Qt::DashLine, Qt::FlatCap));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    if (m_cursor) {
        const double x = toWidget(*m_cursor, 0).x();
        painter.setPen(QPen(theme().colour(Role::Muted), 1));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
    if (m_instant) {
        const TimelineSample& sample = m_view.predicted[static_cast<std::size_t>(*m_instant)];
        const QPointF at = toWidget(inUnits(sample.at, m_time), inUnits(sample.live, m_bytes));
        painter.setPen(QPen(theme().colour(Role::Peak), 2));
        painter.drawLine(QPointF(at.x(), plot.top()), QPointF(at.x(), plot.bottom()));
        painter.setBrush(theme().colour(Role::Peak));
        painter.drawEllipse(at, theme().px(3), theme().px(3));
    }
    const bool isPeakVisible = m_view.peak && peakPosition().x() >= plot.left() && peakPosition().x() <= plot.right();
    if (isPeakVisible) {
        const double radius = theme().px(5);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme().colour(Role::Panel), 4));
        painter.drawEllipse(peakPosition(), radius, radius);
        painter.setPen(QPen(theme().colour(Role::Peak), 2));
        painter.drawEllipse(peakPosition(), radius, radius);
    }
    painter.restore();
}

QString TimelineChart::name() const
{
    return tr("Memory over the step");
}

QString TimelineChart::emptyText() const
{
    return tr("The memory of the step appears here with the first plan.");
}

QString TimelineChart::describe() const
{
    const NumberFormat format;
    if (m_view.predicted.empty())
        return emptyText();
    QStringList sentences;
    if (m_view.peak)
        sentences.append(
            tr("Predicted memory peaks at %1, %2 into a step of %3.")
                .arg(format.bytes(m_view.peak->live), format.duration(m_view.peak->at), format.duration(m_view.end)));
    if (m_view.budget)
        sentences.append(tr("The budget is %1.").arg(format.bytes(*m_view.budget)));
    if (!m_view.measured.empty()) {
        const auto highest = std::max_element(m_view.measured.begin(), m_view.measured.end(),
            [](const TimelineSample& a, const TimelineSample& b) { return a.live < b.live; });
        sentences.append(tr("The measured peak is %1.").arg(format.bytes(highest->live)));
    }
    return sentences.join(QLatin1Char(' '));
}

} // namespace remat::ui
