// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QSizeF>
#include <QString>

class QAbstractItemModel;
class QPainter;
class QRectF;

namespace remat::ui {

class Theme;

/// A table for other programs: RFC 4180, a header line, and figures as whole bytes, whole nanoseconds and plain ratios
/// with a point, whatever the person's language; the unit stands in the header, "peak [B]".
QString tableCsv(const QAbstractItemModel& model);

/// A table for a picture: every column and row in full.
QSizeF tableSize(const QAbstractItemModel& model, const Theme& theme);
void paintTable(QPainter& painter, const QRectF& rect, const QAbstractItemModel& model, const Theme& theme);

} // namespace remat::ui
