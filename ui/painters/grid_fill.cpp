// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/painters/grid_fill.h"

#include <algorithm>

namespace remat::ui {

namespace {

double keptShare(const GridCell& cell)
{
    return std::clamp(ratio(cell.kept, cell.all), 0.0, 1.0);
}

double bytesPerMicrosecond(const GridCell& cell)
{
    return 1000.0 * static_cast<double>(cell.all.value)
        / static_cast<double>(std::max<std::int64_t>(1, cell.recomputeTimeOfAll.value));
}

/// One layer's value of the metric; sums and counts cancel in the byte rate.
double metricOf(const GridCell& cell, int layers, GridMetric metric)
{
    switch (metric) {
    case GridMetric::Bytes:
        return 1.0;
    case GridMetric::Flops:
        return static_cast<double>((cell.flops + cell.recomputedFlops).value) / layers;
    case GridMetric::RecomputeTime:
        return static_cast<double>(cell.recomputeTimeOfAll.value) / layers;
    case GridMetric::BytesPerMicrosecond:
        return cell.all.value == 0 ? 0.0 : bytesPerMicrosecond(cell);
    }
    return 0.0;
}

} // namespace

GridScale gridScale(const GridView& view)
{
    GridScale scale;
    for (int row = 0; row < view.rowCount(); ++row)
        for (int column = 0; column < view.columnCount(); ++column)
            // Embedding and head dwarf a sublayer's work; the layers are what the person compares.
            if (view.isLayer(column))
                scale.largest = std::max(scale.largest,
                    metricOf(
                        view.cell(row, column), view.columns[static_cast<std::size_t>(column)].count(), view.metric));
    return scale;
}

GridFill gridFill(const GridCell& cell, int layers, GridMetric metric, const GridScale& scale)
{
    GridFill fill;
    const double height
        = scale.largest > 0.0 ? std::clamp(metricOf(cell, layers, metric) / scale.largest, 0.0, 1.0) : 0.0;
    switch (metric) {
    case GridMetric::Bytes:
    case GridMetric::BytesPerMicrosecond:
        fill.solid = height * keptShare(cell);
        fill.hatch = cell.isRecomputed ? height - fill.solid : 0.0;
        break;
    case GridMetric::RecomputeTime: {
        const double spent = std::clamp(ratio(cell.recomputeTime, cell.recomputeTimeOfAll), 0.0, 1.0);
        fill.hatch = height * spent;
        fill.solid = height - fill.hatch;
        break;
    }
    case GridMetric::Flops:
        fill.hatch = height * ratio(cell.recomputedFlops, cell.flops + cell.recomputedFlops);
        fill.solid = height - fill.hatch;
        fill.isPlainWork = true;
        break;
    }
    return fill;
}

} // namespace remat::ui
