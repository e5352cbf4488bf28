// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/cell_sweeps.h"

#include <algorithm>

namespace remat {

namespace {

// Inlined into one function per instruction set, where the compiler vectorises them.
#define REMAT_INLINE inline __attribute__((always_inline))

REMAT_INLINE void lowerToAny(
    std::int32_t* upper, const std::int32_t* a, const std::int32_t* b, std::int32_t cost, std::int64_t count)
{
    if (a && b)
        for (std::int64_t i = 0; i < count; ++i)
            upper[i] = std::min(upper[i], a[i] + b[i] + cost);
    else if (const std::int32_t* row = a ? a : b; row)
        for (std::int64_t i = 0; i < count; ++i)
            upper[i] = std::min(upper[i], row[i] + cost);
    else
        for (std::int64_t i = 0; i < count; ++i)
            upper[i] = std::min(upper[i], cost);
}

REMAT_INLINE void markBelowAny(std::uint8_t* below, const std::int32_t* upper, const std::int32_t* a,
    const std::int32_t* b, std::int32_t cost, std::int64_t count)
{
    if (a && b)
        for (std::int64_t i = 0; i < count; ++i)
            below[i] = a[i] + b[i] + cost < upper[i];
    else if (const std::int32_t* row = a ? a : b; row)
        for (std::int64_t i = 0; i < count; ++i)
            below[i] = row[i] + cost < upper[i];
    else
        for (std::int64_t i = 0; i < count; ++i)
            below[i] = cost < upper[i];
}

void lowerToPlain(
    std::int32_t* upper, const std::int32_t* a, const std::int32_t* b, std::int32_t cost, std::int64_t count)
{
    lowerToAny(upper, a, b, cost, count);
}

void markBelowPlain(std::uint8_t* below, const std::int32_t* upper, const std::int32_t* a, const std::int32_t* b,
    std::int32_t cost, std::int64_t count)
{
    markBelowAny(below, upper, a, b, cost, count);
}

constexpr CellSweeps kPlain{lowerToPlain, markBelowPlain};

#if defined(__x86_64__)
__attribute__((target("avx2"))) void lowerToAvx2(
    std::int32_t* upper, const std::int32_t* a, const std::int32_t* b, std::int32_t cost, std::int64_t count)
{
    lowerToAny(upper, a, b, cost, count);
}

__attribute__((target("avx2"))) void markBelowAvx2(std::uint8_t* below, const std::int32_t* upper,
    const std::int32_t* a, const std::int32_t* b, std::int32_t cost, std::int64_t count)
{
    markBelowAny(below, upper, a, b, cost, count);
}

constexpr CellSweeps kAvx2{lowerToAvx2, markBelowAvx2};
#endif

#undef REMAT_INLINE

} // namespace

const CellSweeps& plainCellSweeps()
{
    return kPlain;
}

const CellSweeps& bestCellSweeps()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return kAvx2;
#endif
    return kPlain;
}

} // namespace remat
