// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/chart_frame.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>

#include "ui/charts/axis_scale.h"
#include "ui/charts/label_placement.h"

namespace remat::ui {

namespace {

constexpr double kShortPlot = 120;

std::vector<AxisTick> automaticTicks(const ChartAxis& axis, double length, double roomPerTick)
{
    const double step = niceStep(axis.maximum - axis.minimum, length / roomPerTick);
    std::vector<AxisTick> ticks;
    for (double at : ticksIn(axis.minimum, axis.maximum, step))
        ticks.push_back({at, tickText(at, step)});
    return ticks;
}

/// The last labelled tick carries the unit when there is no title line.
void putUnitIntoLastTick(std::vector<AxisTick>& ticks, const ChartAxis& axis)
{
    const QString unit = axis.unit.isEmpty() ? axis.title : axis.unit;
    const auto last = std::find_if(ticks.rbegin(), ticks.rend(), [](const AxisTick& t) { return !t.text.isEmpty(); });
    if (last != ticks.rend() && !unit.isEmpty())
        last->text += QLatin1Char(' ') + unit;
}

QString titleLine(const ChartAxis& axis)
{
    if (axis.title.isEmpty() || axis.unit.isEmpty())
        return axis.title + axis.unit;
    return axis.title + QStringLiteral(", ") + axis.unit;
}

double swatchWidth(const Theme& theme)
{
    return theme.px(12);
}

} // namespace

QPointF FrameLayout::toScene(const ChartFrame& frame, double x, double y) const
{
    const double spanX = frame.x.maximum - frame.x.minimum;
    const double spanY = frame.y.maximum - frame.y.minimum;
    return {plot.left() + (spanX > 0 ? (x - frame.x.minimum) / spanX : 0.0) * plot.width(),
        plot.bottom() - (spanY > 0 ? (y - frame.y.minimum) / spanY : 0.0) * plot.height()};
}

double FrameLayout::xAt(const ChartFrame& frame, double sceneX) const
{
    if (plot.width() <= 0)
        return frame.x.minimum;
    return frame.x.minimum + (sceneX - plot.left()) / plot.width() * (frame.x.maximum - frame.x.minimum);
}

double FrameLayout::yAt(const ChartFrame& frame, double sceneY) const
{
    if (plot.height() <= 0)
        return frame.y.minimum;
    return frame.y.minimum + (plot.bottom() - sceneY) / plot.height() * (frame.y.maximum - frame.y.minimum);
}

FrameLayout layoutFrame(const ChartFrame& frame, const QRectF& bounds, const Theme& theme)
{
    const QFontMetricsF metrics(theme.font(FontRole::Label));
    const double gap = theme.px(4);
    FrameLayout layout;
    layout.bounds = bounds;

    // Heights first: whether the plot is short decides where the titles go, and the ticks need the height.
    const double top = bounds.top() + std::max(gap, metrics.height() / 2);
    const double ticksHeight = metrics.height() + gap;
    const double titleHeight = metrics.height() + gap;
    double bottom = bounds.bottom() - ticksHeight - titleHeight;
    layout.isShort = bottom - top < theme.px(kShortPlot);
    if (layout.isShort)
        bottom += titleHeight - gap;
    const double height = std::max(1.0, bottom - top);

    layout.yTicks = frame.y.ticks ? *frame.y.ticks : automaticTicks(frame.y, height, metrics.height() * 1.7);
    if (layout.isShort)
        putUnitIntoLastTick(layout.yTicks, frame.y);
    double tickWidth = 0;
    for (const AxisTick& tick : layout.yTicks)
        tickWidth = std::max(tickWidth, metrics.horizontalAdvance(tick.text));
    const double left = bounds.left() + tickWidth + 2 * gap + (layout.isShort ? 0.0 : metrics.height() + gap);

    double legendWidth = 0;
    for (const LegendEntry& entry : frame.legend)
        legendWidth = std::max(legendWidth, swatchWidth(theme) + 2 * gap + metrics.horizontalAdvance(entry.text));
    // A narrow chart gives its width to the data; the texts are then in the tooltips and the summary only.
    layout.hasLegend = legendWidth > 0 && legendWidth < 0.4 * bounds.width();
    const double right = layout.hasLegend ? bounds.right() - legendWidth - 2 * gap : bounds.right() - 3 * gap;
    layout.plot = QRectF(QPointF(std::round(left), std::round(top)),
        QPointF(std::max(std::round(left) + 1, std::round(right)), std::round(top + height)));
    layout.legendLeft = layout.plot.right() + gap;

    layout.xTicks = frame.x.ticks ? *frame.x.ticks : automaticTicks(frame.x, layout.plot.width(), theme.px(52));
    if (layout.isShort)
        putUnitIntoLastTick(layout.xTicks, frame.x);
    return layout;
}

void paintFrameGround(QPainter& painter, const ChartFrame& frame, const FrameLayout& layout, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRectF& plot = layout.plot;
    // A cosmetic line on the half pixel stays one pixel wide at every scale.
    painter.setPen(QPen(theme.colour(Role::Line), 1));
    if (frame.y.hasGrid)
        for (const AxisTick& tick : layout.yTicks) {
            const double y = std::round(layout.toScene(frame, 0, tick.at).y());
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        }
    if (frame.x.hasGrid)
        for (const AxisTick& tick : layout.xTicks) {
            const double x = std::round(layout.toScene(frame, tick.at, 0).x());
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        }
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    painter.restore();
}

std::vector<QRectF> xTickBoxes(const ChartFrame& frame, const FrameLayout& layout, const Theme& theme)
{
    const double gap = theme.px(4);
    std::vector<QRectF> boxes(layout.xTicks.size());
    for (TickRank rank : {TickRank::Selected, TickRank::End, TickRank::Plain})
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const AxisTick& tick = layout.xTicks[i];
            if (tick.rank != rank || tick.text.isEmpty())
                continue;
            const QFontMetricsF metrics(theme.font(FontRole::Label, rank == TickRank::Selected));
            const double width = metrics.horizontalAdvance(tick.text) + 1;
            QRectF box(
                layout.toScene(frame, tick.at, 0).x() - width / 2, layout.plot.bottom() + gap, width, metrics.height());
            // The last text may be wider than the room right of its tick.
            box.moveRight(std::min(box.right(), layout.bounds.right()));
            const bool isFree = std::none_of(boxes.begin(), boxes.end(),
                [&](const QRectF& b) { return b.adjusted(-gap, 0, gap, 0).intersects(box); });
            if (isFree)
                boxes[i] = box;
        }
    return boxes;
}

