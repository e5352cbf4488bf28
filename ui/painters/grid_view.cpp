// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/painters/grid_view.h"

#include <algorithm>

namespace remat::ui {

Pin nextPin(Pin pin)
{
    return pin == Pin::None ? Pin::Keep : pin == Pin::Keep ? Pin::Recompute : Pin::None;
}

const GridCell& GridView::cell(int row, int column) const
{
    // A whole column is one cell, whatever the row.
    const int storedRow = columns[static_cast<std::size_t>(column)].isWhole ? 0 : row;
    return cells[static_cast<std::size_t>(storedRow) * columns.size() + static_cast<std::size_t>(column)];
}

GridCell& GridView::cell(int row, int column)
{
    return const_cast<GridCell&>(std::as_const(*this).cell(row, column));
}

bool GridView::isRowShown(int row) const
{
    const GridRow& asked = rows[static_cast<std::size_t>(row)];
    return !asked.isTensor() || rows[static_cast<std::size_t>(asked.parent)].isOpen;
}

bool GridView::isLayer(int column) const
{
    const GridColumn& asked = columns[static_cast<std::size_t>(column)];
    return asked.first >= 0 && asked.last < layerCount;
}

int GridView::columnOf(int layer) const
{
    const auto found = std::lower_bound(columns.begin(), columns.end(), layer,
        [](const GridColumn& column, int wanted) { return column.last < wanted; });
    return found == columns.end() || found->first > layer ? -1 : static_cast<int>(found - columns.begin());
}

std::optional<GridStretch> stretchOf(const GridView& view, const GridPlace& place)
{
    const int column = view.columnOf(place.layer);
    if (column < 0 || place.row < 0 || place.row >= view.rowCount())
        return std::nullopt;
    const GridColumn& run = view.columns[static_cast<std::size_t>(column)];
    switch (place.extent) {
    case GridPlace::Extent::Row:
        return GridStretch{place.row, 0, view.layerCount - 1};
    case GridPlace::Extent::Layer:
        return GridStretch{kEveryRow, run.first, run.last};
    case GridPlace::Extent::Cell:
        break;
    }
    return GridStretch{place.row, run.first, run.last};
}

QString columnLabel(const GridView& view, int column)
{
    const GridColumn& asked = view.columns[static_cast<std::size_t>(column)];
    if (!view.isLayer(column))
        return asked.label;
    const QString first = QString::number(asked.first);
    return asked.count() == 1 ? first : first + QChar(0x2013) + QString::number(asked.last);
}

namespace {

bool isSameDecision(const GridCell& a, const GridCell& b)
{
    return a.kept == b.kept && a.all == b.all && a.isRecomputed == b.isRecomputed && a.pin == b.pin;
}

bool canJoin(const GridView& view, int left, int right)
{
    const GridColumn &a = view.columns[static_cast<std::size_t>(left)],
                     &b = view.columns[static_cast<std::size_t>(right)];
    if (!view.isLayer(left) || !view.isLayer(right) || a.isWhole || b.isWhole)
        return false;
    if (view.peak && (view.columnOf(view.peak->layer) == left || view.columnOf(view.peak->layer) == right))
        return false;
    for (int row = 0; row < view.rowCount(); ++row)
        if (!isSameDecision(view.cell(row, left), view.cell(row, right)))
            return false;
    return true;
}

GridCell sum(GridCell a, const GridCell& b)
{
    a.kept += b.kept;
    a.all += b.all;
    a.flops += b.flops;
    a.recomputedFlops += b.recomputedFlops;
    a.recomputeTime += b.recomputeTime;
    a.recomputeTimeOfAll += b.recomputeTimeOfAll;
    return a;
}

} // namespace

GridView groupEqualLayers(const GridView& view)
{
    // Compare single layers, and only then add them up.
    std::vector<std::pair<int, int>> runs;
    for (int column = 0; column < view.columnCount(); ++column) {
        if (!runs.empty() && canJoin(view, runs.back().second, column))
            runs.back().second = column;
        else
            runs.emplace_back(column, column);
    }
    GridView grouped = view;
    grouped.columns.clear();
    for (const auto& [first, last] : runs) {
        GridColumn column = view.columns[static_cast<std::size_t>(first)];
        column.last = view.columns[static_cast<std::size_t>(last)].last;
        grouped.columns.push_back(column);
    }
    grouped.cells.assign(view.rows.size() * runs.size(), {});
    for (int row = 0; row < view.rowCount(); ++row)
        for (std::size_t run = 0; run < runs.size(); ++run) {
            // Row by row through the stored cells: a whole column must not be summed once per row into row 0.
            const auto stored = [&](int column) {
                return view
                    .cells[static_cast<std::size_t>(row) * view.columns.size() + static_cast<std::size_t>(column)];
            };
            GridCell cell = stored(runs[run].first);
            for (int column = runs[run].first + 1; column <= runs[run].second; ++column)
                cell = sum(cell, stored(column));
            grouped.cells[static_cast<std::size_t>(row) * runs.size() + run] = cell;
        }
    return grouped;
}

} // namespace remat::ui
