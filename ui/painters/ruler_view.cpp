// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/painters/ruler_view.h"

#include <algorithm>
#include <cmath>

#include "ui/theme/format.h"

namespace remat::ui {

namespace {

using Points = std::vector<RulerPoint>;

Points::const_iterator firstAbove(const Points& points, Bytes budget)
{
    return std::upper_bound(points.begin(), points.end(), budget,
        [](Bytes wanted, const RulerPoint& point) { return wanted < point.peak; });
}

} // namespace

std::optional<Bytes> nextFrontierBudget(const RulerView& view, Bytes budget)
{
    const auto next = firstAbove(view.frontier, budget);
    return next == view.frontier.end() ? std::nullopt : std::optional(next->peak);
}

std::optional<Bytes> previousFrontierBudget(const RulerView& view, Bytes budget)
{
    const auto next = firstAbove(view.frontier, budget - Bytes{1});
    return next == view.frontier.begin() ? std::nullopt : std::optional(std::prev(next)->peak);
}

std::optional<double> extraTimeAt(const RulerView& view, Bytes budget)
{
    const auto next = firstAbove(view.frontier, budget);
    return next == view.frontier.begin() ? std::nullopt : std::optional(std::prev(next)->extraTime);
}

Bytes wheelStep(const RulerView& view)
{
    const ColumnUnit unit = columnUnit(view.keepEverything);
    const double hundredth = std::max(static_cast<double>(view.keepEverything.value) / 100.0, 1.0);
    return {std::llround(niceStepAtLeast(hundredth / unit.size) * unit.size)};
}

} // namespace remat::ui
