// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QRectF>
#include <QString>

class QPainter;

namespace remat::ui {

class Theme;
struct GridLayout;
struct GridView;

/// The words and numbers around the cells.  A column of numbers shares one unit, which its header names.
QString gridTotalName();                       ///< "whole step"
QString gridAgainSign();                       ///< the sign behind recomputed work
QString gridBytesHeader(const GridView& view); ///< "kept / all, GiB"
QString gridWorkHeader(const GridView& view);  ///< "work, TFLOP"

/// Column labels and the headers of the number columns; `selectedColumn` is bold, -1 for none.  Labels that meet
/// `covered` (the magnifier) are left out.
void paintGridHeader(QPainter& painter, const GridLayout& layout, const GridView& view, int selectedColumn,
    const Theme& theme, const QRectF& covered = {});
/// Names, triangles and numbers of the shown rows that meet `exposed`.
void paintGridRowTexts(
    QPainter& painter, const GridLayout& layout, const GridView& view, const Theme& theme, const QRectF& exposed);
/// The same pair of numbers for the whole step, under a line.
void paintGridFooter(QPainter& painter, const GridLayout& layout, const GridView& view, const Theme& theme);
/// What the fills and marks mean; entries that find no room are left out from the right.
void paintGridLegend(QPainter& painter, const GridLayout& layout, const GridView& view, const Theme& theme);

} // namespace remat::ui
