// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QRectF>
#include <QString>
#include <vector>

#include "core/base/units.h"

namespace remat::ui {

class Theme;
struct RulerView;

/// Where everything of the ruler stands, for painting and for the mouse.  One GiB axis runs under curve and bar:
///   names     "least", "keep everything"
///   curve     least extra time per budget
///   bar       what stands in memory at the peak
///   axis      ticks and the budget's tag
struct RulerLayout {
    QRectF names, curve, bar, axis;
    Bytes axisEnd;         ///< 1.06 times keep everything
    double unitSize = 1.0; ///< bytes of one axis unit
    QString unitName;
    double tickStep = 1.0; ///< in axis units

    /// Linear over the axis; a budget beyond its end stands at the end.
    double xOf(Bytes budget) const;
    /// The budget under a pixel, between 0 and the axis' end.  budgetAt(xOf(b)) is b to within half a device pixel.
    Bytes budgetAt(double x) const;
    /// Pixel height of an extra time on the curve.
    double yOf(double extraTime, double largestExtraTime) const;
};

/// The ruler's natural height: 98 px for a 12 px base font.
double rulerHeight(const Theme& theme);

RulerLayout layoutRuler(const QRectF& rect, const RulerView& view, const Theme& theme);

} // namespace remat::ui
