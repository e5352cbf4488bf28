// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QPoint>
#include <QRectF>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/sweep/sweep_table.h"
#include "ui/charts/chart_frame.h"

class QPainter;

namespace remat::ui {

/// Two axes of a sweep: values to the right and from the bottom up, at equal distances; one point a cell.
struct SweepMapView {
    QString xTitle, yTitle; ///< flags without their dashes; empty: the axis has one value
    QStringList xValues, yValues;
    std::vector<std::optional<SweepPoint>> cells; ///< a row of xValues after the other; empty: no such point

    bool isEmpty() const { return cells.empty(); }
    const SweepPoint* at(QPoint cell) const;
};

struct SweepMapLayout {
    ChartFrame frame;
    FrameLayout plot;

    QRectF cellRect(QPoint cell) const;
    std::optional<QPoint> cellAt(QPointF point) const;
};

SweepMapLayout layoutSweepMap(const QRectF& rect, const SweepMapView& view, const Theme& theme);

/// The map, in the colours of the budget x batch map: red hatch where no plan fits, the recompute colour the darker the
/// more time a plan takes, the ground where nothing runs again; an en dash where there is no step to plan.  Cells that
/// have room say the extra time, or the budget that would do.  Pure: screen, files and tests alike.
void paintSweepMap(QPainter& painter, const QRectF& rect, const SweepMapView& view, const Theme& theme);

/// What was found there in one line: "+3.4 % time, peak 7.91 GiB, step 212 ms, 37.7 samples/s".
QString sweepReadout(const SweepPoint& point);

} // namespace remat::ui
