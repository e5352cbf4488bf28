// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "core/base/units.h"

namespace remat {

/// a + b of untrusted, non-negative values; empty when the sum is negative or above kMaxQuantity.
inline std::optional<std::int64_t> checkedAdd(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum) || sum < 0 || sum > kMaxQuantity)
        return std::nullopt;
    return sum;
}

/// a * b of untrusted, non-negative values; empty when the product is negative or above kMaxQuantity.
inline std::optional<std::int64_t> checkedMultiply(std::int64_t a, std::int64_t b)
{
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product) || product < 0 || product > kMaxQuantity)
        return std::nullopt;
    return product;
}

} // namespace remat
