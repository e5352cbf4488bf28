// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QRectF>
#include <QRegion>
#include <optional>
#include <vector>

#include "ui/painters/grid_layout.h"
#include "ui/painters/grid_view.h"

class QPainter;

namespace remat::ui {

class Theme;

/// What the person points at; apart from the view, because it changes without any result.
struct GridPointing {
    std::optional<GridPlace> selection;
    std::optional<GridPlace> hover;
    std::optional<GridStretch> painting; ///< what a drag that pins has passed over
    std::vector<GridPlace> lit;          ///< what is alive at an instant; when there is any, all other cells step back
    bool showsMagnifier = true;          ///< pictures for export have no mouse
    bool operator==(const GridPointing&) const = default;
};

/// The sublayer x layer grid.  Pure: the same call serves the screen, PNG, SVG, PDF and the tests; the panel colour is
/// expected underneath.
void paintGrid(QPainter& painter, const GridLayout& layout, const GridView& view, const GridPointing& pointing,
    const Theme& theme);

/// Two halves for a widget: what stands still while the mouse moves, within `exposed`, and what follows the person.
void paintGridGround(
    QPainter& painter, const GridLayout& layout, const GridView& view, const Theme& theme, const QRectF& exposed);
void paintGridPointing(QPainter& painter, const GridLayout& layout, const GridView& view, const GridPointing& pointing,
    const Theme& theme);

/// The part of the ground that differs between two views with one layout: changed cells with their marks, changed row
/// numbers.  Returns the whole rectangle when rows, columns or layout differ.
QRegion changedGround(const GridLayout& before, const GridView& old, const GridLayout& after, const GridView& now,
    const QRectF& whole, const Theme& theme);

} // namespace remat::ui
