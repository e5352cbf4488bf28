// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/plan/convex_bound.h"

namespace remat {

/// A falling lower bound of a suffix's excess in cells of equal width above the suffix's least memory, where its convex
/// hull is loose: floors leave few options there, so the function is a staircase of large steps.
///
/// Cell k stands for every memory of [start + k * width, start + (k + 1) * width).  Behind the cells the hull of the
/// same suffix goes on, so that the cells of the stage before it can read it there.
class LowEndBound {
public:
    static constexpr std::int64_t kCells = 512;

    LowEndBound() = default;
    /// Before the includes: no plan at all.  Widths are powers of two, which often divide the sizes; then moving a
    /// staircase rounds nothing.
    LowEndBound(std::int64_t start, int widthShift)
        : m_start(start),
          m_widthShift(widthShift),
          m_excess(kCells, kNoPlan)
    { }
    /// That of the empty suffix, which needs nothing and costs nothing.
    static LowEndBound ofNothing(int widthShift);

    /// Lowers the bound to excess + rest(m - keep) for all m from the floor on: one more move to choose from.
    void include(std::int64_t keep, std::int64_t floor, std::int64_t excess, const LowEndBound& rest);
    /// After the includes, of which one must reach `start`: raises the cells to the hull where that is higher, and goes
    /// on with it behind them.
    void finish(const ConvexBound& hull);

    bool covers(std::int64_t memory) const { return memory >= m_start && (memory - m_start) >> m_widthShift < kCells; }
    /// Precondition: finished, covers(memory).
    std::int64_t at(std::int64_t memory) const
    {
        return m_excess[static_cast<std::size_t>((memory - m_start) >> m_widthShift)];
    }

private:
    static constexpr std::int64_t kNoPlan = std::int64_t{1} << 62;
    /// Cells that the hull goes on for; behind the last one its least value stands for all.
    static constexpr std::int64_t kHullCells = kCells;

    /// The largest memory of cell 0; excess falls with memory, so a cell is bounded at its largest.
    std::int64_t lastOfFirst() const { return m_start + (std::int64_t{1} << m_widthShift) - 1; }

    std::int64_t m_start = 0;
    int m_widthShift = 0;
    std::vector<std::int64_t> m_excess; ///< by cell; once finished kHullCells more
};

} // namespace remat
