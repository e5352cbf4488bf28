// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/painters/batch_map_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/charts/axis_scale.h"
#include "ui/theme/hatch.h"

namespace remat::ui {

namespace {

/// The context of this file's texts, where lupdate sees it.
struct BatchMapText {
    Q_DECLARE_TR_FUNCTIONS(BatchMapText)
};

/// How much of the recompute colour a band has that costs at least so much, in the order of the contours.
constexpr double kStrength[] = {0.10, 0.17, 0.25, 0.34, 0.44, 0.56, 0.70};

/// The budget from which on a row's plans take at most `extraTime`; at 0 everything is kept, below the least peak
/// nothing fits.
Bytes edgeOf(const BatchMapRow& row, double extraTime)
{
    return row.leastBudgetFor(extraTime).value_or(row.points.back().peak);
}

/// Rows that lie next to each other and are both solved, as a list of runs of batch indices.
std::vector<std::pair<int, int>> solvedRuns(const BatchMapView& view)
{
    std::vector<std::pair<int, int>> runs;
    for (int i = 0; i < static_cast<int>(view.batches.size()); ++i) {
        if (!view.rowOf(view.batches[static_cast<std::size_t>(i)]))
            continue;
        if (!runs.empty() && runs.back().second == i - 1)
            runs.back().second = i;
        else
            runs.emplace_back(i, i);
    }
    return runs;
}

/// The line through the edges of a run's rows, from its first row's foot to its last row's head.
QPolygonF edgeLine(const BatchMapLayout& layout, const BatchMapView& view, std::pair<int, int> run, double extraTime)
{
    QPolygonF line;
    const auto at = [&](int index) {
        const BatchMapRow* row = view.rowOf(view.batches[static_cast<std::size_t>(index)]);
        return std::clamp(layout.xOf(extraTime < 0 ? row->leastPeak() : edgeOf(*row, extraTime)),
            layout.plot.plot.left(), layout.plot.plot.right());
    };
    line << QPointF(at(run.first), layout.rowRect(run.first).bottom());
    for (int index = run.first; index <= run.second; ++index)
        line << QPointF(at(index), layout.yOf(index));
    line << QPointF(at(run.second), layout.rowRect(run.second).top());
    return line;
}

constexpr double kLeastPeak = -1; ///< as the level of edgeLine(): where plans begin

/// The area between two edges of one run.
QPolygonF between(QPolygonF left, const QPolygonF& right)
{
    for (auto point = right.rbegin(); point != right.rend(); ++point)
        left << *point;
    return left;
}

void paintBands(QPainter& painter, const BatchMapLayout& layout, const BatchMapView& view, const Theme& theme)
{
    const QColor panel = theme.colour(Role::Panel), recompute = theme.colour(Role::Recompute);
    for (const auto& run : solvedRuns(view)) {
        // From the dearest to the cheapest, each over what is left of it.
        std::vector<double> edges(kContourLevels.rbegin(), kContourLevels.rend());
        edges.push_back(0.0);
        QPolygonF left = edgeLine(layout, view, run, kLeastPeak);
        const QRectF area(QPointF(layout.plot.plot.left(), layout.rowRect(run.second).top()),
            QPointF(layout.plot.plot.right(), layout.rowRect(run.first).bottom()));
        QPainterPath infeasible;
        infeasible.addPolygon(between(left, {area.bottomLeft(), area.topLeft()}));
        painter.save();
        painter.setClipPath(infeasible, Qt::IntersectClip);
        fillHatch(painter, area, theme.colour(Role::Over), theme.colour(Role::OverTint), HatchKind::OverBudget);
        painter.restore();
        painter.setPen(Qt::NoPen);
        for (std::size_t i = 0; i < edges.size(); ++i) {
            const QPolygonF right = edgeLine(layout, view, run, edges[i]);
            painter.setBrush(mixed(panel, recompute, kStrength[edges.size() - 1 - i]));
            painter.drawPolygon(between(left, right));
            left = right;
        }
    }
}

/// Where a contour can be labelled: the middles of its rows that lie inside the plot, from the top down, because
/// contours spread with the batch.
std::vector<QPointF> anchorsOf(const BatchMapLayout& layout, const BatchMapView& view, double level)
{
    std::vector<QPointF> anchors;
    for (int index = static_cast<int>(view.batches.size()) - 1; index >= 0; --index) {
        const BatchMapRow* row = view.rowOf(view.batches[static_cast<std::size_t>(index)]);
        // A level that even the least memory does not reach has no contour here.
        if (row && row->points.front().extraTime > level)
            anchors.emplace_back(layout.xOf(edgeOf(*row, level)), layout.yOf(index));
    }
    return anchors;
}

/// The person's ring, which no label may cover; empty where their batch has no row.
QRectF personRect(const BatchMapLayout& layout, const BatchMapView& view, const Theme& theme)
{
    const auto found = std::find(view.batches.begin(), view.batches.end(), view.batch);
    if (found == view.batches.end())
        return {};
    const QPointF at(std::min(layout.xOf(view.budget), layout.plot.plot.right()),
        layout.yOf(static_cast<int>(found - view.batches.begin())));
    const double reach = theme.px(7);
    return {at - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach)};
}

struct ContourLabel {
    QString text;
    QRectF box;
};

std::vector<ContourLabel> placeContourLabels(const BatchMapLayout& layout, const BatchMapView& view, const Theme& theme)
{
    const QFontMetricsF metrics(theme.font(FontRole::Tick));
    std::vector<ContourLabel> labels;
    std::vector<QRectF> taken{personRect(layout, view, theme)};
    // The dearest first: they have the most room.
    for (auto level = kContourLevels.rbegin(); level != kContourLevels.rend(); ++level) {
        const QString text = NumberFormat().percent(*level);
        const QSizeF size(metrics.horizontalAdvance(text) + theme.px(4), metrics.height());
        for (const QPointF& anchor : anchorsOf(layout, view, *level)) {
            // On its line, so that there is no doubt whose it is.
            const QRectF box(anchor - QPointF(size.width() / 2, size.height() / 2), size);
            const bool isFree = layout.plot.plot.contains(box)
                && std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(box); });
            if (!isFree)
                continue;
            labels.push_back({text, box});
            taken.push_back(box.adjusted(-1, -1, 1, 1));
            break;
        }
    }
    return labels;
}

