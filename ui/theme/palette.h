// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QColor>

namespace remat::ui {

/// Which of the two grounds the window is drawn on.
enum class Lightness { Light, Dark };

/// What a colour means.  One colour, one meaning, everywhere: hue says state (kept, recomputed, peak, over), tint says
/// sublayer (attention, FFN, norm, residual = Keep, Keep2, Keep3, Keep4).
enum class Role {
    Window,
    Panel,
    Field,
    Line,
    Text,
    Muted,
    Weights,
    Gradients,
    Optimizer,
    Keep, ///< also the accent
    Keep2,
    Keep3,
    Keep4,
    Recompute,
    RecomputeTint,
    Peak, ///< also working memory
    Over,
    OverTint,
    Fits,
    Count
};

/// The colour of a role.  Text and Muted reach 4.5:1 on Window, Panel and Field in both palettes
/// (palette_painter_test).
QColor paletteColour(Role role, Lightness lightness);

/// Black or white, whichever reads on the ground: dark text above lightness 0.55 (HSL), else white.
QColor textOn(const QColor& ground);

/// The WCAG contrast ratio of two opaque colours, 1 ... 21.
double contrastRatio(const QColor& a, const QColor& b);

/// The colour that a fraction of `over` gives on `ground`; opaque, so that overlapping strokes do not add up.
QColor mixed(const QColor& ground, const QColor& over, double fraction);

} // namespace remat::ui
