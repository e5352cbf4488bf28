// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/painters/ruler_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/charts/axis_scale.h"
#include "ui/painters/ruler_layout.h"
#include "ui/painters/ruler_view.h"
#include "ui/theme/format.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"

namespace remat::ui {

namespace {

double largestExtraTime(const RulerView& view)
{
    return view.frontier.empty() ? 0.0 : view.frontier.front().extraTime;
}

/// The step curve as a polyline from the least feasible peak to the axis' end.  Points that share a device pixel are
/// merged, so thousands of plans cost no more than the ruler is wide.
QPolygonF frontierCurve(const RulerView& view, const RulerLayout& layout)
{
    QPolygonF curve;
    const double largest = largestExtraTime(view);
    for (const RulerPoint& point : view.frontier) {
        const double x = layout.xOf(point.peak), y = layout.yOf(point.extraTime, largest);
        // One point a pixel, and a corner only where a step is wide enough to be seen: outlines of pens cost by point.
        const double hold = curve.isEmpty() ? 0 : x - curve.last().x();
        if (curve.size() >= 2 && hold < 1) {
            curve.last().setY(y);
            continue;
        }
        if (hold >= 2)
            curve.append(QPointF(x, curve.last().y()));
        curve.append(QPointF(x, y));
    }
    if (!curve.isEmpty())
        curve.append(QPointF(layout.curve.right(), curve.last().y()));
    return curve;
}

void paintFrontier(QPainter& painter, const RulerLayout& layout, const RulerView& view, const Theme& theme)
{
    const QColor panel = theme.colour(Role::Panel);
    const double leastX = std::round(layout.xOf(view.least)), fixedX = std::round(layout.xOf(view.fixed()));
    if (leastX > fixedX)
        painter.fillRect(QRectF(QPointF(fixedX, layout.curve.top()), QPointF(leastX, layout.curve.bottom())),
            mixed(panel, theme.colour(Role::Line), 0.45));
    painter.setPen(QPen(theme.colour(Role::Line), 1.0));
    painter.drawLine(QPointF(layout.curve.left(), layout.curve.bottom() + 0.5),
        QPointF(layout.curve.right(), layout.curve.bottom() + 0.5));

    const QPolygonF curve = frontierCurve(view, layout);
    if (curve.isEmpty())
        return;
    QPolygonF shade = curve;
    shade.append(QPointF(curve.last().x(), layout.curve.bottom()));
    shade.append(QPointF(curve.first().x(), layout.curve.bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(panel, theme.colour(Role::Recompute), 0.14));
    painter.drawPolygon(shade);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.colour(Role::Recompute), 2.0));
    painter.drawPolyline(curve);