void paintContours(QPainter& painter, const BatchMapLayout& layout, const BatchMapView& view, const Theme& theme)
{
    painter.setBrush(Qt::NoBrush);
    for (const auto& run : solvedRuns(view)) {
        painter.setPen(QPen(theme.colour(Role::Recompute), 1.0));
        for (const double level : kContourLevels)
            painter.drawPolyline(edgeLine(layout, view, run, level));
        painter.setPen(QPen(theme.colour(Role::Over), 1.6));
        painter.drawPolyline(edgeLine(layout, view, run, kLeastPeak));
        painter.setPen(QPen(theme.colour(Role::Muted), 1.2, Qt::DashLine));
        painter.drawPolyline(edgeLine(layout, view, run, 0.0));
    }
    painter.setFont(theme.font(FontRole::Tick));
    for (const ContourLabel& label : placeContourLabels(layout, view, theme)) {
        QColor ground = theme.colour(Role::Panel);
        ground.setAlphaF(0.85F);
        painter.fillRect(label.box, ground);
        painter.setPen(theme.colour(Role::Text));
        painter.drawText(label.box, Qt::AlignCenter, label.text);
    }
}

void paintPerson(QPainter& painter, const BatchMapLayout& layout, const BatchMapView& view, const Theme& theme)
{
    const QRectF ring = personRect(layout, view, theme);
    if (ring.isEmpty())
        return;
    const QRectF& plot = layout.plot.plot;
    const double x = ring.center().x(), y = ring.center().y();
    painter.setPen(QPen(theme.colour(Role::Text), 1, Qt::DotLine));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    painter.setBrush(theme.colour(Role::Text));
    painter.setPen(QPen(theme.colour(Role::Panel), 2));
    painter.drawEllipse(QPointF(x, y), theme.px(5), theme.px(5));
}

} // namespace

const BatchMapRow* BatchMapView::rowOf(std::int64_t wanted) const
{
    const auto found
        = std::find_if(rows.begin(), rows.end(), [&](const BatchMapRow& row) { return row.batch == wanted; });
    return found == rows.end() ? nullptr : &*found;
}

