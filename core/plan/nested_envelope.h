// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/plan/cell_sweeps.h"
#include "core/plan/nested_table.h"

namespace remat {

/// In the unit of NestedEnvelope::work() a point counts one, and so many cells of samples do.
inline constexpr std::int64_t kCellsPerWork = 16;

/// One candidate of an envelope: for every memory m >= floor
///   cost + first(m - firstShift) + second(m - secondShift),   where a missing function is 0 everywhere.
template <class Cost> struct NestedMove {
    std::int64_t floor = 0;
    Cost cost = 0;
    const NestedTable<Cost>* first = nullptr;
    std::int64_t firstShift = 0;
    const NestedTable<Cost>* second = nullptr;
    std::int64_t secondShift = 0;
};

/// The largest sampled cost that is worth keeping in a table, by memory; it falls.  Without cells everything is.
struct NestedCeiling {
    std::span<const std::int32_t> byCell; ///< at multiples of 2^shift bytes; the last for all memory above
    int shift = 0;
    std::int32_t paid = 0; ///< to be taken off

    std::int32_t at(std::int64_t memory) const
    {
        if (byCell.empty())
            return kNone;
        const std::int64_t cell = std::min(memory >> shift, static_cast<std::int64_t>(byCell.size()) - 1);
        const std::int32_t cost = byCell[static_cast<std::size_t>(cell)];
        return cost == kNone ? kNone : cost - paid;
    }
    /// The least memory from which on no such cost is worth keeping.
    std::int64_t endOf(std::int32_t cost) const
    {
        const auto end = std::partition_point(
            byCell.begin(), byCell.end(), [&](std::int32_t most) { return most == kNone || most - paid >= cost; });
        return end == byCell.end() ? kNever : static_cast<std::int64_t>(end - byCell.begin()) << shift;
    }

    static constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
};

/// One of several equal parts of an envelope's cells, which threads build apart.
struct NestedShare {
    std::int64_t index = 0;
    std::int64_t count = 1;
};

/// The lower envelope of many sums of two step functions: the inner loop of the nested planner.
///
/// Merging every candidate costs the sum of all their points, of which almost none survive.  So the memory axis is cut
/// into cells, and per cell contiguous samples of the functions bound each candidate from both sides:
///   upper = cost + the samples at or before the cell's start      bounds the envelope in the cell,
///   lower = cost + the samples at or after the cell's end         bounds the candidate's points in it.
/// Only where lower < upper are a candidate's exact points of the cell merged.  The result is exact: samples only
/// decide what is worth looking at.  No allocation but the result's; scratch memory is kept between calls.
template <class Cost> class NestedEnvelope {
public:
    explicit NestedEnvelope(NestedGrid grid) : m_grid(grid) { }

    /// Points above the ceiling are left out, and moves whose tables are empty; so the result may be empty.  So are
    /// points that are not below `limit`, where that is given.
    /// Precondition: tables that are finished on this grid and have none below them.  The result is not finished.
    void build(std::span<const NestedMove<Cost>> moves, const NestedCeiling& ceiling, NestedTable<Cost>& result,
        const NestedTable<Cost>* limit = nullptr, NestedShare share = {});

    /// What all builds so far took, in points that were looked at; a sweep over sixteen cells counts as one.
    std::int64_t work() const { return m_work; }

    /// Cells are swept by that many at once.
    static constexpr std::int64_t kTile = 256;

private:
    using Point = typename NestedTable<Cost>::Point;
    /// One function of a move, on the cells of the result.
    struct Part {
        const NestedTable<Cost>* table;
        std::int64_t shift;
        std::int64_t upper; ///< fine index of the sample at or before the start of cell 0
        std::int64_t lower; ///< fine index of the sample at or after the end of cell 0
    };
    struct Placed {
        std::array<Part, 2> parts; ///< a missing one last
        std::int64_t start;        ///< least memory
        Cost cost;
        std::int32_t sampledCost;
        std::int64_t firstUpper; ///< first cell that the move bounds from above
        std::int64_t firstCell;
        std::int64_t endCell;  ///< from here on the ceiling is below all that the move makes
        std::int64_t lastCell; ///< from here on the move makes nothing new
    };
    struct Worthwhile {
        const NestedMove<Cost>* move;
        std::int64_t start;
        std::int64_t end; ///< memory from which on the ceiling is below all that the move makes
    };
    struct Survivor {
        std::uint32_t move;
        std::int32_t cell; ///< in the tile
    };
    struct Row {
        const std::int32_t* samples; ///< from the asked cell on; null: `constant` for all cells
        std::int32_t constant;
        std::int64_t end; ///< first cell that this row does not cover
    };

    Part place(const NestedTable<Cost>* table, std::int64_t shift) const;
    Row rowOf(const Part& part, std::int64_t fineIndex, std::int64_t cell) const;
    template <class Sweep>
    void sweep(const Placed& move, bool isLower, std::int64_t from, std::int64_t end, const Sweep& each);
    Cost placeAll(std::span<const NestedMove<Cost>> moves, const NestedCeiling& ceiling);
    void boundTile(std::int64_t first, std::int64_t end, const NestedCeiling& ceiling);
    void findSurvivors(std::int64_t first, std::int64_t end);
    void mergeCell(
        std::int64_t cell, std::int32_t ceiling, std::span<const Survivor> survivors, NestedTable<Cost>& result);
    void listPoints(const Placed& move, std::int64_t begin, std::int64_t end);
    const Point* pointAt(const Part& part, std::int64_t memory) const;
    void mergeIntoStairs();
    void dropNotBelowLimit(std::int64_t begin);
    std::int64_t endBelowLimit(Cost least) const;
    std::int32_t sampled(Cost cost) const { return m_grid.sampled(cost); }

    NestedGrid m_grid;
    const CellSweeps& m_sweeps = bestCellSweeps();
    const NestedTable<Cost>* m_limit = nullptr;
    Placed m_placedLimit{};
    std::int64_t m_origin = 0; ///< memory at the start of cell 0
    std::vector<Worthwhile> m_worthwhile;
    std::vector<Placed> m_placed;
    std::array<std::int32_t, kTile> m_upper{};
    std::array<std::int32_t, kTile> m_ceiling{};
    std::array<std::uint8_t, kTile> m_survives{};
    std::vector<Survivor> m_survivors; ///< of the tile, by move
    std::vector<Survivor> m_byCell;
    std::array<std::uint32_t, kTile + 1> m_cellStarts{};
    // These lists only grow; their counts say what is in use.
    std::vector<Point> m_stairs; ///< the envelope inside the current cell
    std::size_t m_stairCount = 0;
    std::vector<Point> m_points; ///< of one move
    std::size_t m_pointCount = 0;
    std::vector<Point> m_merged;
    Cost m_best = 0;  ///< the envelope just below the current cell
    Cost m_bound = 0; ///< points of the current cell must be below
    std::int64_t m_work = 0;
};

} // namespace remat
