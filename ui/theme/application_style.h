// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QPalette>
#include <QString>

class QApplication;

namespace remat::ui {

class Theme;

/// The palette that Fusion draws with; it also reaches widgets that the style sheet does not name.
QPalette applicationPalette(const Theme& theme);

/// Fields, buttons, tabs, tables and cards as in the design's pictures: flat, 1 px line, radius 4.
///
/// Widgets say what they are by dynamic properties:
///   card="true"      QFrame: panel colour, line, radius          primary="true"  QPushButton: the one main action
///   strip="true"     QFrame: error strip, 4 px bar at the left   bad="true"      a field whose value is refused
///   role="title" | "muted" | "label" | "error"                   QLabel
QString applicationStyleSheet(const Theme& theme);

/// Fusion, palette, font and style sheet in one go; call it at start and whenever the theme changes.
void applyTheme(QApplication& application, const Theme& theme);

} // namespace remat::ui
