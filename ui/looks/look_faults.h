// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QStringList>

class QWidget;

namespace remat::ui {

class Theme;

/// What a careful eye would find wrong with a window as it is on screen, one line each; empty: nothing.
///
/// Texts that are elided (but for a closed list whose help tells its whole choice), cut off by an edge, drawn over each
/// other, half covered, smaller than 10 px (15 px on a projector) or of less than 4.5 : 1 contrast with what is really
/// under them (WCAG 2.1, 1.4.3; what is disabled, stale or outside a lesson's spotlight is exempt); widgets that
/// overlap; tabs that do not fit their bar; pictures of a single colour.
QStringList lookFaults(QWidget& window, const Theme& theme);

} // namespace remat::ui
