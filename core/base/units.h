// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstdint>

namespace remat {

/// Whole-number quantities as distinct types, so that bytes are never added to FLOPs.
///
/// Every size is a whole number of bytes and every time a whole number of nanoseconds: a prediction can then be
/// compared with a measurement bit for bit.  Inputs are validated so that no sum of a model passes kMaxQuantity (2^61);
/// the arithmetic here is therefore unchecked.  Untrusted files are summed with core/base/checked.h.
template <class Tag> struct Quantity {
    std::int64_t value = 0;

    auto operator<=>(const Quantity&) const = default;
    constexpr Quantity& operator+=(Quantity other)
    {
        value += other.value;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other)
    {
        value -= other.value;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
    friend constexpr Quantity operator-(Quantity a) { return {-a.value}; }
    friend constexpr Quantity operator*(Quantity a, std::int64_t k) { return {a.value * k}; }
    friend constexpr Quantity operator*(std::int64_t k, Quantity a) { return {a.value * k}; }
    /// Ratio of two quantities of one kind; 0 when the divisor is 0.
    friend constexpr double ratio(Quantity a, Quantity b)
    {
        return b.value == 0 ? 0.0 : static_cast<double>(a.value) / static_cast<double>(b.value);
    }
};

using Bytes = Quantity<struct BytesTag>;
using Flops = Quantity<struct FlopsTag>;
using Nanoseconds = Quantity<struct NanosecondsTag>;

/// No byte, FLOP or nanosecond sum that the program handles is larger.
inline constexpr std::int64_t kMaxQuantity = std::int64_t{1} << 61;

namespace literals {
constexpr Bytes operator""_B(unsigned long long n)
{
    return {static_cast<std::int64_t>(n)};
}
constexpr Bytes operator""_KiB(unsigned long long n)
{
    return {static_cast<std::int64_t>(n) << 10};
}
constexpr Bytes operator""_MiB(unsigned long long n)
{
    return {static_cast<std::int64_t>(n) << 20};
}
constexpr Bytes operator""_GiB(unsigned long long n)
{
    return {static_cast<std::int64_t>(n) << 30};
}
constexpr Nanoseconds operator""_ns(unsigned long long n)
{
    return {static_cast<std::int64_t>(n)};
}
} // namespace literals

/// Rounds a size up to the machine's allocation granule (64 B on the CPU, 512 B on CUDA).
constexpr Bytes roundUp(Bytes size, Bytes granule)
{
    return {(size.value + granule.value - 1) / granule.value * granule.value};
}

} // namespace remat
