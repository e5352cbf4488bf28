// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/language/storage.h"

/// Products of matrices by tiles of 64 x 64 floats in shared memory.
///
/// A block has 16 x 16 threads; thread (x, y) holds a patch of 4 x 4 elements of every tile-sized result, rows 4y to
/// 4y + 3 and columns 4x to 4x + 3.  Shared memory is read and written by quads, 16 bytes at once.  Whatever lies
/// beyond a matrix is loaded as 0 and not stored.
namespace remat::cuda {

inline constexpr int kTile = 64;
inline constexpr int kTileSide = kTile / kQuad; // threads along a side; also the quads of a tile's row
inline constexpr int kTileThreads = kTileSide * kTileSide;
/// Blocks that a multiprocessor is to hold at once, so that one computes while another loads: 128 registers a thread.
inline constexpr int kTileBlocksAtOnce = 2;
inline constexpr dim3 kTileBlock(kTileSide, kTileSide);
/// Quads from one row of a tile to the next: odd, so that threads that read one column of several rows meet no bank
/// twice.
inline constexpr int kTilePitch = kTileSide + 1;
inline constexpr int kTileQuads = kTile * kTilePitch;

struct alignas(sizeof(Quad)) TileQuad : Quad { };

/// The calling thread's part of a tile: at[r][c] is row 4y + r, column 4x + c.
struct Patch {
    float at[kQuad][kQuad];
};

/// First row and first column of the calling thread's patch.
__device__ inline int patchRow()
{
    return static_cast<int>(threadIdx.y) * kQuad;
}

__device__ inline int patchColumn()
{
    return static_cast<int>(threadIdx.x) * kQuad;
}

/// Rows of a matrix in global memory: element (r, c) is data[r * stride + c].  data and stride are multiples of
/// `columns` into an aligned tensor, so that quads are aligned when columns is a multiple of 4.
template <class E> struct Rows {
    E* data;
    Index stride, count, columns;

    /// How many elements from (row, column) on a row has; not above 0 beyond the matrix.
    __device__ Index left(Index row, Index column) const { return row < count ? columns - column : 0; }
};

template <class E> __device__ inline Quad loadQuad(const Rows<E>& rows, Index row, Index column)
{
    const Index first = row * rows.stride + column, left = rows.left(row, column);
    if (rows.columns % kQuad == 0)
        return loadQuad(rows.data, first, first + left);
    Quad quad{};
    for (int k = 0; k < kQuad; ++k)
        if (k < left)
            quad.x[k] = load(rows.data, first + k);
    return quad;
}

template <class E> __device__ inline void storeQuad(const Rows<E>& rows, Index row, Index column, const Quad& quad)
{
    const Index first = row * rows.stride + column, left = rows.left(row, column);
    if (rows.columns % kQuad == 0) {
        storeQuad(rows.data, first, first + left, quad);
        return;
    }
    for (int k = 0; k < kQuad; ++k)
        if (k < left)
            store(rows.data, first + k, quad.x[k]);
}

/// The patch of the tile that begins at (row, column), times a factor.
template <class E>
__device__ inline void storePatch(const Rows<E>& rows, Index row, Index column, const Patch& patch, float factor = 1.0F)
{
    for (int r = 0; r < kQuad; ++r) {
        Quad quad;
        for (int c = 0; c < kQuad; ++c)
            quad.x[c] = patch.at[r][c] * factor;
        storeQuad(rows, row + patchRow() + r, column + patchColumn(), quad);
    }
}

__device__ inline void storePatch(TileQuad* tile, const Patch& patch)
{
    for (int r = 0; r < kQuad; ++r) {
        TileQuad quad;
        for (int c = 0; c < kQuad; ++c)
            quad.x[c] = patch.at[r][c];
        tile[(patchRow() + r) * kTilePitch + static_cast<int>(threadIdx.x)] = quad;
    }
}

/// How a tile's rows lie in shared memory.  Dealt: row r at place r / 4 + 16 (r % 4), as one deals cards to four, so
/// that the four rows of which a thread of multiplyTransposed makes its columns lie 16 places apart, and those of its
/// neighbours beside them.
enum class TileOrder { Natural, Dealt };

template <class E>
__device__ inline void loadTile(const Rows<E>& rows, Index row, Index column, TileOrder order, TileQuad* tile)
{
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    for (int r = 0; r < kQuad; ++r) {
        const int place = order == TileOrder::Dealt ? y + r * kTileSide : patchRow() + r;
        tile[place * kTilePitch + x] = TileQuad{loadQuad(rows, row + patchRow() + r, column + patchColumn())};
    }
}

/// sums += L R^T over the first `quads` quads of columns; `left` is Natural, `right` Dealt.
__device__ inline void multiplyTransposed(const TileQuad* left, const TileQuad* right, int quads, Patch& sums)
{
    const int x = static_cast<int>(threadIdx.x);
    for (int k = 0; k < quads; ++k) {
        TileQuad a[kQuad];
        for (int r = 0; r < kQuad; ++r)
            a[r] = left[(patchRow() + r) * kTilePitch + k];
        for (int c = 0; c < kQuad; ++c) {
            const TileQuad b = right[(x + c * kTileSide) * kTilePitch + k];
            for (int r = 0; r < kQuad; ++r)
                for (int q = 0; q < kQuad; ++q)
                    sums.at[r][c] += a[r].x[q] * b.x[q];
        }
    }
}

/// Which side of a product multiplyTile transposes.
enum class LeftSide { AsIs, Transposed };

/// sums += L R or L^T R; both tiles are Natural.
template <LeftSide side> __device__ inline void multiplyTile(const TileQuad* left, const TileQuad* right, Patch& sums)
{
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    for (int k = 0; k < kTile; k += kQuad) {
        // a[i].x[j]: AsIs, row r = i of the patch and k + j; Transposed, k + i and row r = j.
        TileQuad a[kQuad];
        for (int i = 0; i < kQuad; ++i)
            a[i] = side == LeftSide::AsIs ? left[(patchRow() + i) * kTilePitch + k / kQuad]
                                          : left[(k + i) * kTilePitch + y];
        for (int q = 0; q < kQuad; ++q) {
            const TileQuad b = right[(k + q) * kTilePitch + x];
            for (int r = 0; r < kQuad; ++r)
                for (int c = 0; c < kQuad; ++c)
                    sums.at[r][c] += (side == LeftSide::AsIs ? a[r].x[q] : a[q].x[r]) * b.x[c];
        }
    }
}

/// The two tiles of shared memory that the products below work in.
struct Tiles {
    TileQuad* left;
    TileQuad* right;
};

/// sums += L R^T, L being 64 rows of `left` from leftRow on and R 64 rows of `right`, over all their columns.
template <class E>
__device__ inline void multiplyRows(
    const Rows<E>& left, Index leftRow, const Rows<E>& right, Index rightRow, const Tiles& tiles, Patch& sums)
{
    for (Index column = 0; column < left.columns; column += kTile) {
        __syncthreads(); // nobody reads the tiles any more
        loadTile(left, leftRow, column, TileOrder::Natural, tiles.left);
        loadTile(right, rightRow, column, TileOrder::Dealt, tiles.right);
        __syncthreads();
        const Index quads = dividedUp(left.columns - column, kQuad);
        multiplyTransposed(tiles.left, tiles.right, static_cast<int>(min(quads, Index{kTileSide})), sums);
    }
}

/// sums[s] += L R or L^T R, L being the tile that the patches make up and R rows [row, row + 64) of `right`, columns
/// from `column` + 64 s on.
template <LeftSide side, int Slices, class E>
__device__ inline void multiplyPatches(
    const Patch& patch, const Rows<E>& right, Index row, Index column, const Tiles& tiles, Patch (&sums)[Slices])
{
    REMAT_UNROLL
    for (int s = 0; s < Slices; ++s) {
        __syncthreads(); // nobody reads the tiles any more
        if (s == 0)
            storePatch(tiles.left, patch);
        loadTile(right, row, column + Index{s} * kTile, TileOrder::Natural, tiles.right);
        __syncthreads();
        multiplyTile<side>(tiles.left, tiles.right, sums[s]);
    }
}

} // namespace remat::cuda