    const NumberFormat format;
    painter.setFont(theme.font(FontRole::Tick));
    painter.setPen(theme.colour(Role::Muted));
    const QFontMetricsF metrics(painter.font());
    const auto number = [&](double y, const QString& text) {
        painter.drawText(QPointF(layout.curve.left() - theme.px(8) - metrics.horizontalAdvance(text),
                             y + metrics.ascent() / 2.0 - 1.0),
            text);
    };
    number(layout.curve.top() + theme.px(3), format.percent(largestExtraTime(view)));
    number(layout.curve.bottom() - theme.px(3), QStringLiteral("0 %"));
}

struct Segment {
    Bytes size;
    QColor colour;
    QString name, shortName{};
};

std::array<Segment, 6> segmentsOf(const RulerView& view, const Theme& theme)
{
    return {{{view.weights, theme.colour(Role::Weights), QCoreApplication::translate("Ruler", "weights")},
        {view.gradients, theme.colour(Role::Gradients), QCoreApplication::translate("Ruler", "gradients")},
        {view.optimizer, theme.colour(Role::Optimizer), QCoreApplication::translate("Ruler", "optimizer")},
        {view.inputs, mixed(theme.colour(Role::Optimizer), theme.colour(Role::Panel), 0.5),
            QCoreApplication::translate("Ruler", "inputs")},
        {view.saved, theme.colour(Role::Keep), QCoreApplication::translate("Ruler", "saved activations"),
            QCoreApplication::translate("Ruler", "saved")},
        {view.working, theme.colour(Role::Peak), QCoreApplication::translate("Ruler", "working memory"),
            QCoreApplication::translate("Ruler", "working")}}};
}

/// The longest of "name  size", "name", "short name" that fits, or nothing.
QString fittingLabel(const Segment& segment, double width, const QFontMetricsF& metrics)
{
    const QString full = segment.name + QStringLiteral("  ") + NumberFormat().bytes(segment.size);
    for (const QString& text : {full, segment.name, segment.shortName})
        if (metrics.horizontalAdvance(text) + 8.0 <= width)
            return text;
    return {};
}

void paintBar(QPainter& painter, const RulerLayout& layout, const RulerView& view, const Theme& theme)
{
    painter.setFont(theme.font(FontRole::Label));
    const QFontMetricsF metrics(painter.font());
    const double middle = layout.bar.center().y();
    Bytes before{0};
    for (const Segment& segment : segmentsOf(view, theme)) {
        const double from = std::round(layout.xOf(before)), to = std::round(layout.xOf(before + segment.size));
        before += segment.size;
        if (to <= from)
            continue;
        // One panel-coloured pixel between neighbours, unless the segment is no wider itself.
        const QRectF rect(from, layout.bar.top(), to - from > 2.0 ? to - from - 1.0 : to - from, layout.bar.height());
        painter.fillRect(rect, segment.colour);
        const double shownWidth = view.fits ? rect.width() : std::min(rect.right(), layout.xOf(view.budget)) - from;
        const QString label = fittingLabel(segment, shownWidth, metrics);
        if (label.isEmpty())
            continue;
        painter.setPen(textOn(segment.colour));
        painter.drawText(QPointF(std::round(rect.left() + (shownWidth - metrics.horizontalAdvance(label)) / 2.0),
                             std::round(middle + (metrics.ascent() - metrics.descent()) / 2.0)),
            label);
    }
    const double peakX = std::round(layout.xOf(view.peak())), budgetX = std::round(layout.xOf(view.budget));
    if (!view.fits) {
        const double leastX = std::round(layout.xOf(std::max(view.least, view.peak())));
        fillHatch(painter,
            QRectF(QPointF(budgetX, layout.bar.top()), QPointF(std::max(leastX, budgetX + 1.0), layout.bar.bottom())),
            theme.colour(Role::Over), theme.colour(Role::OverTint), HatchKind::OverBudget);
    } else if (budgetX - peakX >= 3.0) {
        painter.setPen(QPen(theme.colour(Role::Line), 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(peakX + 0.5, layout.bar.top() + 0.5, budgetX - peakX - 1.0, layout.bar.height() - 1.0));
    }
}

/// The budget's value under the handle; it moves inward at the ends.
struct Tag {
    QString text;
    QRectF rect;
};

Tag budgetTag(const RulerLayout& layout, const RulerView& view, const Theme& theme)
{
    QString text = QCoreApplication::translate("Ruler", "budget %1").arg(NumberFormat().bytes(view.budget));
    if (view.budget > layout.axisEnd)
        text += QStringLiteral(" \u25b8"); // it stands beyond what the ruler shows
    const QFontMetricsF metrics(theme.font(FontRole::Label, true));
    const double width = std::ceil(metrics.horizontalAdvance(text)) + theme.px(12);
    const double height = std::ceil(metrics.height()) + theme.px(3);
    const double least = layout.axis.left() - theme.px(30);
    const double most = std::max(least, layout.axis.right() + theme.px(11) - width);
    const double left = std::clamp(std::round(layout.xOf(view.budget) - width / 2.0), least, most);
    return {text, {left, layout.axis.top() + theme.px(4), width, height}};
}

/// Tick numbers; those that the tag would cover give way.
void paintAxis(QPainter& painter, const RulerLayout& layout, const Tag& tag, const Theme& theme)
{
    painter.setFont(theme.font(FontRole::Tick));
    const QFontMetricsF metrics(painter.font());
    const double span = static_cast<double>(layout.axisEnd.value) / layout.unitSize;
    for (const double tick : ticksIn(0.0, span, layout.tickStep)) {
        const double x = std::round(layout.bar.left() + layout.bar.width() * tick / span) + 0.5;
        painter.setPen(QPen(theme.colour(Role::Muted), 1.0));
        painter.drawLine(QPointF(x, layout.axis.top() + 1.0), QPointF(x, layout.axis.top() + theme.px(4)));
        const QString text = tick == 0.0 ? QStringLiteral("0 ") + layout.unitName : tickText(tick, layout.tickStep);
        const double half = metrics.horizontalAdvance(text) / 2.0 + theme.px(3);
        if (x + half > tag.rect.left() && x - half < tag.rect.right())
            continue;
        painter.drawText(QPointF(std::round(x - metrics.horizontalAdvance(text) / 2.0),
                             layout.axis.top() + theme.px(6) + metrics.ascent()),
            text);
    }
}

/// Names of the two ends of the person's freedom.  "keep everything" ends at its tick when it would leave the ruler;
/// "least" yields its number, then moves to the left of its tick, when the two would touch.
void paintNames(QPainter& painter, const RulerLayout& layout, const RulerView& view, const Theme& theme)
{
    const NumberFormat format;
    painter.setFont(theme.font(FontRole::Tick));
    const QFontMetricsF metrics(painter.font());
    const double baseline = layout.names.top() + metrics.ascent() + 1.0;
    const double gap = theme.px(8);
    const auto tick = [&](double x) {
        painter.setPen(QPen(theme.colour(Role::Muted), 1.0, Qt::DotLine));
        painter.drawLine(QPointF(x, layout.names.bottom() - theme.px(3)), QPointF(x, layout.curve.bottom()));
    };
    const auto placed = [&](double x, double width) {
        return std::round(std::clamp(x - width / 2.0, layout.names.left(),
            std::max(layout.names.left(), layout.names.right() + theme.px(10) - width)));
    };

    const double keepX = std::round(layout.xOf(view.keepEverything)) + 0.5;
    const QString keep
        = QCoreApplication::translate("Ruler", "keep everything %1").arg(format.bytes(view.keepEverything));
    const double keepLeft = placed(keepX, metrics.horizontalAdvance(keep));
    tick(keepX);
    painter.setPen(theme.colour(Role::Muted));
    painter.drawText(QPointF(keepLeft, baseline), keep);

    if (view.least.value <= 0)
        return;
    const double leastX = std::round(layout.xOf(view.least)) + 0.5;
    tick(leastX);
    painter.setPen(theme.colour(Role::Muted));
    const QString least = QCoreApplication::translate("Ruler", "least %1").arg(format.bytes(view.least));
    const double width = metrics.horizontalAdvance(least);
    double left = placed(leastX, width);
    if (left + width + gap > keepLeft)
        left = std::max(layout.names.left(), keepLeft - gap - width);
    if (left + width + gap <= keepLeft)
        painter.drawText(QPointF(left, baseline), least);
}

void paintHandle(
    QPainter& painter, const RulerLayout& layout, const RulerView& view, const Tag& tag, const Theme& theme)
{
    const QColor colour = theme.colour(view.fits ? Role::Text : Role::Over), panel = theme.colour(Role::Panel);
    const double x = std::round(layout.xOf(view.budget));
    const double top = layout.curve.top() - theme.px(5);
    // A panel-coloured halo keeps the line apart from bar segments of its own lightness.
    painter.fillRect(QRectF(QPointF(x - 2.0, top), QPointF(x + 2.0, layout.axis.top())), panel);
    painter.fillRect(QRectF(QPointF(x - 1.0, top), QPointF(x + 1.0, layout.axis.top() + theme.px(4))), colour);

    // Where no plan reaches, the ring sits at the line's head.
    const std::optional<double> extra = extraTimeAt(view, view.budget);
    const double y = extra ? layout.yOf(*extra, largestExtraTime(view)) : layout.curve.top();
    const double radius = theme.px(5);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(colour, 2.0));
    painter.setBrush(panel);
    painter.drawEllipse(QPointF(x, y), radius, radius);

    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(tag.rect, theme.px(4), theme.px(4));
    painter.setFont(theme.font(FontRole::Label, true));
    painter.setPen(textOn(colour));
    painter.drawText(tag.rect, Qt::AlignCenter, tag.text);
}

} // namespace

void paintRuler(QPainter& painter, const QRectF& rect, const RulerView& view, const Theme& theme)
{
    if (view.keepEverything == Bytes{})
        return; // no plan yet: there is no axis to stand on
    const RulerLayout layout = layoutRuler(rect, view, theme);
    const Tag tag = budgetTag(layout, view, theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintFrontier(painter, layout, view, theme);
    paintBar(painter, layout, view, theme);
    paintAxis(painter, layout, tag, theme);
    paintNames(painter, layout, view, theme);
    paintHandle(painter, layout, view, tag, theme);
    painter.restore();
}

} // namespace remat::ui
