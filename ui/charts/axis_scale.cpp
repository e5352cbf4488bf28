// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/axis_scale.h"

#include <algorithm>
#include <cmath>

#include "core/base/format_units.h"

namespace remat::ui {

ColumnUnit timeUnit(Nanoseconds largest)
{
    const ScaledQuantity scaled = scaleDuration(largest);
    if (scaled.value == 0)
        return {1.0, QStringLiteral("ns")};
    const QString name = QString::fromUtf8(scaled.unit);
    // Scaling one unit's worth back gives the exact factor.
    return {std::round(static_cast<double>(largest.value) / scaled.value),
        name == QLatin1String("us") ? QStringLiteral("µs") : name};
}

double niceStep(double span, double mostIntervals)
{
    if (!(span > 0) || !std::isfinite(span))
        return 1.0;
    return niceStepAtLeast(span / std::max(1.0, mostIntervals));
}

std::vector<double> ticksIn(double minimum, double maximum, double step)
{
    constexpr std::size_t kMostTicks = 200;
    std::vector<double> ticks;
    if (!(step > 0) || !(maximum >= minimum))
        return ticks;
    const double slack = step * 1e-6;
    for (double k = std::ceil((minimum - slack) / step); k * step <= maximum + slack && ticks.size() < kMostTicks; ++k)
        ticks.push_back(k * step == 0 ? 0.0 : k * step);
    return ticks;
}

QString tickText(double value, double step)
{
    const int decimals = step > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6) : 0;
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    const QString text = locale.toString(std::abs(value), 'f', decimals);
    const bool isNegative = value < 0 && std::abs(value) >= 0.5 * std::pow(10.0, -decimals);
    return isNegative ? QChar(0x2212) + text : text;
}

} // namespace remat::ui
