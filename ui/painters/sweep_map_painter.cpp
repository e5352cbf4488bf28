// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/painters/sweep_map_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/painters/batch_map_painter.h"
#include "ui/theme/format.h"
#include "ui/theme/hatch.h"

namespace remat::ui {

namespace {

/// The context of this file's texts, where lupdate sees it.
struct SweepMapText {
    Q_DECLARE_TR_FUNCTIONS(SweepMapText)
};

constexpr double kGapFrom = 12; ///< cells at least so wide or high have a gap around them

ChartAxis axisOf(const QString& title, const QStringList& values)
{
    std::vector<AxisTick> ticks;
    for (qsizetype i = 0; i < values.size(); ++i)
        ticks.push_back({static_cast<double>(i) + 0.5, values[i].isEmpty() ? QStringLiteral("\u2013") : values[i],
            i == 0 || i == values.size() - 1 ? TickRank::End : TickRank::Plain});
    return {0, std::max<double>(1, static_cast<double>(values.size())), title, QString(), ticks, false};
}

/// What a cell has room for.
QString labelOf(const SweepPoint& point)
{
    const NumberFormat format;
    if (point.fits)
        return point.extraTime ? format.percent(*point.extraTime) : QString();
    if (!point.problem.empty())
        return QStringLiteral("\u2013");
    return point.leastBudget ? QStringLiteral("\u2265 ") + format.bytes(*point.leastBudget) : QString();
}

void paintCell(QPainter& painter, const QRectF& cell, const SweepPoint& point, const Theme& theme)
{
    const double gap = std::min(cell.width(), cell.height()) >= theme.px(kGapFrom) ? 1.0 : 0.0;
    const QRectF rect = cell.adjusted(gap, gap, -gap, -gap);
    const QColor panel = theme.colour(Role::Panel);
    QColor ground = panel;
    if (point.fits) {
        ground = mixed(panel, theme.colour(Role::Recompute), costStrength(point.extraTime.value_or(0)));
        painter.fillRect(rect, ground);
    } else if (point.problem.empty()) {
        ground = theme.colour(Role::OverTint);
        fillHatch(painter, rect, theme.colour(Role::Over), ground, HatchKind::OverBudget);
    }
    if (gap > 0) {
        painter.setPen(QPen(theme.colour(Role::Line), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect);
    }
    const QString label = labelOf(point);
    const QFontMetricsF metrics(theme.font(FontRole::Tick));
    const QSizeF size(metrics.horizontalAdvance(label) + theme.px(4), metrics.height());
    if (label.isEmpty() || size.width() > rect.width() || size.height() > rect.height())
        return;
    const QRectF box(rect.center() - QPointF(size.width() / 2, size.height() / 2), size);
    if (!point.fits && point.problem.empty()) // a number on hatch is no number
        painter.fillRect(box, panel);
    const bool isPlain = !point.fits || point.extraTime.value_or(0) <= 0;
    painter.setPen(isPlain ? theme.colour(point.problem.empty() ? Role::Text : Role::Muted) : textOn(ground));
    painter.drawText(box, Qt::AlignCenter, label);
}

} // namespace

const SweepPoint* SweepMapView::at(QPoint cell) const
{
    if (cell.x() < 0 || cell.y() < 0 || cell.x() >= xValues.size() || cell.y() >= yValues.size())
        return nullptr;
    const auto& found = cells[static_cast<std::size_t>(cell.y() * xValues.size() + cell.x())];
    return found ? &*found : nullptr;
}

QRectF SweepMapLayout::cellRect(QPoint cell) const
{
    return QRectF(plot.toScene(frame, cell.x(), cell.y() + 1), plot.toScene(frame, cell.x() + 1, cell.y()));
}

std::optional<QPoint> SweepMapLayout::cellAt(QPointF point) const
{
    if (!plot.plot.contains(point))
        return std::nullopt;
    return QPoint(static_cast<int>(std::min(std::floor(plot.xAt(frame, point.x())), frame.x.maximum - 1)),
        static_cast<int>(std::min(std::floor(plot.yAt(frame, point.y())), frame.y.maximum - 1)));
}

SweepMapLayout layoutSweepMap(const QRectF& rect, const SweepMapView& view, const Theme& theme)
{
    SweepMapLayout layout;
    layout.frame.x = axisOf(view.xTitle, view.xValues);
    layout.frame.y = axisOf(view.yTitle, view.yValues);
    layout.plot = layoutFrame(layout.frame, rect, theme);
    return layout;
}

void paintSweepMap(QPainter& painter, const QRectF& rect, const SweepMapView& view, const Theme& theme)
{
    if (view.isEmpty())
        return;
    const SweepMapLayout layout = layoutSweepMap(rect, view, theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintFrameGround(painter, layout.frame, layout.plot, theme);
    painter.setFont(theme.font(FontRole::Tick));
    for (int y = 0; y < view.yValues.size(); ++y)
        for (int x = 0; x < view.xValues.size(); ++x)
            if (const SweepPoint* point = view.at({x, y}))
                paintCell(painter, layout.cellRect({x, y}), *point, theme);
    paintFrameTexts(painter, layout.frame, layout.plot, theme);
    painter.restore();
}

QString sweepReadout(const SweepPoint& point)
{
    const NumberFormat format;
    if (!point.problem.empty())
        return SweepMapText::tr("no step to plan: %1").arg(QString::fromStdString(point.problem));
    QStringList parts;
    if (!point.fits)
        parts << (point.leastBudget
                ? SweepMapText::tr("does not fit; the least is %1").arg(format.bytes(*point.leastBudget))
                : SweepMapText::tr("does not fit"));
    if (point.extraTime)
        parts << SweepMapText::tr("%1 time").arg(format.percent(*point.extraTime));
    if (point.peak)
        parts << SweepMapText::tr("peak %1").arg(format.bytes(*point.peak));
    if (point.step)
        parts << SweepMapText::tr("step %1").arg(format.duration(*point.step));
    if (point.samplesPerSecond)
        parts << SweepMapText::tr("%1 samples/s").arg(format.number(*point.samplesPerSecond));
    return parts.join(QStringLiteral(", "));
}

} // namespace remat::ui
