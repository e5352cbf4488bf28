// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/run/kernels/dropout.h"
#include "core/run/kernels/gemm.h"

/// What the blocked and the stored variant of attention share: the geometry of a head inside qkv, and block sizes.
namespace remat::kernels::REMAT_ISA {

/// Scores are worked on in blocks of kQueries x kKeys; constants, so that bits and scratch depend on no cache or
/// thread.
inline constexpr Index kQueries = 128;
inline constexpr Index kKeys = 256;
static_assert(kKeys <= kRandomWindow);

/// A worker's scratch as attention uses it: packing room of the products, then two blocks of scores.
struct AttentionScratch {
    float* packing;
    float* first;
    float* second;

    explicit AttentionScratch(float* scratch)
        : packing(scratch),
          first(scratch + kPackingFloats),
          second(first + kQueries * kKeys)
    { }
};
static_assert((kPackingFloats + 2 * kQueries * kKeys) * 4 <= kScratchBytesPerWorker);

/// One head of one sequence: where its rows begin in qkv, in the context and in [B,H,T] and [B,H,T,T] tensors.
struct Head {
    Index sequence, size;
    Index qkvStride, contextStride;            // floats from one row to the next
    Index queryOffset, keyOffset, valueOffset; // floats from the start of qkv
    Index contextOffset;
    Index number; // b * H + h
    bool causal;
    float scale; // of the scores

    Head(const AttentionShape& shape, Index headNumber)
        : sequence(shape.sequence),
          size(shape.headSize),
          qkvStride(shape.rowWidth()),
          contextStride(shape.heads * shape.headSize),
          queryOffset(headNumber / shape.heads * sequence * qkvStride + headNumber % shape.heads * size),
          keyOffset(headNumber / shape.heads * sequence * qkvStride + contextStride
              + headNumber % shape.heads / (shape.heads / shape.keyValueHeads) * size),
          valueOffset(keyOffset + shape.keyValueHeads * size),
          contextOffset(headNumber / shape.heads * sequence * contextStride + headNumber % shape.heads * size),
          number(headNumber),
          causal(shape.causal),
          scale(1.0F / __builtin_sqrtf(static_cast<float>(size)))
    { }

    /// Queries of the block that begins at `query`.
    Index queries(Index query) const { return least(kQueries, sequence - query); }
    /// Keys that any query of the block that begins at `query` sees.
    Index keysSeenByBlock(Index query) const { return causal ? query + queries(query) : sequence; }
    /// Keys of the block of keys that begins at `key`, as far as the block of queries sees them.
    Index keys(Index query, Index key) const { return least(kKeys, keysSeenByBlock(query) - key); }
    /// How many of `count` keys from `key` on a single query sees.
    Index visible(Index query, Index key, Index count) const
    {
        if (!causal || query - key + 1 >= count)
            return count;
        return query - key + 1 > 0 ? query - key + 1 : 0;
    }
    Index probabilityRow(Index query) const { return (number * sequence + query) * sequence; }

    MatrixView queryRows(const float* qkv, Index query, bool transposed = false) const
    {
        return {qkv + queryOffset + query * qkvStride, qkvStride, transposed};
    }
    MatrixView keyRows(const float* qkv, Index key, bool transposed = false) const
    {
        return {qkv + keyOffset + key * qkvStride, qkvStride, transposed};
    }
    MatrixView valueRows(const float* qkv, Index key, bool transposed = false) const
    {
        return {qkv + valueOffset + key * qkvStride, qkvStride, transposed};
    }
    MatrixView contextRows(const float* context, Index query) const
    {
        return {context + contextOffset + query * contextStride, contextStride};
    }
};

inline void zero(float* p, Index count)
{
    __builtin_memset(p, 0, static_cast<std::size_t>(count) * sizeof(float));
}

/// Zeroes one head's part of `rows` rows.
inline void zeroRows(float* p, Index rows, Index stride, Index size)
{
    for (Index row = 0; row < rows; ++row)
        zero(p + row * stride, size);
}

/// body(head, query) for every block of queries of every head; the pieces write disjoint rows.
template <class Body> inline void forQueryBlocks(const Workers& workers, const AttentionShape& shape, const Body& body)
{
    const Index blocks = (shape.sequence + kQueries - 1) / kQueries;
    workers.pool.parallelFor(shape.batch * shape.heads * blocks, [&](Index piece, int worker) {
        // The last blocks of a causal head have the most work, so they are handed out first.
        const Index block = blocks - 1 - piece / (shape.batch * shape.heads);
        body(Head(shape, piece % (shape.batch * shape.heads)), block * kQueries,
            AttentionScratch(scratchOf(workers, worker)));
    });
}

/// body(head, isFirst) for every head: for results that several blocks of queries, and all heads that share keys and
/// values, add to.  A piece takes the heads of one group in order; isFirst tells the one that finds nothing there.
/// Pieces for dK and dV by keys and for dQ by queries would be more, and make every score twice.
template <class Body> inline void forHeads(const Workers& workers, const AttentionShape& shape, const Body& body)
{
    const Index heads = shape.heads / shape.keyValueHeads;
    workers.pool.parallelFor(shape.batch * shape.keyValueHeads, [&](Index piece, int worker) {
        for (Index i = 0; i < heads; ++i)
            body(Head(shape, piece * heads + i), AttentionScratch(scratchOf(workers, worker)), i == 0);
    });
}

/// Largest of count >= 1 numbers.
inline float largestOf(const float* row, Index count)
{
    Vec most = all(row[0]);
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        most = larger(most, load(row + i));
    float result = largestLane(most);
    for (; i < count; ++i)
        result = row[i] > result ? row[i] : result;
    return result;
}

/// row[i] = exp(row[i] - shift) for i < count; returns the sum.
inline float exponentialsAndSum(float* row, Index count, float shift)
{
    Vec sum0{}, sum1{};
    Index i = 0;
    for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
        const Vec e0 = exponential(load(row + i) - shift);
        const Vec e1 = exponential(load(row + i + kLanes) - shift);
        store(row + i, e0);
        store(row + i + kLanes, e1);
        sum0 += e0;
        sum1 += e1;
    }
    float sum = 0.0F;
    for (; i < count; ++i) {
        row[i] = exponential(row[i] - shift);
        sum += row[i];
    }
    return sumOfLanes(sum0 + sum1) + sum;
}

inline void scaleRow(float* row, Index count, float factor)
{
    forVectors(count, [=](Index i, auto read, auto write) { write(row + i, read(row + i) * factor); });
}

inline float dotProduct(const float* a, const float* b, Index count)
{
    Vec sum{};
    forVectors(count, [&](Index i, auto read, auto) { sum += read(a + i) * read(b + i); });
    return sumOfLanes(sum);
}

} // namespace remat::kernels::REMAT_ISA