std::vector<QRectF> legendBoxes(const ChartFrame& frame, const FrameLayout& layout, const Theme& theme)
{
    if (!layout.hasLegend)
        return {};
    const QFontMetricsF metrics(theme.font(FontRole::Label));
    const double height = metrics.height() + theme.px(2);
    std::vector<double> wished;
    for (const LegendEntry& entry : frame.legend)
        wished.push_back(layout.toScene(frame, 0, std::clamp(entry.at, frame.y.minimum, frame.y.maximum)).y());
    std::vector<QRectF> boxes;
    for (double centre : spreadVertically(wished, height, layout.bounds.top(), layout.plot.bottom() + height / 2))
        boxes.emplace_back(layout.legendLeft, centre - height / 2, layout.bounds.right() - layout.legendLeft, height);
    return boxes;
}

void paintFrameTexts(QPainter& painter, const ChartFrame& frame, const FrameLayout& layout, const Theme& theme)
{
    painter.save();
    const QFont font = theme.font(FontRole::Label);
    const QFontMetricsF metrics(font);
    const double gap = theme.px(4);
    const QRectF& plot = layout.plot;
    painter.setFont(font);
    painter.setPen(theme.colour(Role::Muted));

    for (const AxisTick& tick : layout.yTicks) {
        const double y = layout.toScene(frame, 0, tick.at).y();
        painter.drawText(QRectF(layout.bounds.left(), y - metrics.height() / 2,
                             plot.left() - gap - layout.bounds.left(), metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, tick.text);
    }
    const std::vector<QRectF> xBoxes = xTickBoxes(frame, layout, theme);
    for (std::size_t i = 0; i < xBoxes.size(); ++i) {
        const bool isSelected = layout.xTicks[i].rank == TickRank::Selected;
        painter.setFont(theme.font(FontRole::Label, isSelected));
        painter.setPen(theme.colour(isSelected ? Role::Text : Role::Muted));
        painter.drawText(xBoxes[i], Qt::AlignCenter, layout.xTicks[i].text);
    }
    painter.setFont(font);
    painter.setPen(theme.colour(Role::Muted));
    if (!layout.isShort) {
        painter.drawText(QRectF(plot.left(), layout.bounds.bottom() - metrics.height(), plot.width(), metrics.height()),
            Qt::AlignHCenter | Qt::AlignBottom, titleLine(frame.x));
        painter.save();
        painter.translate(layout.bounds.left(), plot.center().y());
        painter.rotate(-90);
        painter.drawText(
            QRectF(-plot.height() / 2, 0, plot.height(), metrics.height()), Qt::AlignCenter, titleLine(frame.y));
        painter.restore();
    }

    const std::vector<QRectF> boxes = legendBoxes(frame, layout, theme);
    const double swatch = swatchWidth(theme);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const LegendEntry& entry = frame.legend[i];
        paintSwatch(
            painter, entry.swatch, QPointF(boxes[i].left() + swatch / 2, boxes[i].center().y()), swatch, entry.colour);
        painter.setPen(theme.colour(Role::Text));
        painter.setFont(font);
        painter.drawText(boxes[i].adjusted(swatch + gap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, entry.text);
    }
    painter.restore();
}

void paintSwatch(QPainter& painter, Swatch swatch, const QPointF& centre, double size, const QColor& colour)
{
    const double half = size / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    switch (swatch) {
    case Swatch::Area:
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.drawRect(QRectF(centre.x() - half, centre.y() - half * 0.75, size, size * 0.75));
        break;
    case Swatch::Line:
        painter.setPen(QPen(colour, 1.6, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(centre - QPointF(half, 0), centre + QPointF(half, 0));
        break;
    case Swatch::Dashes:
        painter.setPen(QPen(colour, 1.2, Qt::DashLine, Qt::FlatCap));
        painter.drawLine(centre - QPointF(half, 0), centre + QPointF(half, 0));
        break;
    case Swatch::Square:
        painter.drawRect(QRectF(centre.x() - half * 0.8, centre.y() - half * 0.8, size * 0.8, size * 0.8));
        break;
    case Swatch::Triangle:
        painter.drawPolygon(QPolygonF(
            {centre + QPointF(0, -half), centre + QPointF(half, half * 0.8), centre + QPointF(-half, half * 0.8)}));
        break;
    case Swatch::Diamond:
        painter.drawPolygon(QPolygonF({centre + QPointF(0, -half), centre + QPointF(half, 0), centre + QPointF(0, half),
            centre + QPointF(-half, 0)}));
        break;
    case Swatch::Disc:
        painter.drawEllipse(centre, half * 0.85, half * 0.85);
        break;
    }
    painter.restore();
}

} // namespace remat::ui
