// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QtGlobal>
#include <optional>
#include <vector>

#include "core/base/units.h"

namespace remat::ui {

/// One plan of the frontier: its peak, and its time over keeping everything, as a ratio (0.034 = +3.4 %).
struct RulerPoint {
    Bytes peak;
    double extraTime = 0.0;
    bool operator==(const RulerPoint&) const = default;
};

/// What the budget ruler shows.  Plain numbers: whoever fills it knows the planner, the painter does not.
struct RulerView {
    // What stands in memory at the peak of the shown plan; the sum is its peak.
    Bytes weights, gradients, optimizer;
    Bytes inputs;  ///< inputs and fixed workspace
    Bytes saved;   ///< activations saved for backward
    Bytes working; ///< working memory at the peak

    std::vector<RulerPoint> frontier; ///< peaks ascending, extra times descending
    Bytes least;                      ///< least feasible peak
    Bytes keepEverything;             ///< peak of keeping everything; the axis ends at 1.06 times this
    Bytes budget;
    bool fits = true;
    quint64 generation = 0; ///< of the result shown; painters ignore it

    Bytes fixed() const { return weights + gradients + optimizer + inputs; }
    Bytes peak() const { return fixed() + saved + working; }
    bool operator==(const RulerView&) const = default;
};

/// The frontier's next plan above, or below, a budget; nothing where there is none.  O(log n).
std::optional<Bytes> nextFrontierBudget(const RulerView& view, Bytes budget);
std::optional<Bytes> previousFrontierBudget(const RulerView& view, Bytes budget);

/// The least extra time at a budget (the step curve's height); nothing below the least feasible peak.  O(log n).
std::optional<double> extraTimeAt(const RulerView& view, Bytes budget);

/// How far one wheel notch moves: 1, 2 or 5 times a power of ten near a hundredth of the axis, in its unit.
Bytes wheelStep(const RulerView& view);

} // namespace remat::ui
