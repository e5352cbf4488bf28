// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QLocale>
#include <QString>

#include "core/base/format_units.h"
#include "core/base/units.h"

namespace remat::ui {

/// Which names sizes are printed with, everywhere in the window: GiB, or GB.  What useByteUnits() said last, in the way
/// that QLocale's default is what setDefault() said; GiB before.
ByteUnits byteUnits();
void useByteUnits(ByteUnits units);

/// Every number the window prints: three significant digits, a unit, the person's decimal sign, minus as U+2212, and
/// no digit grouping.  The scales are those of core/base/format_units.h; here only the locale is added.
struct NumberFormat {
    QLocale locale;
    ByteUnits units = byteUnits();

    QString bytes(Bytes value) const;          ///< "3.44 GiB"
    QString signedBytes(Bytes value) const;    ///< "+0.50 GiB"
    QString duration(Nanoseconds value) const; ///< "28.0 µs"
    QString flops(Flops value) const;          ///< "1.90 TFLOP"
    QString percent(double ratio) const;       ///< "+3.4 %": signed, one decimal, none from 10 % on
    QString number(double value) const;        ///< "3.44"

    /// A column shares one unit, named once in its header.
    QString bytesIn(Bytes value, double unitSize) const { return number(static_cast<double>(value.value) / unitSize); }
    QString flopsIn(Flops value, double unitSize) const { return number(static_cast<double>(value.value) / unitSize); }
};

/// The unit in which a column is printed, chosen by its largest entry.
struct ColumnUnit {
    double size = 1.0;
    QString name;
    bool operator==(const ColumnUnit&) const = default;
};
ColumnUnit columnUnit(Bytes largest);
ColumnUnit columnUnit(Flops largest);

/// 1, 2 or 5 times a power of ten, the least that is at least `least` (> 0): tick distances and wheel steps.
double niceStepAtLeast(double least);

} // namespace remat::ui
