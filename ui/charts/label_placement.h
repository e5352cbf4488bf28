// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>
#include <span>
#include <vector>

#include <QRectF>
#include <QSizeF>

namespace remat::ui {

/// A label that wants to stand beside a marker.
struct LabelRequest {
    QPointF anchor;          ///< Centre of the marker.
    double markerRadius = 0; ///< The label keeps this distance from the anchor.
    QSizeF size;             ///< Of the text with its own margin.
};

/// Puts labels beside their markers so that none covers another label, a marker or an obstacle.
///
/// Greedy in the order of the requests (put the important ones first): each takes the first free place of right, above,
/// left, below, the four corners, and those half way, then the same ring a little further away.  A label that finds
/// none is dropped (nullopt): the marker stays and its tooltip names it, which reads better than two texts on top of
/// each other. Deterministic; O(labels x (labels + obstacles)).
std::vector<std::optional<QRectF>> placeLabels(
    std::span<const LabelRequest> requests, std::span<const QRectF> obstacles, const QRectF& bounds);

/// Spreads texts along a vertical edge: every text keeps its wished centre where it can, none overlaps the next, and
/// all stay inside [top, bottom] while they fit there.  Returns the centres in the order given; O(n log n).
std::vector<double> spreadVertically(std::span<const double> wishedCentres, double height, double top, double bottom);

} // namespace remat::ui
