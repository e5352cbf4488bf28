// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/plan/step_table.h"

namespace remat {

/// The cells that all step functions of one nested solve are sampled on.
struct NestedGrid {
    int shift = 0;     ///< a cell is 2^shift bytes wide
    int phaseBits = 0; ///< each cell is sampled 2^phaseBits times
    int costShift = 0; ///< samples are costs >> costShift, so that sums of three fit 32 bits

    template <class Cost> std::int32_t sampled(Cost cost) const { return static_cast<std::int32_t>(cost >> costShift); }
};

/// A step function with its samples: the value at memory.front() + (cell * phases + phase) * (cell width / phases) is
/// samples[phase * (cells + 1) + cell], rounded down; from `cells` on every sample is the last cost.
template <class Cost> struct NestedTable : StepTable<Cost> {
    std::vector<std::int32_t> samples;
    std::vector<std::uint32_t> lastAtOrBefore; ///< by cell, the point that phase 0 shows
    std::int64_t cells = 0;
    Cost error = 0; ///< this table is nowhere more than that above the exact one

    /// Fills samples, lastAtOrBefore and cells from the points.
    void sample(const NestedGrid& grid);

    std::int64_t bytes() const
    {
        return static_cast<std::int64_t>(this->memory.size() * (sizeof(std::int64_t) + sizeof(Cost))
            + samples.size() * sizeof(std::int32_t) + lastAtOrBefore.size() * sizeof(std::uint32_t));
    }
};

} // namespace remat
