// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QRectF>
#include <optional>
#include <vector>

class QPainter;

namespace remat::ui {

class Theme;
struct GridLayout;
struct GridPlace;
struct GridStretch;
struct GridView;

/// A pinned cell: a 7 px dot in the text colour with a panel-coloured halo at its top right; in columns below 12 px a
/// 3 px bar on its upper edge.
void paintGridPins(
    QPainter& painter, const GridLayout& layout, const GridView& view, const Theme& theme, const QRectF& exposed);

/// The cell that sets the peak: a 2 px ring and a tag, both in the peak colour.
void paintGridPeak(QPainter& painter, const GridLayout& layout, const GridView& view, const Theme& theme);

/// Cells that hold something at an instant keep their look within a thin frame in the peak colour; a veil of the panel
/// colour lies on all others.  A row that is folded is lit by any of its tensors.
void paintGridLight(QPainter& painter, const GridLayout& layout, const GridView& view,
    const std::vector<GridPlace>& lit, const Theme& theme);

/// The selected cell, row or layer: a 2 px ring in the text colour, and a dotted band around the column.
void paintGridSelection(
    QPainter& painter, const GridLayout& layout, const GridView& view, const GridPlace& place, const Theme& theme);

/// The cell under the mouse: a thin ring.
void paintGridHover(
    QPainter& painter, const GridLayout& layout, const GridView& view, const GridPlace& place, const Theme& theme);

/// The cells that a drag has passed over and will pin: a 2 px ring in the text colour around all of them.
void paintGridPainting(
    QPainter& painter, const GridLayout& layout, const GridView& view, const GridStretch& cells, const Theme& theme);
/// What that ring covers; empty when the cells are not shown.
QRectF gridPaintingRect(const GridLayout& layout, const GridView& view, const GridStretch& cells);

/// Nine layers around the one under the mouse at a readable width, rows in place; for columns below 6 px.
void paintGridMagnifier(
    QPainter& painter, const GridLayout& layout, const GridView& view, int layer, const Theme& theme);
/// What the magnifier covers; empty when the layout is not dense or the layer is not shown.
QRectF gridMagnifierRect(const GridLayout& layout, const GridView& view, int layer, const Theme& theme);

/// How far the marks of a cell or column reach beyond it, for repainting.
double gridMarkMargin(const Theme& theme);

} // namespace remat::ui
