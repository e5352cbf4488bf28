// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/painters/ruler_layout.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/painters/ruler_view.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace remat::ui {

namespace {

constexpr double kAxisOverKeepEverything = 1.06;
/// Ticks closer than this (12 px base font) would put their numbers on top of each other.
constexpr double kLeastTickDistance = 60.0;

} // namespace

double RulerLayout::xOf(Bytes budget) const
{
    return bar.left() + bar.width() * std::clamp(ratio(budget, axisEnd), 0.0, 1.0);
}

Bytes RulerLayout::budgetAt(double x) const
{
    const double share = bar.width() > 0.0 ? (x - bar.left()) / bar.width() : 0.0;
    return {std::llround(std::clamp(share, 0.0, 1.0) * static_cast<double>(axisEnd.value))};
}

double RulerLayout::yOf(double extraTime, double largestExtraTime) const
{
    const double share = largestExtraTime > 0.0 ? extraTime / largestExtraTime : 0.0;
    return curve.bottom() - curve.height() * std::clamp(share, 0.0, 1.0);
}

double rulerHeight(const Theme& theme)
{
    return theme.px(98);
}

RulerLayout layoutRuler(const QRectF& rect, const RulerView& view, const Theme& theme)
{
    RulerLayout layout;
    const double largest
        = kAxisOverKeepEverything * static_cast<double>(std::max({view.keepEverything, view.least, view.peak()}).value);
    layout.axisEnd = {std::max<std::int64_t>(1, std::llround(largest))};

    // The left margin holds the curve's numbers, the right one half of the last tick's.
    const QFontMetricsF ticks(theme.font(FontRole::Tick));
    const double left = std::ceil(rect.left() + ticks.horizontalAdvance(QStringLiteral("+100 %")) + theme.px(8));
    const double width = std::max(1.0, std::floor(rect.right() - theme.px(12) - left));
    double top = rect.top();
    const auto band = [&](double height) {
        const QRectF taken(left, top, width, height);
        top += height;
        return taken;
    };
    layout.names = band(theme.px(17));
    top += theme.px(4); // the handle's ring may stand on the curve's highest point
    layout.curve = band(theme.px(33));
    top += theme.px(4);
    layout.bar = band(theme.px(18));
    layout.axis = QRectF(left, top, width, std::max(0.0, rect.bottom() - top));

    const ColumnUnit unit = columnUnit(layout.axisEnd);
    layout.unitSize = unit.size;
    layout.unitName = unit.name;
    const double span = static_cast<double>(layout.axisEnd.value) / unit.size;
    layout.tickStep = niceStepAtLeast(span * theme.px(kLeastTickDistance) / width);
    return layout;
}

} // namespace remat::ui
