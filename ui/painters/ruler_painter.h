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

/// The two halves of paintRuler, for a widget that repaints only what changed: everything that stands still while the
/// handle moves (as long as the plan is the same), and the handle with its ring and tag.
void paintRulerGround(QPainter& painter, const QRectF& rect, const RulerView& view, const Theme& theme);
void paintRulerHandle(QPainter& painter, const QRectF& rect, const RulerView& view, const Theme& theme);

} // namespace remat::ui
