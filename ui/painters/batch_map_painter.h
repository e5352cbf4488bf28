// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QPointF>
#include <QRectF>
#include <QString>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/plan/batch_map.h"
#include "ui/charts/chart_frame.h"

class QPainter;

namespace remat::ui {

/// What every budget costs at every batch: rows as the planner solves them, one a batch.
struct BatchMapView {
    std::vector<std::int64_t> batches; ///< rising; a row of the picture each
    std::vector<BatchMapRow> rows;     ///< in any order; batches without one are not solved yet
    std::size_t left = 0;              ///< batches that are still being solved; others without a row have none
    std::int64_t batch = 1;            ///< the person's, with their budget: a ring
    Bytes budget;

    const BatchMapRow* rowOf(std::int64_t wanted) const;
};

/// Where the map stands: budget to the right, batches from the bottom up at equal distances.
struct BatchMapLayout {
    ChartFrame frame;
    FrameLayout plot;
    double unitSize = 1.0; ///< bytes in a unit of the x axis

    double xOf(Bytes budget) const;
    double yOf(int index) const; ///< of the middle of a batch's row
    Bytes budgetAt(double x) const;
    int indexAt(double y) const;
    QRectF rowRect(int index) const;
};

/// Extra times at which contours run.
inline constexpr std::array<double, 6> kContourLevels{0.01, 0.02, 0.05, 0.10, 0.20, 0.50};

/// How much of the recompute colour a place has whose plan takes so much extra time: of the band between two contours.
double costStrength(double extraTime);

BatchMapLayout layoutBatchMap(const QRectF& rect, const BatchMapView& view, const Theme& theme);

/// The map: left of what any plan needs red hatch (over budget), then the darker in the recompute colour the more time
/// a plan takes, at the right the ground, where everything is kept.  Contours are labelled lines through the budgets
/// that buy a level.  Pure: screen, files and tests alike.
void paintBatchMap(QPainter& painter, const QRectF& rect, const BatchMapView& view, const Theme& theme);

/// The boxes of the contours' labels; none overlaps another.
std::vector<QRectF> contourLabelBoxes(const BatchMapLayout& layout, const BatchMapView& view, const Theme& theme);

/// "batch 16, 8.00 GiB: +3.4 % time", or that no plan fits and what would.
QString batchMapReadout(const BatchMapView& view, std::int64_t batch, Bytes budget);

} // namespace remat::ui
