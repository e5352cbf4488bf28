// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/step_curve.h"

#include <algorithm>
#include <array>

namespace remat::ui {

namespace {

bool startsLater(double x, const QPointF& point)
{
    return x < point.x();
}

} // namespace

std::vector<QPointF> thinCurve(std::span<const QPointF> points, std::size_t limit)
{
    if (points.size() <= limit)
        return {points.begin(), points.end()};
    const std::size_t buckets = std::max<std::size_t>(1, limit / 4);
    const double start = points.front().x();
    const double width = (points.back().x() - start) / static_cast<double>(buckets);

    std::vector<QPointF> kept;
    kept.reserve(limit);
    std::size_t begin = 0;
    for (std::size_t bucket = 0; bucket < buckets && begin < points.size(); ++bucket) {
        std::size_t end = points.size();
        if (bucket + 1 < buckets) {
            const double edge = start + width * static_cast<double>(bucket + 1);
            end = static_cast<std::size_t>(
                std::upper_bound(points.begin() + static_cast<std::ptrdiff_t>(begin), points.end(), edge, startsLater)
                - points.begin());
        }
        if (begin == end)
            continue;
        std::size_t low = begin, high = begin;
        for (std::size_t i = begin; i < end; ++i) {
            if (points[i].y() < points[low].y())
                low = i;
            if (points[i].y() > points[high].y())
                high = i;
        }
        std::array<std::size_t, 4> chosen{begin, std::min(low, high), std::max(low, high), end - 1};
        for (std::size_t i = 0; i < chosen.size(); ++i)
            if (i == 0 || chosen[i] != chosen[i - 1])
                kept.push_back(points[chosen[i]]);
        begin = end;
    }
    return kept;
}

std::vector<QPointF> clipSteps(std::span<const QPointF> points, double from, double to)
{
    std::vector<QPointF> inside;
    if (points.empty() || points.front().x() > to)
        return inside;
    const std::size_t first = stepIndexAt(points, from);
    inside.emplace_back(std::max(points[first].x(), from), points[first].y());
    for (std::size_t i = first + 1; i < points.size() && points[i].x() <= to; ++i)
        inside.push_back(points[i]);
    return inside;
}

QList<QPointF> stepCorners(std::span<const QPointF> points, double end, double pixel)
{
    QList<QPointF> corners;
    corners.reserve(2 * static_cast<qsizetype>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) {
        corners.append(points[i]);
        const double until = i + 1 < points.size() ? points[i + 1].x() : std::max(end, points[i].x());
        if (until - points[i].x() > pixel)
            corners.append({until, points[i].y()});
    }
    return corners;
}

std::size_t stepIndexAt(std::span<const QPointF> points, double x)
{
    const auto after = std::upper_bound(points.begin(), points.end(), x, startsLater);
    return after == points.begin() ? 0 : static_cast<std::size_t>(after - points.begin()) - 1;
}

} // namespace remat::ui
