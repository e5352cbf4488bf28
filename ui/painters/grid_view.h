// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QString>
#include <optional>
#include <vector>

#include "core/base/units.h"

namespace remat::ui {

/// What a person fixed about a cell; Space walks None, Keep, Recompute.
enum class Pin { None, Keep, Recompute };
Pin nextPin(Pin pin);

/// What the fill of a cell means; the switch above the grid.
enum class GridMetric { Bytes, Flops, RecomputeTime, BytesPerMicrosecond };

/// A cell by meaning, so that a selection survives folding and grouping.  Layers count from 0; what stands before them
/// (the embedding) is -1, -2, ... and what stands behind them (the head) is layerCount, layerCount + 1, ...
struct GridPlace {
    /// A cell, or what it stands for: its row over all layers, or all rows of its layer.
    enum class Extent { Cell, Row, Layer };
    int row = 0;
    int layer = 0;
    Extent extent = Extent::Cell;
    bool operator==(const GridPlace&) const = default;
};

/// In place of a row: all of a layer.
inline constexpr int kEveryRow = -1;

/// Cells of one row (or of every row), first to last layer.
struct GridStretch {
    int row = 0;
    int first = 0, last = 0;
    bool operator==(const GridStretch&) const = default;
};

/// One sublayer (or one tensor of it) in one layer, or in a run of equal layers: then all numbers are sums.
struct GridCell {
    Bytes kept, all;
    bool isRecomputed = false; ///< what is not kept comes back by recomputing it
    Pin pin = Pin::None;
    Flops flops;                    ///< forward and backward
    Flops recomputedFlops;          ///< of the plan shown, on top
    Nanoseconds recomputeTime;      ///< that the plan shown spends
    Nanoseconds recomputeTimeOfAll; ///< that dropping the whole cell would cost
    bool operator==(const GridCell&) const = default;
};

/// A sublayer, or a tensor under it.  Tensors follow their sublayer and are shown while it is open.
struct GridRow {
    QString label;
    int parent = -1; ///< row of the sublayer for a tensor, -1 for a sublayer
    bool canOpen = false;
    bool isOpen = false;
    Bytes kept, all; ///< over all layers
    Flops flops, recomputedFlops;
    bool isTensor() const { return parent >= 0; }
    bool operator==(const GridRow&) const = default;
};

/// One layer, or the run first ... last of equal layers, or what stands before and behind the layers.
struct GridColumn {
    int first = 0, last = 0; ///< as in GridPlace::layer
    QString label;           ///< of the embedding and the head; layers are labelled by number
    /// The column is one cell over the full height, stored in row 0: the embedding and the head have no sublayers.
    bool isWhole = false;
    int count() const { return last - first + 1; }
    bool operator==(const GridColumn&) const = default;
};

/// What the sublayer x layer grid shows.  Plain numbers: whoever fills it knows the plan, the painter does not.
struct GridView {
    int layerCount = 0;
    std::vector<GridRow> rows; ///< forward order, each sublayer followed by its tensors
    std::vector<GridColumn> columns;
    std::vector<GridCell> cells; ///< row after row, columns.size() each
    GridRow ends;                ///< what stands before and behind the layers: embedding and head
    GridRow total;               ///< the step: sublayers and ends
    GridMetric metric = GridMetric::Bytes;
    std::optional<GridPlace> peak; ///< the cell whose instant sets the peak
    quint64 generation = 0;        ///< of the result shown; painters ignore it

    int columnCount() const { return static_cast<int>(columns.size()); }
    int rowCount() const { return static_cast<int>(rows.size()); }
    const GridCell& cell(int row, int column) const;
    GridCell& cell(int row, int column);
    bool isRowShown(int row) const;
    bool isLayer(int column) const;
    /// The column that holds a layer, or -1.
    int columnOf(int layer) const;
    int firstPlace() const { return columns.empty() ? 0 : columns.front().first; }
    int lastPlace() const { return columns.empty() ? -1 : columns.back().last; }

    bool operator==(const GridView&) const = default;
};

/// The cells that a place stands for; a cell in a run of equal layers stands for the run.  Nothing where the view has
/// no such place.
std::optional<GridStretch> stretchOf(const GridView& view, const GridPlace& place);

/// "3", "4-124" (with an en dash), or the column's own label.
QString columnLabel(const GridView& view, int column);

/// Neighbouring layers with the same decisions and pins in every row become one column; the layer that sets the peak
/// stays alone.  Numbers are summed, so totals stay.  O(cells).
GridView groupEqualLayers(const GridView& view);

} // namespace remat::ui
