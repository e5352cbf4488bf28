// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/label_placement.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace remat::ui {

namespace {

QRectF markerRect(const LabelRequest& request)
{
    const double r = request.markerRadius;
    return {request.anchor.x() - r, request.anchor.y() - r, 2 * r, 2 * r};
}

/// Where a label's centre may lie, in halves of its size from the marker's edge.  Above and below, it may also stand
/// with one of its ends over the marker, which helps at the edges of a plot.
constexpr std::array<QPointF, 12> kDirections{
    {{1, 0}, {0, -1}, {-1, 0}, {0, 1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {-0.7, -1}, {0.7, -1}, {-0.7, 1}, {0.7, 1}}};

QRectF labelRect(const LabelRequest& request, const QPointF& direction, double distance)
{
    const double gap = request.markerRadius + distance;
    const QPointF centre = request.anchor
        + QPointF(direction.x() * (gap + request.size.width() / 2), direction.y() * (gap + request.size.height() / 2));
    return {centre - QPointF(request.size.width() / 2, request.size.height() / 2), request.size};
}

} // namespace

std::vector<std::optional<QRectF>> placeLabels(
    std::span<const LabelRequest> requests, std::span<const QRectF> obstacles, const QRectF& bounds)
{
    std::vector<QRectF> taken(obstacles.begin(), obstacles.end());
    for (const LabelRequest& request : requests)
        taken.push_back(markerRect(request));

    std::vector<std::optional<QRectF>> places;
    places.reserve(requests.size());
    for (const LabelRequest& request : requests) {
        std::optional<QRectF> found;
        for (double distance : {1.0, 6.0, 14.0}) {
            for (const QPointF& direction : kDirections) {
                const QRectF rect = labelRect(request, direction, distance);
                const bool isFree = bounds.contains(rect)
                    && std::none_of(taken.begin(), taken.end(), [&](const QRectF& t) { return t.intersects(rect); });
                if (isFree) {
                    found = rect;
                    break;
                }
            }
            if (found)
                break;
        }
        if (found)
            taken.push_back(*found);
        places.push_back(found);
    }
    return places;
}

std::vector<double> spreadVertically(std::span<const double> wishedCentres, double height, double top, double bottom)
{
    std::vector<std::size_t> order(wishedCentres.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(
        order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wishedCentres[a] < wishedCentres[b]; });

    std::vector<double> centres(wishedCentres.begin(), wishedCentres.end());
    double next = top + height / 2;
    for (std::size_t i : order) {
        centres[i] = std::max(centres[i], next);
        next = centres[i] + height;
    }
    double limit = bottom - height / 2;
    std::for_each(order.rbegin(), order.rend(), [&](std::size_t i) {
        centres[i] = std::min(centres[i], limit);
        limit = centres[i] - height;
    });
    return centres;
}

} // namespace remat::ui
