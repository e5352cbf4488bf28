// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/tradeoff_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QChart>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>

#include "ui/charts/label_placement.h"
#include "ui/charts/step_curve.h"

namespace remat::ui {

namespace {

constexpr double kPerCent = 100;
constexpr std::array<Swatch, 4> kShapes{Swatch::Square, Swatch::Triangle, Swatch::Diamond, Swatch::Disc};
constexpr double kMarkerSize = 9;
constexpr double kPlanSize = 12;

} // namespace

TradeoffChart::TradeoffChart(const Theme& startTheme, QWidget* parent)
    : ChartPanel(startTheme, parent),
      m_series(new QLineSeries(this))
{
    setZoomable(true);
    chart().addSeries(m_series);
    m_series->attachAxis(&xAxis());
    m_series->attachAxis(&yAxis());
    colourSeries();
    rebuild();
}

void TradeoffChart::setTradeoffView(TradeoffView view)
{
    m_view = std::move(view);
    std::vector<TradeoffPoint> all = m_view.frontier;
    for (const RivalPoint& rival : m_view.rivals)
        all.push_back(rival.point);
    if (m_view.plan)
        all.push_back(*m_view.plan);
    setHasData(!all.empty());

    Bytes largest;
    for (const TradeoffPoint& point : all)
        largest = std::max(largest, point.peak);
    // A budget far above everything would press the curve into a corner: it stays out of the picture.
    std::optional<Bytes> near = m_view.budget;
    if (near && !all.empty() && ratio(*near, largest) > 1.25)
        near.reset();
    largest = std::max(largest, near.value_or(Bytes{}));
    m_bytes = columnUnit(largest);
    m_least = m_most = inUnits(near.value_or(all.empty() ? Bytes{} : all.front().peak), m_bytes);
    m_highest = 0;
    for (const TradeoffPoint& point : all) {
        m_least = std::min(m_least, inUnits(point.peak, m_bytes));
        m_most = std::max(m_most, inUnits(point.peak, m_bytes));
        m_highest = std::max(m_highest, point.extraTime * kPerCent);
    }
    m_curve.clear();
    for (const TradeoffPoint& point : m_view.frontier)
        m_curve.emplace_back(inUnits(point.peak, m_bytes), point.extraTime * kPerCent);
    rebuild();
}

void TradeoffChart::setBudget(std::optional<Bytes> budget)
{
    m_view.budget = budget;
    repaintMarks();
}

void TradeoffChart::setPointedRival(const QString& key)
{
    m_pointedRival = key;
    repaintMarks();
}

ChartFrame TradeoffChart::makeFrame(const std::optional<std::pair<double, double>>& window) const
{
    // A single point stands in the middle of five per cent to each side.
    const double margin = m_most > m_least ? 0.04 * (m_most - m_least) : std::max(0.05 * m_most, 1e-9);
    ChartFrame frame;
    frame.x = {std::max(0.0, m_least - margin), m_most + margin, tr("peak memory"), m_bytes.name};
    if (window && window->first < frame.x.maximum && window->second > frame.x.minimum) {
        frame.x.minimum = std::max(frame.x.minimum, window->first);
        frame.x.maximum = std::min(frame.x.maximum, window->second);
    }
    const double top = m_highest > 0 ? m_highest * 1.12 : 1;
    frame.y = {-0.05 * top, top, tr("extra time"), QStringLiteral("%")};
    return frame;
}

void TradeoffChart::fillSeries()
{
    const double end = std::min(frame().x.maximum, m_curve.empty() ? 0.0 : std::max(m_curve.back().x(), m_most));
    showPoints(*m_series, cornersInFrame(m_curve, end));
    placeMarkerLabels();
}

void TradeoffChart::colourSeries()
{
    m_series->setPen(QPen(theme().colour(Role::Recompute), 2));
}

QPointF TradeoffChart::toWidget(const TradeoffPoint& point) const
{
    return ChartPanel::toWidget(inUnits(point.peak, m_bytes), point.extraTime * kPerCent);
}

double TradeoffChart::extraAt(double budget) const
{
    return m_curve[stepIndexAt(m_curve, budget)].y();
}

std::vector<QRectF> TradeoffChart::curveObstacles() const
{
    // One box for every few pixels of width, from the highest to the lowest point of the curve there.
    constexpr double kWidth = 4;
    std::vector<QRectF> boxes;
    const QRectF& plot = frameLayout().plot;
    if (m_curve.empty())
        return boxes;
    for (double x = plot.left(); x < plot.right(); x += kWidth) {
        const double from = frameLayout().xAt(frame(), x);
        const double to = frameLayout().xAt(frame(), x + kWidth);
        if (to < m_curve.front().x())
            continue;
        const double high = ChartPanel::toWidget(0, extraAt(from)).y();
        const double low = ChartPanel::toWidget(0, extraAt(to)).y();
        boxes.emplace_back(x, std::min(high, low) - 1, kWidth, std::abs(low - high) + 2);
    }
    return boxes;
}

void TradeoffChart::placeMarkerLabels()
{
    m_labels.clear();
    const QRectF& plot = frameLayout().plot;
    const auto isInPlot = [&](const TradeoffPoint& p) {
        const double x = toWidget(p).x();
        return x >= plot.left() && x <= plot.right();
    };
    for (const RivalPoint& rival : m_view.rivals)
        if (isInPlot(rival.point))
            m_labels.push_back({rival.name, toWidget(rival.point), std::nullopt, false, rival.key});
    // After the rivals, so that their labels rest while the plan moves with the budget.
    if (m_view.plan && isInPlot(*m_view.plan))
        m_labels.push_back({tr("this plan"), toWidget(*m_view.plan), std::nullopt, true});

    const QFontMetricsF metrics(theme().font(FontRole::Label));
    std::vector<LabelRequest> requests;
    for (const Label& label : m_labels)
        requests.push_back({label.anchor, theme().px(label.isPlan ? kPlanSize : kMarkerSize) / 2 + 1,
            QSizeF(metrics.horizontalAdvance(label.text) + 4, metrics.height())});
    const auto boxes = placeLabels(requests, curveObstacles(), plot.adjusted(0, -theme().px(6), 0, 0));
    for (std::size_t i = 0; i < m_labels.size(); ++i)
        m_labels[i].box = boxes[i];
}

std::vector<QRectF> TradeoffChart::labelBoxes() const
{
    std::vector<QRectF> boxes;
    for (const Label& label : m_labels)
        if (label.box)
            boxes.push_back(*label.box);
    return boxes;
}

void TradeoffChart::paintMarkers(QPainter& painter) const
{
    const double size = theme().px(kMarkerSize);
    const QColor ground = theme().colour(Role::Panel);
    for (std::size_t i = 0; i < m_view.rivals.size(); ++i) {
        const RivalPoint& rival = m_view.rivals[i];
        const Swatch shape = kShapes[i % kShapes.size()];
        const QPointF at = toWidget(rival.point);
        paintSwatch(painter, shape, at, size + 2, ground);
        // Hollow as well as red, so that "does not fit" is not said by hue alone.
        paintSwatch(painter, shape, at, size, theme().colour(rival.fits ? Role::Muted : Role::Over));
        if (!rival.fits)
            paintSwatch(painter, shape, at, size - 4, ground);
        if (!m_pointedRival.isEmpty() && rival.key == m_pointedRival) {
            painter.setRenderHint(QPainter::Antialiasing, true);
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme().colour(Role::Text), 2));
            painter.drawEllipse(at, size, size);
        }
    }
    if (m_view.plan) {
        const double planSize = theme().px(kPlanSize);
        paintSwatch(painter, Swatch::Disc, toWidget(*m_view.plan), planSize + 3, ground);
        paintSwatch(painter, Swatch::Disc, toWidget(*m_view.plan), planSize, theme().colour(Role::Text));
    }
}

