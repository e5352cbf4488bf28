// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QSizeF>
#include <QString>
#include <functional>
#include <vector>

#include "core/base/result.h"
#include "ui/theme/theme.h"

class QAbstractItemModel;
class QPagedPaintDevice;
class QPainter;
class QRectF;
class QWidget;

namespace remat::ui {

/// A part of the window that can be taken out of it.
struct ExportPanel {
    QString name;  ///< as the command line calls it: "grid"
    QString title; ///< translated
    QSizeF size;   ///< of the picture's content
    std::function<void(QPainter& painter, const QRectF& rect)> paint;
    const QAbstractItemModel* table = nullptr; ///< its rows, where it is a table
    const QWidget* widget = nullptr;           ///< where it stands in the window
};

/// What stands on every sheet besides its content.
struct SheetText {
    QString configuration; ///< which model, step, budget, strategy and device the content belongs to
    QString version;
};

/// The content under its title and configuration line, with the program's name at the foot: the same for screen, file
/// and paper.
QSizeF sheetSize(const ExportPanel& panel, const Theme& theme);
void paintSheet(
    QPainter& painter, const QRectF& sheet, const ExportPanel& panel, const SheetText& text, const Theme& theme);

/// The sheet as it is copied: two device pixels a point.
QImage sheetImage(const ExportPanel& panel, const SheetText& text, const Theme& theme);
/// The sheet on a page of any size, as large as fits: for printers.
void printSheet(QPagedPaintDevice& device, const ExportPanel& panel, const SheetText& text, const Theme& theme);

/// Writes a sheet as PNG, SVG or PDF, or a table as CSV, by the suffix of the path.  It is made in memory first and
/// written atomically, so that a full disk costs nothing that was there.
/// Errors: another suffix, a CSV of what is no table, and those of writeFileAtomically().
Result<void> exportPanel(const ExportPanel& panel, const SheetText& text, const Theme& theme, const QString& path);

/// Errors: no panel of that name (exit code 2), with the names that there are.
Result<const ExportPanel*> findPanel(const std::vector<ExportPanel>& panels, const QString& name);

} // namespace remat::ui
