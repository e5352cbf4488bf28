// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace remat {

/// The two loops that bound candidates by cells, in which solves spend much of their time, in the widest form that this
/// processor runs. Rows are contiguous samples of the two functions that a move adds; either or both may be null:
/// nothing to add.
struct CellSweeps {
    /// upper[i] = min(upper[i], a[i] + b[i] + cost)
    void (*lowerTo)(
        std::int32_t* upper, const std::int32_t* a, const std::int32_t* b, std::int32_t cost, std::int64_t count);
    /// below[i] = a[i] + b[i] + cost < upper[i]
    void (*markBelow)(std::uint8_t* below, const std::int32_t* upper, const std::int32_t* a, const std::int32_t* b,
        std::int32_t cost, std::int64_t count);
};

/// The fastest of the forms below; all give the same results.
const CellSweeps& bestCellSweeps();
/// The form that every processor runs.
const CellSweeps& plainCellSweeps();

} // namespace remat
