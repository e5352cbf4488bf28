// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/chart_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QAccessible>
#include <QAreaSeries>
#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>
#include <QXYSeries>

#include "ui/charts/chart_canvas.h"
#include "ui/charts/step_curve.h"

namespace remat::ui {

namespace {

constexpr double kStaleOpacity = 0.6;

QValueAxis* bareAxis(QChart* chart, Qt::Alignment side)
{
    auto* axis = new QValueAxis(chart);
    axis->setLabelsVisible(false);
    axis->setGridLineVisible(false);
    axis->setMinorGridLineVisible(false);
    axis->setLineVisible(false);
    axis->setTitleVisible(false);
    axis->setTickCount(2);
    chart->addAxis(axis, side);
    return axis;
}

} // namespace

ChartPanel::ChartPanel(Theme theme, QWidget* parent)
    : QWidget(parent),
      m_theme(std::move(theme)),
      m_scene(new QGraphicsScene(this)),
      m_chart(new QChart)
{
    m_scene->setItemIndexMethod(QGraphicsScene::NoIndex);
    m_scene->addItem(m_chart);
    m_chart->setAnimationOptions(QChart::NoAnimation);
    m_chart->setBackgroundVisible(false);
    m_chart->setDropShadowEnabled(false);
    m_chart->setMargins(QMargins());
    m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    m_chart->legend()->hide();
    m_chart->setAcceptHoverEvents(false);
    m_xAxis = bareAxis(m_chart, Qt::AlignBottom);
    m_yAxis = bareAxis(m_chart, Qt::AlignLeft);
    m_canvas = new ChartCanvas(m_scene, this);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

ChartPanel::~ChartPanel()
{
    // The scene owns the chart, and the canvas looks at the scene: the canvas goes first.
    delete m_canvas;
}

void ChartPanel::setTheme(const Theme& theme)
{
    m_theme = theme;
    rebuild();
    colourSeries();
}

void ChartPanel::setStale(bool isStale)
{
    m_chart->setOpacity(isStale ? kStaleOpacity : 1.0);
}

QStringList ChartPanel::legendTexts() const
{
    QStringList texts;
    for (const LegendEntry& entry : m_frame.legend)
        texts.append(entry.text);
    return texts;
}

QSize ChartPanel::sizeHint() const
{
    return {static_cast<int>(m_theme.px(440)), static_cast<int>(m_theme.px(220))};
}

QSize ChartPanel::minimumSizeHint() const
{
    return {static_cast<int>(m_theme.px(160)), static_cast<int>(m_theme.px(90))};
}

QList<QPointF> ChartPanel::cornersInFrame(std::span<const QPointF> points, double end) const
{
    const ChartAxis& x = m_frame.x;
    // One pixel column for each bucket of four points; its holds of a column or more add at most one corner each.
    const double columns = std::clamp(m_layout.plot.width(), 100.0, kMostPoints / 5.0);
    return stepCorners(thinCurve(clipSteps(points, x.minimum, x.maximum), static_cast<std::size_t>(4 * columns)), end,
        (x.maximum - x.minimum) / columns);
}

void ChartPanel::showPoints(QXYSeries& series, const QList<QPointF>& points)
{
    if (series.points() != points)
        series.replace(points);
}

void ChartPanel::setRanges()
{
    const ChartAxis &x = m_frame.x, &y = m_frame.y;
    if (m_xAxis->min() == x.minimum && m_xAxis->max() == x.maximum && m_yAxis->min() == y.minimum
        && m_yAxis->max() == y.maximum)
        return;
    // The module lays out all points anew for each end of each axis; the old ones are of no use any more.
    for (QAbstractSeries* series : m_chart->series()) {
        if (auto* curve = qobject_cast<QXYSeries*>(series))
            curve->clear();
        else if (auto* area = qobject_cast<QAreaSeries*>(series))
            area->upperSeries()->clear();
    }
    m_xAxis->setRange(x.minimum, x.maximum);
    m_yAxis->setRange(y.minimum, y.maximum);
}

void ChartPanel::rebuild()
{
    layOut(size());
    setAccessibleName(name());
    const QString text = describe();
    if (accessibleDescription() != text)
        setAccessibleDescription(text);
    repaintMarks();
}

void ChartPanel::repaintMarks()
{
    m_canvas->viewport()->update();
}

void ChartPanel::layOut(const QSizeF& size)
{
    const QRectF bounds(QPointF(), size);
    const double margin = m_theme.px(6);
    m_frame = makeFrame(m_zoom);
    if (!m_hasData)
        m_frame.legend.clear();
    m_layout = layoutFrame(m_frame, bounds.adjusted(margin, margin, -margin, -margin), m_theme);
    m_scene->setSceneRect(bounds);
    m_chart->setGeometry(bounds);
    m_chart->setPlotArea(m_layout.plot);
    setRanges();
    fillSeries();
    m_chart->setVisible(m_hasData);
    m_canvas->setRenderHint(QPainter::Antialiasing, isSmooth());
}

void ChartPanel::exportTo(QPainter& painter, const QRectF& target)
{
    const QStringList readout = std::exchange(m_readout, {});
    layOut(target.size());
    painter.save();
    painter.translate(target.topLeft());
    painter.setRenderHint(QPainter::Antialiasing, isSmooth());
    const QRectF bounds(QPointF(), target.size());
    paintGround(painter, bounds);
    m_scene->render(&painter, bounds, bounds);
    paintTop(painter);
    painter.restore();
    m_readout = readout;
    layOut(size());
}

void ChartPanel::paintGround(QPainter& painter, const QRectF& bounds)
{
    painter.fillRect(bounds, m_theme.colour(Role::Panel));
    if (!m_hasData)
        return;
    paintFrameGround(painter, m_frame, m_layout, m_theme);
    paintUnderSeries(painter);
}

void ChartPanel::paintTop(QPainter& painter)
{
    painter.save();
    if (!m_hasData) {
        painter.setFont(m_theme.font(FontRole::Text));
        painter.setPen(m_theme.colour(Role::Muted));
        const double margin = m_theme.px(16);
        painter.drawText(
            m_layout.bounds.adjusted(margin, 0, -margin, 0), Qt::AlignCenter | Qt::TextWordWrap, emptyText());
        painter.restore();
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    paintFrameTexts(painter, m_frame, m_layout, m_theme);
    paintOverSeries(painter);
    if (m_drag == Drag::Band) {
        QColor band = m_theme.colour(Role::Keep);
        painter.setPen(QPen(band, 1));
        band.setAlphaF(0.15F);
        painter.setBrush(band);
        painter.drawRect(
            QRectF(QPointF(m_pressedAt.x(), m_layout.plot.top()), QPointF(m_pointer.x(), m_layout.plot.bottom()))
                .normalized());
    }
    paintReadout(painter);
    if (m_showsFocus) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_theme.colour(Role::Keep), 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -1, -1));
    }
    painter.restore();
}

