// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include <QList>
#include <QPointF>

namespace remat::ui {

/// A step function as a charts module wants it: corner points, and never more of them than a screen can show.
///
/// Qt Charts lays out every point on every change (10,000 points: 8.5 ms), so long curves are thinned first by the M4
/// rule (Jugel et al., "M4: A Visualization-Oriented Time Series Data Aggregation", VLDB 2014): of every bucket of
/// equal width keep the first, the last, the lowest and the highest point.  A line drawn through them covers the same
/// pixels as the full line whenever a bucket is at most one pixel wide, and the highest point of all survives by
/// construction. O(n).

/// Thins points that ascend in x to at most `limit` (at least 4); short input is returned as it is.
std::vector<QPointF> thinCurve(std::span<const QPointF> points, std::size_t limit);

/// The part of a step function that a window [from, to] shows: the points inside, and the last one before it moved to
/// `from`, so that the line enters from the left edge.
std::vector<QPointF> clipSteps(std::span<const QPointF> points, double from, double to);

/// Corner points of "the value holds until the next point": (x0,y0) (x1,y0) (x1,y1) ... (end,yn).  What holds for less
/// than `pixel` gets no corner of its own: nobody could see it, and it would double the points.
QList<QPointF> stepCorners(std::span<const QPointF> points, double end, double pixel = 0);

/// Which point gives a step function its value at x: the last one at or before x; the first one before the start.
/// `points` must not be empty.
std::size_t stepIndexAt(std::span<const QPointF> points, double x);

} // namespace remat::ui
