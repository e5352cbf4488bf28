// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/format_units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "core/base/checked.h"
#include "core/base/text.h"

namespace remat {

namespace {

constexpr MessageCode kNotASize{"not-a-size", REMAT_TR("\"{0}\" is not a size."),
    REMAT_TR("Write a number with a unit, such as 8GiB, 512MiB, 24GB or 6G."), ExitCode::Usage};
constexpr MessageCode kSizeOutOfRange{"size-out-of-range", REMAT_TR("\"{0}\" is out of range."),
    REMAT_TR("Sizes go from 0 to 2^61 bytes."), ExitCode::Usage};

struct UnitName {
    std::string_view name;
    double factor;
};

/// In lower case: nobody who types "6gb" means bits.  The letter alone counts in powers of 1024, as in dd and Slurm.
constexpr std::array<UnitName, 13> kByteUnitNames{{{"b", 1}, {"kib", 1024.0}, {"mib", 1048576.0}, {"gib", 1073741824.0},
    {"tib", 1099511627776.0}, {"k", 1024.0}, {"m", 1048576.0}, {"g", 1073741824.0}, {"t", 1099511627776.0}, {"kb", 1e3},
    {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12}}};

/// Bytes of a unit, 0 for a word that is none.
double factorOf(std::string_view word)
{
    std::string lower(word);
    for (char& c : lower)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    for (const UnitName& known : kByteUnitNames)
        if (lower == known.name)
            return known.factor;
    return 0.0;
}

template <std::size_t N> ScaledQuantity scale(double value, double step, const std::array<const char*, N>& names)
{
    std::size_t i = 0;
    // What would be printed as a whole step is one of the next unit.
    while (i + 1 < N && std::abs(value) >= step - 0.5) {
        value /= step;
        ++i;
    }
    return {value, names[i]};
}

std::string join(ScaledQuantity q)
{
    return formatThreeDigits(q.value) + " " + q.unit;
}

} // namespace

ScaledQuantity scaleBytes(Bytes bytes, ByteUnits units)
{
    static constexpr std::array<const char*, 6> kBinary{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    static constexpr std::array<const char*, 6> kDecimal{"B", "kB", "MB", "GB", "TB", "PB"};
    const bool binary = units == ByteUnits::Binary;
    return scale(static_cast<double>(bytes.value), binary ? 1024.0 : 1000.0, binary ? kBinary : kDecimal);
}

ScaledQuantity scaleDuration(Nanoseconds time)
{
    static constexpr std::array<const char*, 4> kNames{"ns", "us", "ms", "s"};
    return scale(static_cast<double>(time.value), 1000.0, kNames);
}

ScaledQuantity scaleFlops(Flops flops)
{
    static constexpr std::array<const char*, 6> kNames{"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP"};
    return scale(static_cast<double>(flops.value), 1000.0, kNames);
}

std::string formatThreeDigits(double value)
{
    const double magnitude = std::abs(value);
    const bool isWhole = value == std::floor(value) && magnitude < 1000.0;
    const int decimals = (isWhole && magnitude == 0) || magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2;
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
    // snprintf follows LC_NUMERIC; a decimal comma must not reach a file or a pipe.
    for (char* c = buffer; *c; ++c)
        if (*c == ',')
            *c = '.';
    return buffer;
}

std::string formatBytes(Bytes bytes, ByteUnits units)
{
    const ScaledQuantity q = scaleBytes(bytes, units);
    if (std::string_view(q.unit) == "B")
        return std::to_string(bytes.value) + " B";
    return join(q);
}

Bytes roundedUpAsPrinted(Bytes bytes)
{
    // Three digits step by at most 1 %, so a few steps of a thousandth pass the next printed value.
    for (Bytes candidate = bytes;; candidate += Bytes{bytes.value / 1000 + 1}) {
        const Result<Bytes> printed = parseBytes(formatBytes(candidate));
        if (!printed || *printed >= bytes)
            return printed ? *printed : bytes;
    }
}

Bytes roundedDownAsPrinted(Bytes bytes)
{
    for (Bytes candidate = bytes; candidate > Bytes{}; candidate -= Bytes{bytes.value / 1000 + 1}) {
        const Result<Bytes> printed = parseBytes(formatBytes(candidate));
        if (printed && *printed <= bytes)
            return *printed;
    }
    return {};
}

std::string formatDuration(Nanoseconds time)
{
    const ScaledQuantity q = scaleDuration(time);
    if (std::string_view(q.unit) == "ns")
        return std::to_string(time.value) + " ns";
    return join(q);
}

std::string formatFlops(Flops flops)
{
    return join(scaleFlops(flops));
}

std::string formatPercent(double ratio)
{
    const double percent = std::round(ratio * 1000.0) / 10.0;
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.1f %%", std::abs(percent));
    for (char* c = buffer; *c; ++c)
        if (*c == ',')
            *c = '.';
    return (percent < 0 ? "\u2212" : "+") + std::string(buffer);
}

bool isByteUnit(std::string_view word)
{
    return factorOf(word) != 0.0;
}

Result<Bytes> parseBytes(std::string_view text)
{
    const std::string shown = shortened(text);
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    double number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem == std::errc::result_out_of_range)
        return Error{&kSizeOutOfRange, "", {shown}};
    if (problem != std::errc() || !std::isfinite(number))
        return Error{&kNotASize, "", {shown}};
    std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    while (!unit.empty() && unit.front() == ' ')
        unit.remove_prefix(1);
    while (!unit.empty() && unit.back() == ' ')
        unit.remove_suffix(1);
    const double factor = unit.empty() ? 1.0 : factorOf(unit);
    if (factor == 0.0)
        return Error{&kNotASize, "", {shown}};
    const double bytes = number * factor;
    if (bytes < 0 || bytes > static_cast<double>(kMaxQuantity))
        return Error{&kSizeOutOfRange, "", {shown}};
    // A bare integer or a whole number of bytes must survive exactly, beyond the 53 bits of a double.
    std::int64_t whole = 0;
    const auto [wholeEnd, wholeProblem] = std::from_chars(text.data(), text.data() + text.size(), whole);
    if (wholeProblem == std::errc() && wholeEnd == end) {
        const std::optional<std::int64_t> exact = checkedMultiply(whole, static_cast<std::int64_t>(factor));
        return exact ? Result<Bytes>(Bytes{*exact}) : Error{&kSizeOutOfRange, "", {shown}};
    }
    return Bytes{std::llround(bytes)};
}

} // namespace remat