void TradeoffChart::paintBudget(QPainter& painter) const
{
    if (!m_view.budget)
        return;
    const QRectF& plot = frameLayout().plot;
    const double budget = inUnits(*m_view.budget, m_bytes);
    const double x = std::round(ChartPanel::toWidget(budget, 0).x());
    if (x < plot.left() || x > plot.right())
        return;
    const bool isReachable = !m_curve.empty() && budget >= m_curve.front().x();
    const QColor colour = theme().colour(isReachable || m_curve.empty() ? Role::Text : Role::Over);
    painter.setPen(QPen(colour, 1.2, Qt::DashLine, Qt::FlatCap));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    // With a plan, its own marker says where the curve is met.
    if (isReachable && !m_view.plan) {
        painter.setPen(QPen(colour, 2));
        painter.setBrush(theme().colour(Role::Panel));
        painter.drawEllipse(ChartPanel::toWidget(budget, extraAt(budget)), theme().px(5), theme().px(5));
    }
}

void TradeoffChart::paintOverSeries(QPainter& painter)
{
    const QRectF& plot = frameLayout().plot;
    painter.save();
    painter.setClipRect(plot.adjusted(-theme().px(8), -theme().px(8), theme().px(8), theme().px(8)), Qt::IntersectClip);
    paintBudget(painter);
    // Labels stand on the ground's colour, so that grid and budget line do not run through the letters.
    QColor ground = theme().colour(Role::Panel);
    ground.setAlphaF(0.85F);
    for (const Label& label : m_labels) {
        if (!label.box)
            continue;
        // A label that had to move away stays tied to its marker.
        const QPointF nearest(std::clamp(label.anchor.x(), label.box->left(), label.box->right()),
            std::clamp(label.anchor.y(), label.box->top(), label.box->bottom()));
        if (const QPointF way = nearest - label.anchor; std::hypot(way.x(), way.y()) > theme().px(kMarkerSize)) {
            painter.setRenderHint(QPainter::Antialiasing, true);
            painter.setPen(QPen(theme().colour(Role::Muted), 1));
            painter.drawLine(label.anchor, nearest);
        }
        painter.fillRect(*label.box, ground);
        painter.setFont(theme().font(FontRole::Label));
        const bool isPointed = !label.key.isEmpty() && label.key == m_pointedRival;
        painter.setPen(theme().colour(label.isPlan || isPointed ? Role::Text : Role::Muted));
        painter.drawText(*label.box, Qt::AlignCenter, label.text);
    }
    paintMarkers(painter);
    painter.restore();
}

QString TradeoffChart::name() const
{
    return tr("Trade-off between memory and time");
}

QString TradeoffChart::emptyText() const
{
    return tr("What more memory would buy appears here with the first plan.");
}

QString TradeoffChart::describe() const
{
    if (m_view.frontier.empty())
        return emptyText();
    const NumberFormat format;
    const TradeoffPoint& least = m_view.frontier.front();
    const TradeoffPoint& most = m_view.frontier.back();
    QString text = tr("The least peak is %1 at %2 time; %3 is enough for %4.")
                       .arg(format.bytes(least.peak), format.percent(least.extraTime), format.bytes(most.peak),
                           format.percent(most.extraTime));
    if (m_view.plan)
        text += QLatin1Char(' ')
            + tr("This plan peaks at %1 and costs %2.")
                  .arg(format.bytes(m_view.plan->peak), format.percent(m_view.plan->extraTime));
    for (const RivalPoint& rival : m_view.rivals)
        text += QLatin1Char(' ')
            + tr("%1: %2, %3.", "strategy: peak, extra time")
                  .arg(rival.name, format.bytes(rival.point.peak), format.percent(rival.point.extraTime));
    return text;
}

} // namespace remat::ui
