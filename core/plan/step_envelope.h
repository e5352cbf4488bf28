// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace remat {

/// Costs in a solve: excess nanoseconds * (most reruns + 1) + reruns, so that one comparison is the lexicographic one.
/// Where a chain's numbers do not fit 62 bits that way, the same code runs with the wide type.
using NarrowCost = std::int64_t;
__extension__ typedef __int128 WideCost;

/// A falling step function: the least cost with at most some memory.  Infinite below memory.front(); at memory[i] and
/// above, up to the next entry, cost[i].  Memory rises and cost falls strictly.
template <class Cost> struct StepTable {
    std::vector<std::int64_t> memory;
    std::vector<Cost> cost;

    std::size_t size() const { return memory.size(); }
};

/// One way to put a stage before a suffix: m' = max(m + keep, floor), c' = c + cost for every point of a table.
template <class Cost> struct StageMove {
    std::int64_t keep = 0;
    std::int64_t floor = 0;
    Cost cost = 0;
    int table = 0; ///< which of the suffix tables it extends
    int option = 0;
};

template <class Cost> using SuffixTables = std::array<const StepTable<Cost>*, 2>;

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

private:
    static constexpr std::size_t kMostTile = 512;

    struct Point {
        std::int64_t memory;
        Cost cost;
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
    };

    void layGrid(std::span<const StageMove<Cost>> moves, const SuffixTables<Cost>& tables);
    void sample(const StepTable<Cost>& table, std::int64_t origin, Samples& samples) const;
    PlacedMove place(const StageMove<Cost>& move, const StepTable<Cost>& table) const;
    void findSurvivors(std::int64_t firstBucket, std::int64_t endBucket);
    void mergeBucket(std::int64_t bucket, std::span<const std::uint32_t> survivors,
        std::span<const StageMove<Cost>> moves, const SuffixTables<Cost>& tables);
    void mergeMove(std::int64_t bucket, const StageMove<Cost>& move, std::int64_t cell, const StepTable<Cost>& table);
    std::int32_t rounded(Cost cost) const { return static_cast<std::int32_t>(cost >> m_costShift); }

    std::int64_t m_origin = 0; ///< memory at the start of bucket 0
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
};

} // namespace remat
