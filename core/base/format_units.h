// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/units.h"

namespace remat {

/// Which names sizes are printed with: powers of 1024 (KiB, MiB, GiB) or of 1000 (kB, MB, GB).
enum class ByteUnits { Binary, Decimal };

/// A number split from its unit, so that a table can put the unit into its header.
struct ScaledQuantity {
    double value;
    const char* unit;
};

/// The largest unit in which the value, as it is printed, is at least 1: {3.44, "GiB"}.  So 1000 MiB stay 1000 MiB, and
/// 1023.5 MiB are 1.00 GiB; 999.5 MB are 1.00 GB.
ScaledQuantity scaleBytes(Bytes bytes, ByteUnits units = ByteUnits::Binary);
ScaledQuantity scaleDuration(Nanoseconds time);
ScaledQuantity scaleFlops(Flops flops);

/// Three significant digits, C locale: "3.44", "96.0", "512"; 1000 and more keep all their whole digits.
std::string formatThreeDigits(double value);

/// "3.44 GiB", "96.0 MiB", "512 B".
std::string formatBytes(Bytes bytes, ByteUnits units = ByteUnits::Binary);
/// The least size that is not below `bytes` and that formatBytes() prints without rounding: an advice to follow.
Bytes roundedUpAsPrinted(Bytes bytes);
/// The greatest such size that is not above `bytes`.
Bytes roundedDownAsPrinted(Bytes bytes);
/// "212 ms", "3.40 s", "28.0 us".
std::string formatDuration(Nanoseconds time);
/// "1.90 TFLOP".
std::string formatFlops(Flops flops);
/// "+3.4 %": a ratio with sign (U+2212 for minus) and one decimal.
std::string formatPercent(double ratio);

/// Reads "8GiB", "8.5 GiB", "512", "100MB", "6G".  Accepts B, KiB, MiB, GiB, TiB and their short forms K, M, G, T
/// (powers of 1024), kB, MB, GB, TB (powers of 1000), in upper or lower case; a bare number is bytes.
/// Errors: not a number, unknown unit, negative, above 2^61.
Result<Bytes> parseBytes(std::string_view text);
/// Whether a word is a unit that parseBytes() knows: "GiB", "g".
bool isByteUnit(std::string_view word);

} // namespace remat
