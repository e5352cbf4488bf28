// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/plan/exchange.h"
#include "core/plan/step_table.h"
#include "core/plan/step_walk.h"

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
/// Ranges of buckets are shared out over threads where there are many; the result does not depend on how many.
template <class Cost> class StepEnvelope {
public:
    /// Precondition: at least one move, and every move's table is there and not empty.  `pool` may be null.
    StepTable<Cost> build(
        std::span<const StageMove<Cost>> moves, const SuffixTables<Cost>& tables, ThreadPool* pool = nullptr);
    /// The same, faster, where `last` is the whole result of this envelope's last call, the moves all extend it, have
    /// the options, keeps and costs of that call's, and no lower floors.
    StepTable<Cost> buildAgain(
        std::span<const StageMove<Cost>> moves, const StepTable<Cost>& last, ThreadPool* pool = nullptr);

private:
    StepTable<Cost> buildMoves(const SuffixTables<Cost>& tables, ThreadPool* pool);
    void layGrid(std::span<const StageMove<Cost>> moves, const SuffixTables<Cost>& tables);
    void sample(const StepTable<Cost>& table, std::int64_t origin, StepSamples& samples) const;
    PlacedStepMove<Cost> place(const StageMove<Cost>& move, const StepTable<Cost>& points) const;
    void sweepOnlyShared(PlacedStepMove<Cost>& placed) const;
    std::size_t walk(ThreadPool* pool);
    StepTable<Cost> joined(std::size_t ranges, ThreadPool* pool);

    std::vector<StageMove<Cost>> m_moves;
    Exchange<Cost> m_exchange; ///< of buildAgain(): ranks m_moves and says what to put them before
    StepGrid<Cost> m_grid;
    std::vector<StepWalk<Cost>> m_walks;     ///< by range of buckets
    std::size_t m_lastSize = 0;              ///< points of the last result
    std::vector<std::int32_t> m_firstOption; ///< by point of the last result
};

} // namespace remat
