// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/run/kernels/kernels.h"
#include "cuda/kernels/tiles.h"
#include "cuda/language/philox.h"
#include "cuda/language/reduce.h"
#include "cuda/language/row_warps.h"

/// What the blocked and the stored variant of attention share: where a head's rows lie, what a query sees, softmax of
/// a tile's rows, masks of dropout.
namespace remat::cuda {

/// One head of one sequence.
struct Head {
    Index sequence, size;
    Index number; // b * H + h
    bool causal;
    float scale;                       // of the scores
    Index rowWidth, query, key, value; // of qkv: elements from row to row, and to the first of each kind
    Index contextWidth, context;

    __device__ Head(const kernels::AttentionShape& shape, Index headNumber)
        : sequence(shape.sequence),
          size(shape.headSize),
          number(headNumber),
          causal(shape.causal),
          scale(1.0F / sqrtf(static_cast<float>(shape.headSize))),
          rowWidth((shape.heads + 2 * shape.keyValueHeads) * size),
          query(headNumber / shape.heads * sequence * rowWidth + headNumber % shape.heads * size),
          key(headNumber / shape.heads * sequence * rowWidth + shape.heads * size
              + headNumber % shape.heads / (shape.heads / shape.keyValueHeads) * size),
          value(key + shape.keyValueHeads * size),
          contextWidth(shape.heads * size),
          context(headNumber / shape.heads * sequence * contextWidth + headNumber % shape.heads * size)
    { }

    /// Rows of a tensor like qkv [N,(H+2K)D], like the context [N,HD], and like the probabilities [B,H,T,T].
    template <class E> __device__ Rows<E> queries(E* qkv) const { return {qkv + query, rowWidth, sequence, size}; }
    template <class E> __device__ Rows<E> keys(E* qkv) const { return {qkv + key, rowWidth, sequence, size}; }
    template <class E> __device__ Rows<E> values(E* qkv) const { return {qkv + value, rowWidth, sequence, size}; }
    template <class E> __device__ Rows<E> contextRows(E* tensor) const
    {
        return {tensor + context, contextWidth, sequence, size};
    }
    template <class E> __device__ Rows<E> probabilityRows(E* tensor) const
    {
        return {tensor + number * sequence * sequence, sequence, sequence, sequence};
    }

    /// How many keys a query sees, and how many the last of the tile of queries that begins at `first`.  Queries
    /// beyond the sequence see all keys: they are zeros, whose results are dropped.
    __device__ Index seen(Index i) const { return causal ? min(i + 1, sequence) : sequence; }
    __device__ Index seenByTile(Index first) const { return seen(first + kTile - 1); }
};

// ---------------------------------------------------------------------------------------- who works on what

/// Blocks are numbered tile by tile, the heads of a tile together, so that tiles with more work can come first.
inline unsigned tileBlocks(const kernels::AttentionShape& shape, Index heads)
{
    return static_cast<unsigned>(shape.batch * heads * dividedUp(shape.sequence, kTile));
}

/// What the calling block works on: a head of B*heads, and the first row of its tile.
struct HeadTile {
    Index head, row;

