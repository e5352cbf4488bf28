// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <vector>

#include <QString>

#include "ui/theme/format.h"

namespace remat::ui {

/// The unit in which the largest time of an axis has one to three digits before the point; its size is in ns.
ColumnUnit timeUnit(Nanoseconds largest);

/// A quantity as a plain number of axis units, which is what a charts module plots.
template <class Tag> double inUnits(Quantity<Tag> quantity, const ColumnUnit& unit)
{
    return static_cast<double>(quantity.value) / unit.size;
}

/// 1, 2 or 5 times a power of ten, such that a span has at most `mostIntervals` of them; 1 for an empty span.
double niceStep(double span, double mostIntervals);

/// Multiples of `step` inside [minimum, maximum], both ends included.
std::vector<double> ticksIn(double minimum, double maximum, double step);

/// A tick with just the decimals that its step needs, the person's decimal sign, no digit grouping and U+2212 for
/// minus: "2.5", "300", "−20".
QString tickText(double value, double step);

} // namespace remat::ui
