// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QRectF>
#include <QString>
#include <vector>

#include "ui/painters/grid_view.h"

namespace remat::ui {

class Theme;

/// The horizontal extent of a column's cells; pitch ends where the next column begins.  A whole column starts at `top`
/// (content coordinates), so that its area reads as memory beside a layer's; isCut: it would be higher than the rows.
struct GridColumnBox {
    double left = 0.0, right = 0.0, pitchEnd = 0.0;
    double top = 0.0;
    bool isCut = false;
    bool operator==(const GridColumnBox&) const = default;
};

/// A shown row in content coordinates: 0 is the top of the first row, whatever is scrolled.
struct GridRowBox {
    int row = 0;
    double top = 0.0, height = 0.0;
    double bottom() const { return top + height; }
    bool operator==(const GridRowBox&) const = default;
};

/// A column's label, placed so that no two touch.
struct GridLabel {
    int column = 0;
    QRectF rect;
    QString text;
    bool isSelected = false;
};

/// What lies under a point.
struct GridHit {
    enum class Part { Nothing, Cell, RowLabel, Triangle, ColumnHeader };
    Part part = Part::Nothing;
    int row = -1;
    int column = -1;
};

/// Where everything of the grid stands.
///
///   Row heights: the least height each, and the spare height in proportion to the rows' bytes, so that area reads as
///   memory; an open sublayer keeps a summary line of 18 px.  When even the least heights do not fit, rows scroll.
///   Column widths: equal, at most 120 px and then centred; runs of equal layers get a width in proportion to the
///   square root of their length, and at least their label's.  There is never a horizontal scroll bar. Density: 2 px
///   gaps from 14 px a column, 1 px from 6, none below.
struct GridLayout {
    QRectF header;   ///< column labels
    QRectF viewport; ///< rows; painting is clipped to it vertically
    QRectF footer;   ///< sums: a line for the ends unless rows need its room, then the whole step under a rule
    QRectF legend;
    double labelLeft = 0.0, labelRight = 0.0;
    double cellsLeft = 0.0, cellsRight = 0.0;                                  ///< of the layers' block
    double keptRight = 0.0, allRight = 0.0, workRight = 0.0, againRight = 0.0; ///< right-aligned number columns
    bool showsWork = true; ///< false when the grid is too narrow for the second number column
    bool showsEnds = true; ///< the footer's first line
    double pitch = 0.0;    ///< width of the narrowest layer column, gap included
    double columnGap = 0.0, rowGap = 0.0;
    double contentHeight = 0.0, scroll = 0.0;
    std::vector<GridColumnBox> columns;
    std::vector<GridRowBox> rows;

    double maximumScroll() const { return std::max(0.0, contentHeight - viewport.height()); }
    bool isDense() const { return columnGap == 0.0; }
    /// Index into rows of a row of the view; a tensor of a folded sublayer stands for its sublayer.  -1: not shown.
    int shownIndexOf(const GridView& view, int row) const;
    double topOf(const GridRowBox& box) const { return viewport.top() + box.top - scroll; }
    QRectF cellRect(const GridView& view, int shownIndex, int column) const;
    QRectF triangleRect(int shownIndex, const Theme& theme) const;
    GridHit hitTest(const GridView& view, const Theme& theme, QPointF point) const;
};

GridLayout layoutGrid(const QRectF& rect, const GridView& view, const Theme& theme, double scroll = 0.0);

/// The pitch that layers would have if none were grouped; grouping is automatic below kAutomaticGroupingPitch.
double ungroupedPitch(const QRectF& rect, const GridView& ungrouped, const Theme& theme);
inline constexpr double kAutomaticGroupingPitch = 6.0;

/// Which column labels are shown, and where: every layer to 14 layers, every 4th to 40, every 8th to 64, every 16th
/// above; first, last and selected always, the others give way.  `selectedColumn` may be -1.
std::vector<GridLabel> placeColumnLabels(
    const GridLayout& layout, const GridView& view, int selectedColumn, const Theme& theme);

} // namespace remat::ui