double BatchMapLayout::xOf(Bytes budget) const
{
    return plot.toScene(frame, static_cast<double>(budget.value) / unitSize, 0).x();
}

double BatchMapLayout::yOf(int index) const
{
    return plot.toScene(frame, 0, index + 0.5).y();
}

Bytes BatchMapLayout::budgetAt(double x) const
{
    return {std::llround(std::max(0.0, plot.xAt(frame, x)) * unitSize)};
}

int BatchMapLayout::indexAt(double y) const
{
    const int last = static_cast<int>(frame.y.maximum) - 1;
    return std::clamp(static_cast<int>(std::floor(plot.yAt(frame, y))), 0, std::max(0, last));
}

QRectF BatchMapLayout::rowRect(int index) const
{
    const double top = plot.toScene(frame, 0, index + 1).y(), bottom = plot.toScene(frame, 0, index).y();
    return {plot.plot.left(), top, plot.plot.width(), bottom - top};
}

double costStrength(double extraTime)
{
    const auto band = std::lower_bound(kContourLevels.begin(), kContourLevels.end(), extraTime);
    return extraTime <= 0 ? 0.0 : kStrength[band - kContourLevels.begin()];
}

BatchMapLayout layoutBatchMap(const QRectF& rect, const BatchMapView& view, const Theme& theme)
{
    // To the right end of what the person could want at the batch after theirs; larger ones run out of the picture.
    Bytes most = view.budget;
    for (const BatchMapRow& row : view.rows)
        if (row.batch <= 2 * view.batch)
            most = std::max(most, row.points.back().peak);
    most = {static_cast<std::int64_t>(static_cast<double>(std::max<std::int64_t>(most.value, 1)) * 1.04)};
    const ColumnUnit unit = columnUnit(most);
    BatchMapLayout layout;
    layout.unitSize = unit.size;
    layout.frame.x = {0, static_cast<double>(most.value) / unit.size, BatchMapText::tr("budget"), unit.name};
    std::vector<AxisTick> ticks;
    for (std::size_t i = 0; i < view.batches.size(); ++i)
        ticks.push_back({static_cast<double>(i) + 0.5, QString::number(view.batches[i]),
            view.batches[i] == view.batch ? TickRank::Selected : TickRank::Plain});
    layout.frame.y = {0, std::max<double>(1, static_cast<double>(view.batches.size())), BatchMapText::tr("batch"),
        QString(), ticks, false};
    layout.frame.x.hasGrid = false;
    layout.plot = layoutFrame(layout.frame, rect, theme);
    return layout;
}

std::vector<QRectF> contourLabelBoxes(const BatchMapLayout& layout, const BatchMapView& view, const Theme& theme)
{
    std::vector<QRectF> boxes;
    for (const ContourLabel& label : placeContourLabels(layout, view, theme))
        boxes.push_back(label.box);
    return boxes;
}

void paintBatchMap(QPainter& painter, const QRectF& rect, const BatchMapView& view, const Theme& theme)
{
    if (view.batches.empty())
        return;
    const BatchMapLayout layout = layoutBatchMap(rect, view, theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintFrameGround(painter, layout.frame, layout.plot, theme);
    painter.save();
    painter.setClipRect(layout.plot.plot, Qt::IntersectClip);
    paintBands(painter, layout, view, theme);
    paintContours(painter, layout, view, theme);
    paintPerson(painter, layout, view, theme);
    painter.restore();
    paintFrameTexts(painter, layout.frame, layout.plot, theme);
    painter.restore();
}

QString batchMapReadout(const BatchMapView& view, std::int64_t batch, Bytes budget)
{
    const NumberFormat format;
    const QString place = BatchMapText::tr("batch %1, %2").arg(batch).arg(format.bytes(budget));
    const BatchMapRow* row = view.rowOf(batch);
    if (!row)
        return BatchMapText::tr("%1: not solved yet").arg(place);
    if (const std::optional<double> extra = row->extraTimeAt(budget))
        return BatchMapText::tr("%1: %2 time").arg(place, format.percent(*extra));
    return BatchMapText::tr("%1: no plan fits; the least is %2").arg(place, format.bytes(row->leastPeak()));
}

} // namespace remat::ui
