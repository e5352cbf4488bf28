// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Attention that stores P and its gradient [B,H,T,T], as two ops and their backwards:
// S = Q K^T / sqrt(D), P = softmax(S) per row        dS = P (dP - a row's sum of P dP),
//                                                    dQ = dS K / sqrt(D), dK = dS^T Q / sqrt(D)
// context = (mask P) V                               dP = mask (dO V^T), dV = (mask P)^T dO
// Q, K, V, dO: [T, D] of one head, S, P: [T, T]
#include "cuda/kernels/attention.h"
#include "cuda/kernels/attention_heads.h"

namespace remat::cuda {
namespace {

// ---------------------------------------------------------------------------------------- device helpers

template <class E> __device__ Patch loadPatch(const Rows<E>& rows, Index row, Index column)
{
    Patch patch;
    for (int r = 0; r < kQuad; ++r) {
        const Quad quad = loadQuad(rows, row + patchRow() + r, column + patchColumn());
        for (int c = 0; c < kQuad; ++c)
            patch.at[r][c] = quad.x[c];
    }
    return patch;
}

/// dS of the tile from (query, key) on, from P and dP.
template <class T>
__device__ Patch scoreGradients(
    const Head& head, Index query, Index key, const T* dprobabilities, const T* probabilities, const float* delta)
{
    Patch dscores = loadPatch(head.probabilityRows(dprobabilities), query, key);
    const Patch ofRows = loadPatch(head.probabilityRows(probabilities), query, key);
    for (int r = 0; r < kQuad; ++r) {
        const Index i = query + patchRow() + r;
        const float ofRow = i < head.sequence ? delta[head.number * head.sequence + i] : 0.0F;
        for (int c = 0; c < kQuad; ++c)
            dscores.at[r][c] = ofRows.at[r][c] * (dscores.at[r][c] - ofRow);
    }
    return dscores;
}

/// The first column of the head that the calling block makes: block (x, y) has the 64 columns from 64 y on.
__device__ Index firstColumn()
{
    return static_cast<Index>(blockIdx.y) * kTile;
}

// ---------------------------------------------------------------------------------------- kernels

/// Block x: a tile of queries.  A first walk over the keys finds each row's maximum and sum, a second writes P.
template <class T>
__global__ void __launch_bounds__(kTileThreads, kTileBlocksAtOnce)
    make_probabilities(AttentionShape shape, const T* qkv, T* probabilities)
{
    REMAT_SHARED_ARRAY(TileQuad, left, kTileQuads);
    REMAT_SHARED_ARRAY(TileQuad, right, kTileQuads);
    const Tiles tiles{left, right};
    const HeadTile tile = HeadTile::ofQueries(shape);
    const Head head(shape, tile.head);
    const Index seen = head.seenByTile(tile.row);
    RunningSoftmax softmax;
    for (Index key = 0; key < seen; key += kTile) {
        Patch scores{};
        multiplyRows(head.queries(qkv), tile.row, head.keys(qkv), key, tiles, scores);
        makeScores(head, tile.row, key, scores);
        float correction[kQuad]; // of nothing that is kept
        softmax.add(scores, correction);
    }
    float sum[kQuad];
    for (int r = 0; r < kQuad; ++r)
        sum[r] = softmax.sum(r);
    for (Index key = 0; key < head.sequence; key += kTile) {
        Patch scores{};
        if (key < seen) {
            multiplyRows(head.queries(qkv), tile.row, head.keys(qkv), key, tiles, scores);
            makeScores(head, tile.row, key, scores);
            for (int r = 0; r < kQuad; ++r)
                for (int c = 0; c < kQuad; ++c)
                    scores.at[r][c] = expf(scores.at[r][c] - softmax.maximum[r]) / sum[r];
        }
        storePatch(head.probabilityRows(probabilities), tile.row, key, scores);
    }
}

/// Block (x, y): a tile of queries.
template <class T>
__global__ void __launch_bounds__(kTileThreads, kTileBlocksAtOnce)
    weigh_values(AttentionShape shape, DropoutMask mask, const T* probabilities, const T* qkv, T* context)
{
    REMAT_SHARED_ARRAY(TileQuad, left, kTileQuads);
    REMAT_SHARED_ARRAY(TileQuad, right, kTileQuads);
    const HeadTile tile = HeadTile::ofQueries(shape);
    const Head head(shape, tile.head);
    Patch sums[1]{};
    for (Index key = 0; key < head.seenByTile(tile.row); key += kTile) {
        Patch kept = loadPatch(head.probabilityRows(probabilities), tile.row, key);
        dropPatch(mask, head, tile.row, key, kept);
        multiplyPatches<LeftSide::AsIs>(kept, head.values(qkv), key, firstColumn(), {left, right}, sums);
    }
    storePatch(head.contextRows(context), tile.row, firstColumn(), sums[0]);
}

/// dP; block (x, y): a tile of queries with the y-th tile of keys.
template <class T>
__global__ void __launch_bounds__(kTileThreads, kTileBlocksAtOnce)
    probability_gradients(AttentionShape shape, DropoutMask mask, const T* dcontext, const T* qkv, T* dprobabilities)
{
    REMAT_SHARED_ARRAY(TileQuad, left, kTileQuads);
    REMAT_SHARED_ARRAY(TileQuad, right, kTileQuads);
    const HeadTile tile = HeadTile::ofQueries(shape);
    const Head head(shape, tile.head);
    const Index key = static_cast<Index>(blockIdx.y) * kTile;
    Patch gradients{};
    if (key < head.seenByTile(tile.row)) {
        multiplyRows(head.contextRows(dcontext), tile.row, head.values(qkv), key, {left, right}, gradients);
        dropPatch(mask, head, tile.row, key, gradients);
        for (int r = 0; r < kQuad; ++r)
            for (int c = 0; c < kQuad; ++c)
                if (key + patchColumn() + c >= head.seen(tile.row + patchRow() + r))
                    gradients.at[r][c] = 0.0F;
    }
    storePatch(head.probabilityRows(dprobabilities), tile.row, key, gradients);
}

/// dV; block (x, y): a tile of keys.
template <class T>
__global__ void __launch_bounds__(kTileThreads, kTileBlocksAtOnce)
    value_gradients(AttentionShape shape, DropoutMask mask, const T* dcontext, const T* probabilities, T* dqkv)
{
    REMAT_SHARED_ARRAY(TileQuad, left, kTileQuads);
    REMAT_SHARED_ARRAY(TileQuad, right, kTileQuads);
    const HeadTile tile = HeadTile::ofKeys(shape);
    Patch sums[1]{};
    forQueryTilesOf(shape, tile, [&](const Head& head, Index query) {
        Patch kept = loadPatch(head.probabilityRows(probabilities), query, tile.row);
        dropPatch(mask, head, query, tile.row, kept);
        multiplyPatches<LeftSide::Transposed>(
            kept, head.contextRows(dcontext), query, firstColumn(), {left, right}, sums);
    });
    storePatch(firstHeadOf(shape, tile).values(dqkv), tile.row, firstColumn(), sums[0]);
}

/// delta[B,H,T]: a row's sum of P dP; a warp per row.
template <class T>
__global__ void sum_probability_products(
    AttentionShape shape, const T* dprobabilities, const T* probabilities, float* delta)
{
    const Index row = rowOfWarp();
    if (row >= shape.batch * shape.heads * shape.sequence)
        return;
    const Head head(shape, row / shape.sequence);
    const Index i = row % shape.sequence;
    const float sum
        = dotByWarp(head.probabilityRows(dprobabilities), head.probabilityRows(probabilities), i, head.seen(i));
    if (threadIdx.x == 0)
        delta[row] = sum;
}

/// dQ; block (x, y): a tile of queries.
template <class T>
__global__ void __launch_bounds__(kTileThreads, kTileBlocksAtOnce) query_gradients(
    AttentionShape shape, const T* dprobabilities, const T* probabilities, const T* qkv, const float* delta, T* dqkv)
{
    REMAT_SHARED_ARRAY(TileQuad, left, kTileQuads);
    REMAT_SHARED_ARRAY(TileQuad, right, kTileQuads);
    const HeadTile tile = HeadTile::ofQueries(shape);
    const Head head(shape, tile.head);
    Patch sums[1]{};
    for (Index key = 0; key < head.seenByTile(tile.row); key += kTile)
        multiplyPatches<LeftSide::AsIs>(scoreGradients(head, tile.row, key, dprobabilities, probabilities, delta),
            head.keys(qkv), key, firstColumn(), {left, right}, sums);
    storePatch(head.queries(dqkv), tile.row, firstColumn(), sums[0], head.scale);
}

/// dK; block (x, y): a tile of keys.
template <class T>
__global__ void __launch_bounds__(kTileThreads, kTileBlocksAtOnce) key_gradients(
    AttentionShape shape, const T* dprobabilities, const T* probabilities, const T* qkv, const float* delta, T* dqkv)
{
    REMAT_SHARED_ARRAY(TileQuad, left, kTileQuads);
    REMAT_SHARED_ARRAY(TileQuad, right, kTileQuads);
    const HeadTile tile = HeadTile::ofKeys(shape);
    Patch sums[1]{};
    forQueryTilesOf(shape, tile, [&](const Head& head, Index query) {
        multiplyPatches<LeftSide::Transposed>(
            scoreGradients(head, query, tile.row, dprobabilities, probabilities, delta), head.queries(qkv), query,
            firstColumn(), {left, right}, sums);
    });
    const Head head = firstHeadOf(shape, tile);
    storePatch(head.keys(dqkv), tile.row, firstColumn(), sums[0], head.scale);
}

// ---------------------------------------------------------------------------------------- launchers

/// Tiles of rows of all heads, each with all tiles of `columns`.
dim3 tileGrid(const AttentionShape& shape, Index heads, Index columns)
{
    return {tileBlocks(shape, heads), static_cast<unsigned>(dividedUp(columns, kTile))};
}

} // namespace

template <class T> void probabilitiesForward(const AttentionShape& shape, const T* qkv, T* probabilities, Stream stream)
{
    REMAT_LAUNCH(make_probabilities<T>, tileBlocks(shape, shape.heads), kTileBlock, 0, stream)
    (shape, qkv, probabilities);
}

template <class T>
void contextForward(const AttentionShape& shape, const Dropout& dropout, const T* probabilities, const T* qkv,
    T* context, Stream stream)
{
    REMAT_LAUNCH(weigh_values<T>, tileGrid(shape, shape.heads, shape.headSize), kTileBlock, 0, stream)
    (shape, DropoutMask(dropout), probabilities, qkv, context);
}

template <class T>
void contextBackward(const AttentionShape& shape, const Dropout& dropout, const T* dcontext, const T* probabilities,
    const T* qkv, T* dprobabilities, T* dqkv, Stream stream)
{
    const DropoutMask mask(dropout);
    REMAT_LAUNCH(probability_gradients<T>, tileGrid(shape, shape.heads, shape.sequence), kTileBlock, 0, stream)
    (shape, mask, dcontext, qkv, dprobabilities);
    REMAT_LAUNCH(value_gradients<T>, tileGrid(shape, shape.keyValueHeads, shape.headSize), kTileBlock, 0, stream)
    (shape, mask, dcontext, probabilities, dqkv);
}

template <class T>
void probabilitiesBackward(const AttentionShape& shape, const T* dprobabilities, const T* probabilities, const T* qkv,
    T* dqkv, float* workspace, Stream stream)
{
    REMAT_LAUNCH(
        sum_probability_products<T>, gridOfRows(shape.batch * shape.heads * shape.sequence), kRowsBlock, 0, stream)
    (shape, dprobabilities, probabilities, workspace);
    REMAT_LAUNCH(query_gradients<T>, tileGrid(shape, shape.heads, shape.headSize), kTileBlock, 0, stream)
    (shape, dprobabilities, probabilities, qkv, workspace, dqkv);
    REMAT_LAUNCH(key_gradients<T>, tileGrid(shape, shape.keyValueHeads, shape.headSize), kTileBlock, 0, stream)
    (shape, dprobabilities, probabilities, qkv, workspace, dqkv);
}

template void probabilitiesForward(const AttentionShape&, const float*, float*, Stream);
template void probabilitiesForward(const AttentionShape&, const bf16*, bf16*, Stream);
template void contextForward(const AttentionShape&, const Dropout&, const float*, const float*, float*, Stream);
template void contextForward(const AttentionShape&, const Dropout&, const bf16*, const bf16*, bf16*, Stream);
template void contextBackward(
    const AttentionShape&, const Dropout&, const float*, const float*, const float*, float*, float*, Stream);
template void contextBackward(
    const AttentionShape&, const Dropout&, const bf16*, const bf16*, const bf16*, bf16*, bf16*, Stream);
template void probabilitiesBackward(
    const AttentionShape&, const float*, const float*, const float*, float*, float*, Stream);
template void probabilitiesBackward(
    const AttentionShape&, const bf16*, const bf16*, const bf16*, bf16*, float*, Stream);

} // namespace remat::cuda
