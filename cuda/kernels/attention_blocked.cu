// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// S = Q K^T / sqrt(D), P = softmax(S) per row, context = (mask P) V, lse = log of a row's sum of exp(S)
// dV = (mask P)^T dO, dP = mask (dO V^T), dS = P (dP - delta), delta = a row's sum of P dP = dO . context,
// dQ = dS K / sqrt(D), dK = dS^T Q / sqrt(D)        Q, K, V, dO: [T, D] of one head, S, P: [T, T]
// Scores exist only as tiles, after FlashAttention (Dao et al. 2022): the forward corrects a row's maximum and sum as
// further keys come in; the backward makes P again from lse.
#include "cuda/kernels/attention.h"
#include "cuda/kernels/attention_heads.h"

namespace remat::cuda {
namespace {

// ---------------------------------------------------------------------------------------- device helpers

/// Columns of a head that a block sums up: one slice of 64, or two, in groups of which larger heads take several.
bool fitsOneSlice(const AttentionShape& shape)
{
    return shape.headSize <= kTile;
}

unsigned columnGroups(const AttentionShape& shape)
{
    return static_cast<unsigned>(dividedUp(shape.headSize, fitsOneSlice(shape) ? kTile : 2 * kTile));
}

/// What the backward reads.
template <class T> struct BackwardInputs {
    const T* dcontext;
    const T* qkv;
    const float* lse;
    const float* delta;
};

/// For the tile of queries and keys from (query, key) on: kept = mask P and dscores = dS.
template <class T>
__device__ void remakeTile(const Head& head, const DropoutMask& mask, const BackwardInputs<T>& inputs, Index query,
    Index key, const Tiles& tiles, Patch& kept, Patch& dscores)
{
    Patch probabilities{}, gradients{};
    multiplyRows(head.queries(inputs.qkv), query, head.keys(inputs.qkv), key, tiles, probabilities);
    multiplyRows(head.contextRows(inputs.dcontext), query, head.values(inputs.qkv), key, tiles, gradients);
    makeScores(head, query, key, probabilities);
    for (int r = 0; r < kQuad; ++r) {
        const Index i = query + patchRow() + r;
        // Beyond the sequence the products are 0, and P = 1 meets a dO of 0.
        const float lse = i < head.sequence ? inputs.lse[head.number * head.sequence + i] : 0.0F;
        for (int c = 0; c < kQuad; ++c)
            probabilities.at[r][c] = expf(probabilities.at[r][c] - lse);
    }
    kept = probabilities;
    dropPatch(mask, head, query, key, kept);
    dropPatch(mask, head, query, key, gradients);
    for (int r = 0; r < kQuad; ++r) {
        const Index i = query + patchRow() + r;
        const float delta = i < head.sequence ? inputs.delta[head.number * head.sequence + i] : 0.0F;
        for (int c = 0; c < kQuad; ++c)
            dscores.at[r][c] = probabilities.at[r][c] * (gradients.at[r][c] - delta);
    }
}

// ---------------------------------------------------------------------------------------- kernels

/// Block (x, y): a tile of queries against all keys that it sees; y counts groups of Slices * 64 columns of the head.
template <class T, int Slices>
__global__ void __launch_bounds__(kTileThreads, kTileBlocksAtOnce)
    attend(AttentionShape shape, DropoutMask mask, const T* qkv, T* context, float* lse)
{
    REMAT_SHARED_ARRAY(TileQuad, left, kTileQuads);
    REMAT_SHARED_ARRAY(TileQuad, right, kTileQuads);
    const Tiles tiles{left, right};
    const HeadTile tile = HeadTile::ofQueries(shape);
    const Head head(shape, tile.head);
    const Index query = tile.row;
    const Index column = static_cast<Index>(blockIdx.y) * Slices * kTile;
    RunningSoftmax softmax;
    Patch sums[Slices]{};
    for (Index key = 0; key < head.seenByTile(query); key += kTile) {
        Patch scores{};
        multiplyRows(head.queries(qkv), query, head.keys(qkv), key, tiles, scores);
        makeScores(head, query, key, scores);
        float correction[kQuad];
        softmax.add(scores, correction);
        REMAT_UNROLL
        for (int s = 0; s < Slices; ++s)
            for (int r = 0; r < kQuad; ++r)
                for (int c = 0; c < kQuad; ++c)
                    sums[s].at[r][c] *= correction[r];
        dropPatch(mask, head, query, key, scores);
        multiplyPatches<LeftSide::AsIs>(scores, head.values(qkv), key, column, tiles, sums);
    }
    for (int r = 0; r < kQuad; ++r) {
        const Index i = query + patchRow() + r;
        const float sum = softmax.sum(r);
        REMAT_UNROLL
        for (int s = 0; s < Slices; ++s)
            for (int c = 0; c < kQuad; ++c)
                sums[s].at[r][c] /= sum;
        if (threadIdx.x == 0 && blockIdx.y == 0 && i < head.sequence)
            lse[head.number * head.sequence + i] = softmax.maximum[r] + logf(sum);
    }
    REMAT_UNROLL
    for (int s = 0; s < Slices; ++s)
        storePatch(head.contextRows(context), query, column + Index{s} * kTile, sums[s]);
}

/// delta[B,H,T] = dO . context; a warp per row.
template <class T>
__global__ void sum_context_products(AttentionShape shape, const T* dcontext, const T* context, float* delta)
{
    const Index row = rowOfWarp();
    if (row >= shape.batch * shape.heads * shape.sequence)
        return;
    const Head head(shape, row / shape.sequence);
    const Index i = row % shape.sequence;
    const float sum = dotByWarp(head.contextRows(dcontext), head.contextRows(context), i, head.size);
    if (threadIdx.x == 0)
        delta[row] = sum;
}

/// dQ; blocks as in attend.
template <class T, int Slices>
__global__ void __launch_bounds__(kTileThreads, kTileBlocksAtOnce)
    attend_backward_queries(AttentionShape shape, DropoutMask mask, BackwardInputs<T> inputs, T* dqkv)
{
    REMAT_SHARED_ARRAY(TileQuad, left, kTileQuads);
    REMAT_SHARED_ARRAY(TileQuad, right, kTileQuads);
    const Tiles tiles{left, right};
    const HeadTile tile = HeadTile::ofQueries(shape);
    const Head head(shape, tile.head);
    const Index column = static_cast<Index>(blockIdx.y) * Slices * kTile;
    Patch sums[Slices]{};
    for (Index key = 0; key < head.seenByTile(tile.row); key += kTile) {
        Patch kept, dscores;
        remakeTile(head, mask, inputs, tile.row, key, tiles, kept, dscores);
        multiplyPatches<LeftSide::AsIs>(dscores, head.keys(inputs.qkv), key, column, tiles, sums);
    }
    REMAT_UNROLL
    for (int s = 0; s < Slices; ++s)
        storePatch(head.queries(dqkv), tile.row, column + Index{s} * kTile, sums[s], head.scale);
}

/// dK and dV; block (x, y): a tile of keys with all queries that see it, of all heads that share it.  Two slices of
/// both need more registers than two blocks at once leave.
template <class T, int Slices>
__global__ void __launch_bounds__(kTileThreads, Slices == 1 ? kTileBlocksAtOnce : 1)
    attend_backward_keys(AttentionShape shape, DropoutMask mask, BackwardInputs<T> inputs, T* dqkv)
{
    REMAT_SHARED_ARRAY(TileQuad, left, kTileQuads);
    REMAT_SHARED_ARRAY(TileQuad, right, kTileQuads);
    const Tiles tiles{left, right};
    const HeadTile tile = HeadTile::ofKeys(shape);
    const Index column = static_cast<Index>(blockIdx.y) * Slices * kTile;
    Patch ofKeys[Slices]{}, ofValues[Slices]{};
    forQueryTilesOf(shape, tile, [&](const Head& head, Index query) {
        Patch kept, dscores;
        remakeTile(head, mask, inputs, query, tile.row, tiles, kept, dscores);
        multiplyPatches<LeftSide::Transposed>(kept, head.contextRows(inputs.dcontext), query, column, tiles, ofValues);
        multiplyPatches<LeftSide::Transposed>(dscores, head.queries(inputs.qkv), query, column, tiles, ofKeys);
    });
    const Head head = firstHeadOf(shape, tile);
    REMAT_UNROLL
    for (int s = 0; s < Slices; ++s) {
        storePatch(head.keys(dqkv), tile.row, column + Index{s} * kTile, ofKeys[s], head.scale);
        storePatch(head.values(dqkv), tile.row, column + Index{s} * kTile, ofValues[s]);
    }
}

} // namespace

// ---------------------------------------------------------------------------------------- launchers

std::int64_t attentionBackwardWorkspaceBytes(const AttentionShape& shape)
{
    return shape.batch * shape.heads * shape.sequence * static_cast<std::int64_t>(sizeof(float));
}

template <class T>
void attentionForward(
    const AttentionShape& shape, const Dropout& dropout, const T* qkv, T* context, float* lse, Stream stream)
{
    const auto attention_forward = fitsOneSlice(shape) ? attend<T, 1> : attend<T, 2>;
    REMAT_LAUNCH(attention_forward, dim3(tileBlocks(shape, shape.heads), columnGroups(shape)), kTileBlock, 0, stream)
    (shape, DropoutMask(dropout), qkv, context, lse);
}

template <class T>
void attentionBackward(const AttentionShape& shape, const Dropout& dropout, const T* dcontext, const T* qkv,
    const T* context, const float* lse, T* dqkv, float* workspace, Stream stream)
{
    REMAT_LAUNCH(sum_context_products<T>, gridOfRows(shape.batch * shape.heads * shape.sequence), kRowsBlock, 0, stream)
    (shape, dcontext, context, workspace);
    const BackwardInputs<T> inputs{dcontext, qkv, lse, workspace};
    const DropoutMask mask(dropout);
    const auto attention_backward_queries
        = fitsOneSlice(shape) ? attend_backward_queries<T, 1> : attend_backward_queries<T, 2>;
    REMAT_LAUNCH(
        attention_backward_queries, dim3(tileBlocks(shape, shape.heads), columnGroups(shape)), kTileBlock, 0, stream)
    (shape, mask, inputs, dqkv);
    const auto attention_backward_keys = fitsOneSlice(shape) ? attend_backward_keys<T, 1> : attend_backward_keys<T, 2>;
    REMAT_LAUNCH(attention_backward_keys, dim3(tileBlocks(shape, shape.keyValueHeads), columnGroups(shape)), kTileBlock,
        0, stream)
    (shape, mask, inputs, dqkv);
}

template void attentionForward(const AttentionShape&, const Dropout&, const float*, float*, float*, Stream);
template void attentionForward(const AttentionShape&, const Dropout&, const bf16*, bf16*, float*, Stream);
template void attentionBackward(const AttentionShape&, const Dropout&, const float*, const float*, const float*,
    const float*, float*, float*, Stream);
template void attentionBackward(
    const AttentionShape&, const Dropout&, const bf16*, const bf16*, const bf16*, const float*, bf16*, float*, Stream);

} // namespace remat::cuda
