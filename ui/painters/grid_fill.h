// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include "ui/painters/grid_view.h"

namespace remat::ui {

/// How a cell is filled, from below: solid, then hatch, then nothing; shares of its height.
struct GridFill {
    double solid = 0.0;
    double hatch = 0.0;
    /// Solid means work that is done anyway and not something kept: drawn in the muted colour.
    bool isPlainWork = false;
    bool operator==(const GridFill&) const = default;
};

/// The largest value of a metric over all cells and layers; every bar of that metric is drawn relative to it.
///   Bytes                no scale: each cell shows its own kept share
///   Flops                forward + backward + recomputed FLOPs of a layer
///   RecomputeTime        ns to make the whole cell again
///   BytesPerMicrosecond  bytes freed per us of recomputing
struct GridScale {
    double largest = 0.0;
    bool operator==(const GridScale&) const = default;
};
GridScale gridScale(const GridView& view);

/// The fill under the view's metric.  Solid is what is kept (or, for FLOPs, what every plan does), hatch what is
/// recomputed; a cell's height is its metric over the largest.  `layers` is how many layers the cell sums.
GridFill gridFill(const GridCell& cell, int layers, GridMetric metric, const GridScale& scale);

} // namespace remat::ui
