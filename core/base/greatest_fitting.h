// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

namespace remat {

/// The greatest whole number from 1 to `most` that fits, 0 where not even 1 does, for a `fits` that holds up to some
/// number and never beyond: the batch whose peak is within a budget.
///
/// Doubles from `start` while that fits, then halves the gap; asks some 2 log2(answer) times.  The last number for
/// which `fits` said yes is the answer, so a caller may keep what it worked out for it.
///
///   greatestFitting(1, kMaxBatch, [&](std::int64_t batch) { return peakAt(batch) <= budget; })
template <class Fits> std::int64_t greatestFitting(std::int64_t start, std::int64_t most, Fits&& fits)
{
    std::int64_t fitting = 0;
    std::int64_t failing = start;
    while (failing <= most && fits(failing)) {
        fitting = failing;
        failing *= 2;
    }
    failing = std::min(failing, most + 1);
    while (failing - fitting > 1) {
        const std::int64_t middle = fitting + (failing - fitting) / 2;
        (fits(middle) ? fitting : failing) = middle;
    }
    return fitting;
}

} // namespace remat
