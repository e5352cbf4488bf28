// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/painters/grid_frame.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "ui/painters/grid_cells.h"
#include "ui/painters/grid_layout.h"
#include "ui/theme/format.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"

namespace remat::ui {

namespace {

double baselineIn(const QRectF& rect, const QFontMetricsF& metrics)
{
    return std::round(rect.center().y() + (metrics.ascent() - metrics.descent()) / 2.0);
}

void drawRight(QPainter& painter, double right, double baseline, const QString& text, const QFontMetricsF& metrics)
{
    painter.drawText(QPointF(std::round(right - metrics.horizontalAdvance(text)), baseline), text);
}

/// The unit of the largest row, so that small rows keep their digits; of the total where that would pass four digits.
template <class Quantity> ColumnUnit unitOf(Quantity largestRow, Quantity total)
{
    const ColumnUnit unit = columnUnit(largestRow);
    return static_cast<double>(total.value) / unit.size < 9999.5 ? unit : columnUnit(total);
}

ColumnUnit bytesUnit(const GridView& view)
{
    Bytes largest;
    for (const GridRow& row : view.rows)
        largest = std::max(largest, row.all);
    return unitOf(largest, view.total.all);
}

ColumnUnit flopsUnit(const GridView& view)
{
    Flops largest;
    for (const GridRow& row : view.rows)
        largest = std::max(largest, row.flops);
    return unitOf(largest, view.total.flops);
}

/// "kept / all" and "work + again", each number right-aligned to its own edge.
struct NumberPainter {
    QPainter& painter;
    const GridLayout& layout;
    ColumnUnit bytes, flops;
    QFontMetricsF metrics;
    NumberFormat format{};

    void paint(const GridRow& row, double baseline) const
    {
        drawRight(painter, layout.keptRight, baseline, format.bytesIn(row.kept, bytes.size), metrics);
        painter.drawText(QPointF(layout.keptRight, baseline), QStringLiteral(" / "));
        drawRight(painter, layout.allRight, baseline, format.bytesIn(row.all, bytes.size), metrics);
        if (!layout.showsWork)
            return;
        drawRight(painter, layout.workRight, baseline, format.flopsIn(row.flops, flops.size), metrics);
        if (row.recomputedFlops.value == 0)
            return;
        painter.drawText(QPointF(layout.workRight, baseline), QStringLiteral(" + "));
        drawRight(painter, layout.againRight, baseline,
            format.flopsIn(row.recomputedFlops, flops.size) + gridAgainSign(), metrics);
    }
};

void paintTriangle(QPainter& painter, const QRectF& area, bool isOpen, const Theme& theme)
{
    const double half = theme.px(4);
    const QPointF centre(std::round(area.left() + half + 1.0), std::round(area.center().y()));
    QPolygonF triangle;
    if (isOpen)
        triangle << centre + QPointF(-half, -half / 2) << centre + QPointF(half, -half / 2)
                 << centre + QPointF(0, half / 1.4);
    else
        triangle << centre + QPointF(-half / 2, -half) << centre + QPointF(-half / 2, half)
                 << centre + QPointF(half / 1.4, 0);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.colour(Role::Muted));
    painter.drawPolygon(triangle);
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QString metricNote(GridMetric metric)
{
    switch (metric) {
    case GridMetric::Bytes:
        return QCoreApplication::translate("Grid", "row height follows bytes");
    case GridMetric::Flops:
        return QCoreApplication::translate("Grid", "fill: FLOPs of a layer; row height follows bytes");
    case GridMetric::RecomputeTime:
        return QCoreApplication::translate("Grid", "fill: time to recompute; row height follows bytes");
    case GridMetric::BytesPerMicrosecond:
        return QCoreApplication::translate("Grid", "fill: bytes freed per µs; row height follows bytes");
    }
    return {};
}

} // namespace

QString gridTotalName()
{
    return QCoreApplication::translate("Grid", "whole step");
}

QString gridAgainSign()
{
    return QStringLiteral(" \u21BB");
}

QString gridBytesHeader(const GridView& view)
{
    return QCoreApplication::translate("Grid", "kept / all, %1").arg(bytesUnit(view).name);
}

QString gridWorkHeader(const GridView& view)
{
    return QCoreApplication::translate("Grid", "work, %1").arg(flopsUnit(view).name);
}

void paintGridHeader(QPainter& painter, const GridLayout& layout, const GridView& view, int selectedColumn,
    const Theme& theme, const QRectF& covered)
{
    const QFont font = theme.font(FontRole::Label);
    const QFontMetricsF metrics(font);
    const double baseline = baselineIn(layout.header, metrics);
    painter.setFont(font);
    painter.setPen(theme.colour(Role::Muted));
    const std::vector<GridLabel> labels = placeColumnLabels(layout, view, selectedColumn, theme);
    const QString name = QCoreApplication::translate("Grid", "layer");
    double firstLabel = layout.allRight;
    for (const GridLabel& label : labels)
        firstLabel = std::min(firstLabel, label.rect.left());
    if (layout.labelLeft + metrics.horizontalAdvance(name) < firstLabel)
        painter.drawText(QPointF(layout.labelLeft, baseline), name);
    drawRight(painter, layout.allRight, baseline, gridBytesHeader(view), metrics);
    if (layout.showsWork)
        drawRight(painter, layout.againRight, baseline, gridWorkHeader(view), metrics);
    for (const GridLabel& label : labels) {
        if (label.rect.intersects(covered))
            continue;
        painter.setFont(theme.font(FontRole::Label, label.isSelected));
        painter.setPen(theme.colour(label.isSelected ? Role::Text : Role::Muted));
        painter.drawText(QPointF(label.rect.left(), baseline), label.text);
    }
}

void paintGridRowTexts(
    QPainter& painter, const GridLayout& layout, const GridView& view, const Theme& theme, const QRectF& exposed)
{
    const QFont font = theme.font(FontRole::Text);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const NumberPainter numbers{painter, layout, bytesUnit(view), flopsUnit(view), metrics};
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
        const GridRowBox& box = layout.rows[i];
        const QRectF area(layout.labelLeft, layout.topOf(box), layout.againRight - layout.labelLeft, box.height);
        if (!area.intersects(exposed) || area.bottom() < layout.viewport.top() || area.top() > layout.viewport.bottom())
            continue;
        const GridRow& row = view.rows[static_cast<std::size_t>(box.row)];
        if (row.canOpen)
            paintTriangle(painter, layout.triangleRect(static_cast<int>(i), theme), row.isOpen, theme);
        const QRectF text = area.adjusted(0, 0, 0, -layout.rowGap);
        const double baseline = baselineIn(text, metrics);
        painter.setPen(theme.colour(row.isTensor() ? Role::Muted : Role::Text));
        const double left = layout.labelLeft + theme.px(14) + (row.isTensor() ? theme.px(12) : 0.0);
        painter.drawText(
            QPointF(left, baseline), metrics.elidedText(row.label, Qt::ElideRight, layout.labelRight - left + 1.0));
        numbers.paint(row, baseline);
    }
}

