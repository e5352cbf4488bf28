// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>
#include <vector>

#include <QColor>
#include <QRectF>
#include <QString>

#include "ui/theme/theme.h"

class QPainter;

namespace remat::ui {

/// Who gives way when tick texts meet: Plain first; Selected is also bold.
enum class TickRank { Plain, End, Selected };

struct AxisTick {
    double at = 0; ///< In axis units.
    QString text;  ///< Empty: a grid line without a label.
    TickRank rank = TickRank::Plain;
};

/// One axis: what it spans, in which unit, and where it is labelled.
struct ChartAxis {
    double minimum = 0;
    double maximum = 1;
    QString title; ///< "step time"
    QString unit;  ///< "ms"; empty where the title says all.
    /// Ticks chosen by the chart (layer numbers); without them the frame takes 1, 2, 5 steps by the room there is.
    std::optional<std::vector<AxisTick>> ticks = {};
    bool hasGrid = true;
};

/// How a legend entry shows what it names.
enum class Swatch { Area, Line, Dashes, Square, Triangle, Diamond, Disc };

struct LegendEntry {
    QString text;
    Swatch swatch = Swatch::Area;
    QColor colour;
    /// Where on the y axis the thing ends: the label stands there, as near as its neighbours allow.
    double at = 0;
};

/// Everything around the data of a chart: grid, ticks, titles and labels at the right.  A plain value, painted by the
/// two functions below on any device.
///
/// The module's own axis labels are elided to "..." when they are many, and its legend costs a fifth of the height; so
/// the module draws series only and this draws the rest.
struct ChartFrame {
    ChartAxis x;
    ChartAxis y;
    std::vector<LegendEntry> legend; ///< Labels at the right, each at its own height.
};

/// Where the parts of a frame lie.
struct FrameLayout {
    QRectF bounds;
    QRectF plot;
    double legendLeft = 0;
    bool hasLegend = false;
    /// Plots lower than 120 px have no room for axis titles: the unit moves to the last tick.
    bool isShort = false;
    std::vector<AxisTick> xTicks;
    std::vector<AxisTick> yTicks;

    QPointF toScene(const ChartFrame& frame, double x, double y) const;
    double xAt(const ChartFrame& frame, double sceneX) const;
    double yAt(const ChartFrame& frame, double sceneY) const;
};

FrameLayout layoutFrame(const ChartFrame& frame, const QRectF& bounds, const Theme& theme);

/// Grid lines and the base line: under the data.
void paintFrameGround(QPainter& painter, const ChartFrame& frame, const FrameLayout& layout, const Theme& theme);

/// Tick texts, titles and the legend: beside the data.
void paintFrameTexts(QPainter& painter, const ChartFrame& frame, const FrameLayout& layout, const Theme& theme);

/// The boxes of the x axis' texts in the order of the ticks; empty boxes for those that gave way to a neighbour.
std::vector<QRectF> xTickBoxes(const ChartFrame& frame, const FrameLayout& layout, const Theme& theme);

/// The legend's boxes in the order of its entries; none overlaps another.
std::vector<QRectF> legendBoxes(const ChartFrame& frame, const FrameLayout& layout, const Theme& theme);

/// One swatch centred at a point, as the legend and the markers of a chart draw it.
void paintSwatch(QPainter& painter, Swatch swatch, const QPointF& centre, double size, const QColor& colour);

} // namespace remat::ui