    /// The last tiles first: of a causal head they see the most keys.
    __device__ static HeadTile ofQueries(const kernels::AttentionShape& shape)
    {
        const Index heads = shape.batch * shape.heads;
        const auto block = static_cast<Index>(blockIdx.x);
        return {block % heads, (dividedUp(shape.sequence, kTile) - 1 - block / heads) * kTile};
    }
    /// The first tiles first: they are seen by the most queries.  head counts key/value heads.
    __device__ static HeadTile ofKeys(const kernels::AttentionShape& shape)
    {
        const Index heads = shape.batch * shape.keyValueHeads;
        const auto block = static_cast<Index>(blockIdx.x);
        return {block % heads, block / heads * kTile};
    }
};

/// The first of the heads that share the tile's keys and values.
__device__ inline Head firstHeadOf(const kernels::AttentionShape& shape, const HeadTile& keys)
{
    return {shape, keys.head * (shape.heads / shape.keyValueHeads)};
}

/// body(head, query) for every tile of queries that sees the tile of keys, the heads that share the keys one after
/// another: what adds up over them has one order.
template <class Body>
__device__ inline void forQueryTilesOf(const kernels::AttentionShape& shape, const HeadTile& keys, const Body& body)
{
    const Index sharing = shape.heads / shape.keyValueHeads;
    for (Index i = 0; i < sharing; ++i) {
        const Head head(shape, keys.head * sharing + i);
        for (Index query = head.causal ? keys.row : 0; query < head.sequence; query += kTile)
            body(head, query);
    }
}

// ---------------------------------------------------------------------------------------- sums of P dP

/// The product of row i of a and row i of b over their first `count` columns; all lanes must call.
template <class T>
__device__ inline float dotByWarp(const Rows<const T>& a, const Rows<const T>& b, Index i, Index count)
{
    float sum = 0.0F;
    for (Index c = threadIdx.x; c < count; c += kWarp)
        sum += load(a.data, i * a.stride + c) * load(b.data, i * b.stride + c);
    return overWarp<Sum>(sum);
}

// ---------------------------------------------------------------------------------------- rows of a tile

/// Over the 16 threads that hold a tile's row: half a warp.  Every one gets the result; all must call.
template <class Operation> __device__ inline float overTileRow(float value)
{
    static_assert(2 * kTileSide == kWarp);
    for (int distance = kTileSide / 2; distance > 0; distance /= 2)
        value = Operation::combine(value, __shfl_xor_sync(kAllLanes, value, distance));
    return value;
}

/// Products of queries and keys become scores: scaled, and -infinity where a query does not see a key.
__device__ inline void makeScores(const Head& head, Index query, Index key, Patch& products)
{
    for (int r = 0; r < kQuad; ++r) {
        const Index seen = head.seen(query + patchRow() + r) - key - patchColumn();
        for (int c = 0; c < kQuad; ++c)
            products.at[r][c] = c < seen ? products.at[r][c] * head.scale : Maximum::kNeutral;
    }
}

/// The softmax of the patch's four rows, while tile after tile of scores comes in (Milakov & Gimelshein 2018).
class RunningSoftmax {
public:
    float maximum[kQuad];

    __device__ RunningSoftmax()
    {
        for (int r = 0; r < kQuad; ++r) {
            maximum[r] = Maximum::kNeutral;
            m_sum[r] = 0.0F;
        }
    }

    /// Scores become exp(score - maximum).  What was made of earlier tiles is to be multiplied by correction[r], for
    /// the maximum may have grown.  Every query sees the first key, so that the maximum is a number from then on.
    __device__ void add(Patch& scores, float (&correction)[kQuad])
    {
        for (int r = 0; r < kQuad; ++r) {
            float most = maximum[r];
            for (int c = 0; c < kQuad; ++c)
                most = Maximum::combine(most, scores.at[r][c]);
            most = overTileRow<Maximum>(most);
            correction[r] = expf(maximum[r] - most);
            maximum[r] = most;
            m_sum[r] *= correction[r];
            for (int c = 0; c < kQuad; ++c)
                m_sum[r] += scores.at[r][c] = expf(scores.at[r][c] - most);
        }
    }

    /// Over all that was added to row r; all threads of the row must call.
    __device__ float sum(int r) const { return overTileRow<Sum>(m_sum[r]); }

private:
    float m_sum[kQuad]; // of the calling thread's columns
};

// ---------------------------------------------------------------------------------------- dropout

/// The factors of elements first ... first + 3 of a mask.
__device__ inline Quad factorsFrom(const DropoutMask& mask, std::uint64_t first)
{
    const int skip = static_cast<int>(first % 4);
    const PhiloxBlock block = philox(mask.random, first / 4);
    std::uint32_t words[2 * kQuad]{};
    for (int k = 0; k < kQuad; ++k)
        words[k] = block.words[k];
    if (skip != 0) {
        const PhiloxBlock next = philox(mask.random, first / 4 + 1);
        for (int k = 0; k < kQuad; ++k)
            words[kQuad + k] = next.words[k];
    }
    // One place at a time, because registers cannot be indexed by what is known only at run time.
    for (int k = 0; k < kQuad - 1; ++k)
        for (int i = 0; i < 2 * kQuad - 1 && k < skip; ++i)
            words[i] = words[i + 1];
    Quad factors;
    for (int k = 0; k < kQuad; ++k)
        factors.x[k] = mask.factor(words[k]);
    return factors;
}

/// values *= mask, for a tile of probabilities or of their gradients.
__device__ inline void dropPatch(const DropoutMask& mask, const Head& head, Index query, Index key, Patch& values)
{
    if (mask.threshold == 0)
        return;
    for (int r = 0; r < kQuad; ++r) {
        const Index row = head.number * head.sequence + query + patchRow() + r;
        const Quad factors = factorsFrom(mask, static_cast<std::uint64_t>(row * head.sequence + key + patchColumn()));
        for (int c = 0; c < kQuad; ++c)
            values.at[r][c] *= factors.x[c];
    }
}

} // namespace remat::cuda
