// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/theme/hatch.h"

#include <QColor>
#include <QPaintEngine>
#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>
#include <cmath>

namespace remat::ui {

namespace {

struct HatchLook {
    double step, width, opacity;
};

constexpr HatchLook lookOf(HatchKind kind)
{
    return kind == HatchKind::Recomputed ? HatchLook{8.0, 1.1, 0.6} : HatchLook{5.0, 1.6, 1.0};
}

/// One period of the lines at a device scale: whole device pixels, so that tiles meet without a seam.
QPixmap hatchTile(const QColor& line, const QColor& ground, HatchKind kind, double scale)
{
    const HatchLook look = lookOf(kind);
    const int side = std::max(4, static_cast<int>(std::lround(look.step * scale)));
    const QString key = QStringLiteral("remat-hatch-%1-%2-%3-%4")
                            .arg(line.rgba(), 0, 16)
                            .arg(ground.rgba(), 0, 16)
                            .arg(static_cast<int>(kind))
                            .arg(side);
    QPixmap tile;
    if (QPixmapCache::find(key, &tile))
        return tile;
    tile = QPixmap(side, side);
    tile.fill(ground);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor stroke = line;
    stroke.setAlphaF(static_cast<float>(look.opacity));
    QPen pen(stroke, look.width * scale);
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    // Three lines: the middle one and the two whose corners reach into this tile.
    for (int shift = -side; shift <= side; shift += side)
        painter.drawLine(QPointF(shift - side, -side), QPointF(shift + 2 * side, 2 * side));
    painter.end();
    QPixmapCache::insert(key, tile);
    return tile;
}

/// The same lines as strokes, each cut to the rectangle by arithmetic.
void strokeHatch(QPainter& painter, const QRectF& rect, const QColor& line, HatchKind kind)
{
    const HatchLook look = lookOf(kind);
    QColor stroke = line;
    stroke.setAlphaF(static_cast<float>(look.opacity));
    QPen pen(stroke, look.width);
    pen.setCapStyle(Qt::FlatCap);
    painter.save();
    painter.setPen(pen);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF origin = painter.brushOrigin();
    // A line is x - y = c with c a multiple of the step from the origin.
    const double phase = origin.x() - origin.y();
    const double first = std::ceil((rect.left() - rect.bottom() - phase) / look.step) * look.step + phase;
    for (double c = first; c < rect.right() - rect.top(); c += look.step) {
        const double fromX = std::max(rect.left(), rect.top() + c);
        const double toX = std::min(rect.right(), rect.bottom() + c);
        if (toX > fromX)
            painter.drawLine(QPointF(fromX, fromX - c), QPointF(toX, toX - c));
    }
    painter.restore();
}

} // namespace

void fillHatch(QPainter& painter, const QRectF& rect, const QColor& line, const QColor& ground, HatchKind kind)
{
    if (rect.isEmpty())
        return;
    const QPaintEngine* engine = painter.paintEngine();
    if (engine && engine->type() != QPaintEngine::Raster) {
        painter.fillRect(rect, ground);
        strokeHatch(painter, rect, line, kind);
        return;
    }
    const double scale = painter.deviceTransform().m11();
    QBrush brush(hatchTile(line, ground, kind, scale));
    brush.setTransform(QTransform::fromScale(1.0 / scale, 1.0 / scale));
    painter.fillRect(rect, brush);
}

} // namespace remat::ui
