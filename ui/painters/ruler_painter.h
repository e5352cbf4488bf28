// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QRectF>

class QPainter;

namespace remat::ui {

class Theme;
struct RulerView;

/// The budget ruler: a stacked memory bar and the frontier on one axis, one handle across both.
///
/// Pure: the same call serves the screen, PNG, SVG, PDF and the tests.  The panel colour is expected underneath.
/// Below the least feasible peak handle and tag are red, and red hatch fills the bar from the budget to that peak.
void paintRuler(QPainter& painter, const QRectF& rect, const RulerView& view, const Theme& theme);

} // namespace remat::ui
