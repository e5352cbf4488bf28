// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/plan/cell_sweeps.h"
#include "core/plan/exchange.h"
#include "core/plan/step_table.h"

namespace remat {

/// The lower envelope of many shifted copies of one or two step functions: the inner loop of the flat planner.
///
/// With K moves and B points there are K*B candidates, of which only about B survive, so most must be rejected without
/// being looked at.  The memory axis is cut into equal buckets of a few points each, and each table is sampled once at
/// the borders of buckets and of their quarters, rounded down to 32 bits.  Then per bucket
///   upper = min over moves of (sample at or before the bucket's start) + cost     bounds the envelope in the bucket,
///   lower = (sample at or after the bucket's end) + cost                          bounds a move's candidates in it,
/// both over contiguous arrays that the compiler vectorises; only where lower < upper are the move's exact points of
/// the bucket merged.  The result is exact: samples only decide what is worth looking at.
///
/// O(K * B / 8) for the two sweeps and O(survivors log survivors per bucket); scratch memory is kept between calls.
template <class Cost> class StepEnvelope {
public:
    /// Precondition: at least one move, and every move's table is there and not empty.
    StepTable<Cost> build(std::span<const StageMove<Cost>> moves, const SuffixTables<Cost>& tables);
    /// The same, faster, where `last` is the whole result of this envelope's last call, the moves all extend it, have
    /// the options, keeps and costs of that call's, and no lower floors.
    StepTable<Cost> buildAgain(std::span<const StageMove<Cost>> moves, const StepTable<Cost>& last);

private:
    static constexpr std::size_t kMostTile = 512;

    struct Point {
        std::int64_t memory;
        Cost cost;
        std::int32_t option; ///< of the move that made it
    };
    /// A table sampled at origin + cell * bucket width + phase * (bucket width / phases).
    struct Samples {
        std::int64_t origin = 0;
        std::int64_t cells = 0;                    ///< from here on every sample is the table's last cost
        std::int64_t stride = 0;                   ///< samples of one phase
        std::vector<std::int32_t> cost;            ///< by phase, then by cell; rounded down; padded with the last cost
        std::vector<std::uint32_t> lastAtOrBefore; ///< by cell: index of the point that phase 0 shows
    };
    /// A move on the grid of buckets.
    struct PlacedMove {
        const std::int32_t* samples; ///< of its table
        std::int64_t upperSample;    ///< index at bucket 0 of the sample at or before the bucket's start
        std::int64_t lowerSample;    ///< index at bucket 0 of the sample at or after the bucket's end
        std::int64_t cell;           ///< of lastAtOrBefore at bucket 0
        std::int32_t upperCost;
        std::int32_t lowerCost;
        std::int64_t firstUpper; ///< first bucket that the move bounds from above
        std::int64_t firstBucket;
        std::int64_t lastBucket; ///< buckets that hold candidates of the move
        std::size_t reached;     ///< the first point that no bucket has come to, where an exchange lists the points
        std::int64_t nextBucket; ///< the move has no points before this one that a bucket has not come to
    };

    StepTable<Cost> buildMoves(const SuffixTables<Cost>& tables);
    const StepTable<Cost>& pointsOf(std::size_t move, const SuffixTables<Cost>& tables) const;
    void layGrid(const SuffixTables<Cost>& tables);
    void sample(const StepTable<Cost>& table, std::int64_t origin, Samples& samples) const;
    PlacedMove place(const StageMove<Cost>& move, const StepTable<Cost>& table) const;
    void findSurvivors(std::int64_t firstBucket, std::int64_t endBucket);
    void mergeBucket(std::int64_t bucket, std::span<const std::uint32_t> survivors, const SuffixTables<Cost>& tables);
    void mergeMove(std::int64_t bucket, std::size_t moveIndex, const StepTable<Cost>& points);
    std::int32_t rounded(Cost cost) const { return static_cast<std::int32_t>(cost >> m_costShift); }

    const CellSweeps& m_sweeps = bestCellSweeps();
    std::vector<StageMove<Cost>> m_moves;
    std::optional<Exchange<Cost>> m_exchange; ///< of buildAgain(): ranks m_moves and says what to put them before
    std::int64_t m_origin = 0;                ///< memory at the start of bucket 0
    std::int64_t m_buckets = 0;
    std::size_t m_tile = kMostTile; ///< buckets that are swept together, a multiple of 8
    int m_shift = 0;                ///< a bucket is 2^shift bytes wide
    int m_phaseBits = 0;
    int m_costShift = 0;
    std::array<Samples, 2> m_samples;
    std::vector<PlacedMove> m_placed;
    std::array<std::int32_t, kMostTile> m_upper{};
    std::array<std::uint8_t, kMostTile> m_survives{};
    std::array<std::uint32_t, kMostTile> m_survivorCount{};
    std::vector<std::uint32_t> m_survivors; ///< per bucket of the tile, indices of moves
    std::vector<Point> m_stairs;            ///< the envelope inside the current bucket
    std::vector<Point> m_merged;
    Cost m_best = 0; ///< the envelope just below the current bucket
    StepTable<Cost> m_result;
    std::vector<std::int32_t> m_firstOption; ///< by point of the result
};

} // namespace remat
