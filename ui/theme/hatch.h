// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QRectF>

class QColor;
class QPainter;

namespace remat::ui {

/// Hatch means "recomputed" and nothing else; the single exception is the denser red one for bytes over budget.
enum class HatchKind { Recomputed, OverBudget };

/// Fills a rectangle with 45 degree lines (1.1 px, every 8 px, 60 % opaque for Recomputed) over a flat ground.
///
/// On a raster device the lines are a tiled pixmap, cached per colour, kind and device scale; its phase follows the
/// painter's brush origin, which the widget sets to the window's corner, so that neighbouring panels continue each
/// other and nothing crawls while a rectangle grows.  On a vector device (SVG, PDF) the same lines are strokes cut to
/// the rectangle, because those engines do not carry pixmap brushes.
void fillHatch(QPainter& painter, const QRectF& rect, const QColor& line, const QColor& ground,
    HatchKind kind = HatchKind::Recomputed);

} // namespace remat::ui
