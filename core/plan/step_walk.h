// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/plan/cell_sweeps.h"
#include "core/plan/step_table.h"

namespace remat {

/// A table sampled at origin + cell * bucket width + phase * (bucket width / phases).
struct StepSamples {
    std::int64_t origin = 0;
    std::int64_t cells = 0;                    ///< from here on every sample is the table's last cost
    std::int64_t stride = 0;                   ///< samples of one phase
    std::vector<std::int32_t> cost;            ///< by phase, then by cell; rounded down; padded with the last cost
    std::vector<std::uint32_t> lastAtOrBefore; ///< by cell: index of the point that phase 0 shows
};

/// A move on the grid of buckets.
template <class Cost> struct PlacedStepMove {
    const StageMove<Cost>* move;
    const StepTable<Cost>* points; ///< what the move is put before
    const StepSamples* table;      ///< of its table, which may have more points
    std::int64_t upperSample;      ///< index at bucket 0 of the sample at or before the bucket's start
    std::int64_t lowerSample;      ///< index at bucket 0 of the sample at or after the bucket's end
    std::int64_t cell;             ///< of lastAtOrBefore at bucket 0
    std::int32_t upperCost;
    std::int32_t lowerCost;
    std::int64_t firstUpper; ///< first bucket that the move bounds from above
    std::int64_t firstBucket;
    std::int64_t lastBucket; ///< buckets that hold candidates of the move
    std::int64_t lastSwept;  ///< of these the last one that sweeps bound; candidates behind it are looked at singly
    std::size_t firstSingle; ///< no point before this one has a candidate behind lastSwept
};

/// What the walks over one envelope's buckets share.
template <class Cost> struct StepGrid {
    static constexpr std::size_t kMostTile = 512;

    std::vector<PlacedStepMove<Cost>> moves;
    std::array<StepSamples, 2> samples;
    bool isExchanged = false; ///< the moves' points are lists of an Exchange
    std::int64_t origin = 0;  ///< memory at the start of bucket 0
    std::int64_t buckets = 0;
    std::size_t tile = kMostTile; ///< buckets that are swept together, a multiple of 8
    int shift = 0;                ///< a bucket is 2^shift bytes wide
    int phaseBits = 0;
    int costShift = 0;

    std::int32_t rounded(Cost cost) const { return static_cast<std::int32_t>(cost >> costShift); }
};

/// The envelope of a range of buckets, as StepEnvelope says.  Ranges do not need each other, so threads share them out;
/// at the start of a range there may be points that those before it beat.
template <class Cost> class StepWalk {
public:
    void run(const StepGrid<Cost>& grid, std::int64_t firstBucket, std::int64_t endBucket);
    /// What the last run found, and by point the option of the move that made it.
    std::size_t size() const { return m_size; }
    const StepTable<Cost>& points() const { return m_points; }
    const std::vector<std::int32_t>& options() const { return m_options; }

private:
    struct Point {
        std::int64_t memory;
        Cost cost;
        std::int32_t option;
    };

    void start(std::int64_t firstBucket);
    void findSurvivors(std::int64_t firstBucket, std::int64_t endBucket);
    void markSwept(std::size_t moveIndex, std::int64_t firstBucket, std::int64_t endBucket);
    void markSingles(std::size_t moveIndex, std::int64_t firstBucket, std::int64_t endBucket);
    void addSurvivor(std::size_t bucketInTile, std::size_t moveIndex)
    {
        m_survivors[bucketInTile * m_grid->moves.size() + m_survivorCount[bucketInTile]++]
            = static_cast<std::uint32_t>(moveIndex);
    }
    void mergeBucket(std::int64_t bucket, std::span<const std::uint32_t> survivors);
    void mergeMove(std::int64_t bucket, std::size_t moveIndex);
    std::int64_t bucketOf(std::int64_t memory) const { return (memory - m_grid->origin) >> m_grid->shift; }

    const CellSweeps& m_sweeps = bestCellSweeps();
    const StepGrid<Cost>* m_grid = nullptr;
    /// How far the walk has come in a move's points.
    struct Progress {
        std::size_t reached;     ///< the first point that no bucket has come to, where an exchange lists the points
        std::int64_t nextBucket; ///< the move has no points before this one that a bucket has not come to
        std::size_t nextSingle;  ///< the first point that markSingles() has not come to
    };
    std::vector<Progress> m_progress; ///< by move
    std::array<std::int32_t, StepGrid<Cost>::kMostTile> m_upper{};
    std::array<std::uint8_t, StepGrid<Cost>::kMostTile> m_survives{};
    std::array<std::uint32_t, StepGrid<Cost>::kMostTile> m_survivorCount{};
    std::vector<std::uint32_t> m_survivors; ///< per bucket of the tile, indices of moves
    std::vector<Point> m_stairs;            ///< the envelope inside the current bucket
    std::vector<Point> m_merged;
    Cost m_best = 0; ///< the envelope just below the current bucket
    // These only grow; the size says what is in use.
    StepTable<Cost> m_points;
    std::vector<std::int32_t> m_options;
    std::size_t m_size = 0;
};

} // namespace remat
