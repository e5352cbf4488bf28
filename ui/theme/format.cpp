// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <cmath>

namespace remat::ui {

namespace {

const QChar kMinus(0x2212);
constexpr const char* kUnitsProperty = "rematDecimalUnits";

/// The unit's name as the window writes it: the core's ASCII "us" is "µs" here.
QString unitName(const char* name)
{
    const QString text = QString::fromLatin1(name);
    return text == QLatin1String("us") ? QStringLiteral("µs") : text;
}

/// The core's text with the locale's decimal sign and a real minus.
QString localised(const QLocale& locale, double value)
{
    QString text = QString::fromStdString(formatThreeDigits(std::abs(value)));
    text.replace(QLatin1Char('.'), locale.decimalPoint());
    const bool isZero = text.count(QLatin1Char('0')) + text.count(locale.decimalPoint()) == text.size();
    return value < 0 && !isZero ? kMinus + text : text;
}

QString withUnit(const QLocale& locale, ScaledQuantity quantity)
{
    // Whole small units have no fraction to show: "512 B", "7 ns".
    const bool isWhole = std::string_view(quantity.unit) == "B" || std::string_view(quantity.unit) == "ns";
    const QString number = isWhole ? QString::number(std::llround(quantity.value)) : localised(locale, quantity.value);
    return number + QLatin1Char(' ') + unitName(quantity.unit);
}

} // namespace

ByteUnits byteUnits()
{
    const QCoreApplication* application = QCoreApplication::instance();
    return application && application->property(kUnitsProperty).toBool() ? ByteUnits::Decimal : ByteUnits::Binary;
}

void useByteUnits(ByteUnits units)
{
    QCoreApplication::instance()->setProperty(kUnitsProperty, units == ByteUnits::Decimal);
}

QString NumberFormat::bytes(Bytes value) const
{
    return withUnit(locale, scaleBytes(value, units));
}

QString NumberFormat::signedBytes(Bytes value) const
{
    return value.value < 0 ? kMinus + bytes(-value) : QLatin1Char('+') + bytes(value);
}

QString NumberFormat::duration(Nanoseconds value) const
{
    return withUnit(locale, scaleDuration(value));
}

QString NumberFormat::flops(Flops value) const
{
    return withUnit(locale, scaleFlops(value));
}

QString NumberFormat::percent(double ratio) const
{
    const double percent = std::abs(ratio) * 100.0;
    const int decimals = percent >= 9.95 ? 0 : 1;
    QString text = QString::number(percent, 'f', decimals);
    const bool isZero = text.toDouble() == 0.0;
    text.replace(QLatin1Char('.'), locale.decimalPoint());
    return (ratio < 0 && !isZero ? QString(kMinus) : QStringLiteral("+")) + text + QStringLiteral(" %");
}

QString NumberFormat::number(double value) const
{
    return localised(locale, value);
}

ColumnUnit columnUnit(Bytes largest)
{
    const ScaledQuantity q = scaleBytes(largest, byteUnits());
    return {q.value == 0.0 ? 1.0 : static_cast<double>(largest.value) / q.value, unitName(q.unit)};
}

ColumnUnit columnUnit(Flops largest)
{
    const ScaledQuantity q = scaleFlops(largest);
    return {q.value == 0.0 ? 1.0 : static_cast<double>(largest.value) / q.value, unitName(q.unit)};
}

double niceStepAtLeast(double least)
{
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1.0 - 1e-9))
            return factor * power;
    return 10.0 * power;
}

} // namespace remat::ui