void ChartPanel::paintReadout(QPainter& painter) const
{
    if (m_readout.isEmpty())
        return;
    const QFont font = m_theme.font(FontRole::Label);
    const QFontMetricsF metrics(font);
    const double pad = m_theme.px(6);
    double width = 0;
    for (const QString& line : m_readout)
        width = std::max(width, metrics.horizontalAdvance(line));
    QRectF box(0, 0, width + 2 * pad, metrics.height() * static_cast<double>(m_readout.size()) + 2 * pad);
    // Beside the pointer, on the side that has the room, and never out of the panel.
    const double gap = m_theme.px(12);
    const bool goesLeft = m_pointer.x() + gap + box.width() > m_layout.bounds.right();
    box.moveLeft(std::max(m_layout.bounds.left(), goesLeft ? m_pointer.x() - gap - box.width() : m_pointer.x() + gap));
    box.moveTop(std::clamp(m_pointer.y() - box.height() - gap, m_layout.bounds.top(),
        std::max(m_layout.bounds.top(), m_layout.bounds.bottom() - box.height())));
    painter.setPen(QPen(m_theme.colour(Role::Muted), 1));
    painter.setBrush(m_theme.colour(Role::Field));
    painter.drawRoundedRect(box, m_theme.px(3), m_theme.px(3));
    painter.setFont(font);
    painter.setPen(m_theme.colour(Role::Text));
    for (qsizetype i = 0; i < m_readout.size(); ++i)
        painter.drawText(
            QPointF(box.left() + pad, box.top() + pad + metrics.ascent() + metrics.height() * static_cast<double>(i)),
            m_readout[i]);
}

} // namespace remat::ui
