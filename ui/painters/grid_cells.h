// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QRectF>

class QColor;
class QPainter;

namespace remat::ui {

class Theme;
struct GridLayout;
struct GridView;
struct GridFill;

/// Work that every plan does, under the FLOPs metric: a grey, because it is neither kept nor recomputed.
QColor plainWorkColour(const Theme& theme);

/// One cell: solid from below, hatch above it, the rest in a faint ground.  Edges lie on whole pixels; a share above
/// zero is at least one pixel, so that a little kept never looks like nothing kept.
void paintGridCell(QPainter& painter, const QRectF& rect, const GridFill& fill, const Theme& theme);

/// All cells that meet `exposed`.  Columns without gaps are drawn as runs of equal cells, so that the hatch of 126
/// layers is a few large fills.
void paintGridCells(
    QPainter& painter, const GridLayout& layout, const GridView& view, const Theme& theme, const QRectF& exposed);

} // namespace remat::ui