void paintGridFooter(QPainter& painter, const GridLayout& layout, const GridView& view, const Theme& theme)
{
    const double left = layout.labelLeft + theme.px(14);
    const auto paintSum = [&](const QRectF& line, const GridRow& row, const QString& name, bool isBold) {
        const QFont font = theme.font(FontRole::Text, isBold);
        const QFontMetricsF metrics(font);
        const double baseline = baselineIn(line, metrics);
        painter.setFont(font);
        painter.setPen(theme.colour(Role::Text));
        painter.drawText(
            QPointF(left, baseline), metrics.elidedText(name, Qt::ElideRight, layout.labelRight - left + 1.0));
        NumberPainter{painter, layout, bytesUnit(view), flopsUnit(view), metrics}.paint(row, baseline);
    };
    QRectF line = layout.footer;
    if (layout.showsEnds) {
        line.setBottom(line.center().y());
        paintSum(line, view.ends, view.ends.label, false);
        line.translate(0.0, line.height());
    }
    painter.setPen(QPen(theme.colour(Role::Line), 1.0));
    painter.drawLine(QPointF(line.left(), line.top() + 0.5), QPointF(line.right(), line.top() + 0.5));
    paintSum(line, view.total, gridTotalName(), true);
}

void paintGridLegend(QPainter& painter, const GridLayout& layout, const GridView& view, const Theme& theme)
{
    const QFont font = theme.font(FontRole::Label);
    const QFontMetricsF metrics(font);
    const double baseline = baselineIn(layout.legend, metrics);
    const double width = theme.px(16), height = theme.px(11);
    painter.setFont(font);
    const QString note = metricNote(view.metric);
    const double noteLeft = layout.legend.right() - metrics.horizontalAdvance(note);
    double x = layout.labelRight + theme.px(8);
    const double middle = std::round(layout.legend.center().y());

    enum class Sign { Kept, Work, Recomputed, Pinned, Peak };
    const auto entry = [&](Sign sign, const QString& text) {
        const double advance = width + theme.px(5) + metrics.horizontalAdvance(text);
        if (x + advance > layout.legend.right())
            return;
        const QRectF swatch(x, middle - std::round(height / 2), width, height);
        switch (sign) {
        case Sign::Kept:
            painter.fillRect(swatch, theme.colour(Role::Keep));
            break;
        case Sign::Work:
            painter.fillRect(swatch, plainWorkColour(theme));
            break;
        case Sign::Recomputed:
            fillHatch(painter, swatch, theme.colour(Role::Recompute), theme.colour(Role::RecomputeTint));
            break;
        case Sign::Pinned:
            painter.setRenderHint(QPainter::Antialiasing, true);
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.colour(Role::Text));
            painter.drawEllipse(swatch.center(), theme.px(7) / 2, theme.px(7) / 2);
            painter.setBrush(Qt::NoBrush);
            painter.setRenderHint(QPainter::Antialiasing, false);
            break;
        case Sign::Peak:
            painter.setPen(QPen(theme.colour(Role::Peak), 2.0));
            painter.drawRect(swatch.adjusted(2, 0, -2, 0).adjusted(1, 1, -1, -1));
            break;
        }
        painter.setPen(theme.colour(Role::Muted));
        painter.drawText(QPointF(x + width + theme.px(5), baseline), text);
        x += advance + theme.px(16);
    };
    if (view.metric == GridMetric::Flops)
        entry(Sign::Work, QCoreApplication::translate("Grid", "forward + backward"));
    else
        entry(Sign::Kept, QCoreApplication::translate("Grid", "kept"));
    entry(Sign::Recomputed, QCoreApplication::translate("Grid", "recomputed"));
    entry(Sign::Pinned, QCoreApplication::translate("Grid", "pinned by you"));
    entry(Sign::Peak, QCoreApplication::translate("Grid", "sets the peak"));
    if (x <= noteLeft) {
        painter.setPen(theme.colour(Role::Muted));
        painter.drawText(QPointF(std::round(noteLeft), baseline), note);
    }
}

} // namespace remat::ui
