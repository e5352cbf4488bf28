// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/gemm.h"

#include "core/run/kernels/pack.h"

// After Goto and van de Geijn, Anatomy of high-performance matrix multiplication (TOMS 2008): blocks of B and A are
// copied into panels, and a micro kernel keeps a small tile of C in registers while it runs along their depth.
namespace remat::kernels::REMAT_ISA {
namespace {

// The micro tile, in rows and vectors, fills the registers: 24 of AVX-512's 32 (and of Arm's), 12 of AVX2's 16.  A
// multiplication that is not fused with its addition needs a register more.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr Index kTileRows = 8, kTileVectors = 3;
#elif defined(__FMA__)
constexpr Index kTileRows = 4, kTileVectors = 3;
#else
constexpr Index kTileRows = 4, kTileVectors = 2;
#endif
constexpr Index kTileColumns = kTileVectors * kLanes;

constexpr Index kDepth = 256;   // a panel of A is then at most 8 KiB, which stays in the first-level cache
constexpr Index kColumns = 768; // of C per block of B: 768 KiB, read from the second or third level
constexpr Index kRows = 128;    // of C per block of A: 128 KiB
static_assert(kPackingFloats == (kColumns + kRows) * kDepth);
static_assert(kColumns % kTileColumns == 0 && kRows % kTileRows == 0);

Index roundedUp(Index length, Index unit)
{
    return (length + unit - 1) / unit * unit;
}

/// The width of the panel of B that holds `columns` columns: whole vectors.
Index panelWidth(Index columns)
{
    return columns < kTileColumns ? roundedUp(columns, kLanes) : kTileColumns;
}

void packB(float* packed, MatrixView b, Index column, Index depth, Index columns, Index depths)
{
    for (Index first = 0; first < columns; first += kTileColumns) {
        const Index lines = least(kTileColumns, columns - first), width = panelWidth(lines);
        if (b.transposed)
            packAcross(packed, width, b.data + (column + first) * b.stride + depth, b.stride, lines, depths);
        else
            packAlong(packed, width, b.data + depth * b.stride + column + first, b.stride, lines, depths);
        packed += width * depths;
    }
}

void packA(float* packed, MatrixView a, Index row, Index depth, Index rows, Index depths)
{
    for (Index first = 0; first < rows; first += kTileRows) {
        const Index lines = least(kTileRows, rows - first);
        if (a.transposed)
            packAlong(packed, kTileRows, a.data + depth * a.stride + row + first, a.stride, lines, depths);
        else
            packAcross(packed, kTileRows, a.data + (row + first) * a.stride + depth, a.stride, lines, depths);
        packed += kTileRows * depths;
    }
}

/// Where a micro tile's sums go: each row of C becomes start + alpha * sum, start being itself, a row of bias or 0.
struct TileTarget {
    float* c;
    Index stride, rows, columns;
    float alpha;
    Start start;
    const float* bias;
};

Vec startOf(const TileTarget& target, const float* c, Index column, Index lanes)
{
    if (target.start == Start::Zero)
        return Vec{};
    const float* from = target.start == Start::Keep ? c : target.bias + column;
    return lanes == kLanes ? load(from) : loadPart(from, lanes);
}

/// A micro tile of Vectors vectors a row.  Tiles at the edge compute what others do and store what exists, so that an
/// element's bits do not depend on where its tile begins.
template <Index Vectors>
void multiplyTile(
    const float* __restrict panelA, const float* __restrict panelB, Index depths, const TileTarget& target)
{
    Vec sums[kTileRows][Vectors] = {};
    for (Index d = 0; d < depths; ++d, panelA += kTileRows, panelB += Vectors * kLanes) {
        Vec b[Vectors];
#pragma GCC unroll 4
        for (Index j = 0; j < Vectors; ++j)
            b[j] = load(panelB + j * kLanes);
#pragma GCC unroll 8
        for (Index i = 0; i < kTileRows; ++i) {
            const float a = panelA[i];
#pragma GCC unroll 4
            for (Index j = 0; j < Vectors; ++j)
                sums[i][j] += a * b[j];
        }
    }
    const bool isWhole = target.rows == kTileRows && target.columns == Vectors * kLanes;
#pragma GCC unroll 8
    for (Index i = 0; i < kTileRows; ++i)
#pragma GCC unroll 4
        for (Index j = 0; j < Vectors; ++j) {
            float* c = target.c + i * target.stride + j * kLanes;
            const Index lanes = isWhole ? kLanes : least(kLanes, target.columns - j * kLanes);
            if (!isWhole && i >= target.rows)
                continue;
            const Vec value = startOf(target, c, j * kLanes, lanes) + target.alpha * sums[i][j];
            if (lanes == kLanes)
                store(c, value);
            else
                storePart(c, value, lanes);
        }
}

/// All micro tiles of a block of A and a block of B.
void multiplyPanels(const float* packedA, const float* packedB, Index depths, const TileTarget& block)
{
    for (Index row = 0; row < block.rows; row += kTileRows) {
        const float* panelB = packedB;
        for (Index column = 0; column < block.columns; column += kTileColumns) {
            TileTarget tile = block;
            tile.c += row * block.stride + column;
            tile.rows = least(kTileRows, block.rows - row);
            tile.columns = least(kTileColumns, block.columns - column);
            tile.bias = block.bias == nullptr ? nullptr : block.bias + column;
            const Index vectors = panelWidth(tile.columns) / kLanes;
            if (vectors == 1)
                multiplyTile<1>(packedA + row * depths, panelB, depths, tile);
            else if (vectors == 2)
                multiplyTile<2>(packedA + row * depths, panelB, depths, tile);
            else
                multiplyTile<kTileVectors>(packedA + row * depths, panelB, depths, tile);
            panelB += vectors * kLanes * depths;
        }
    }
}

MatrixView rowsFrom(MatrixView a, Index row)
{
    a.data += a.transposed ? row : row * a.stride;
    return a;
}

MatrixView columnsFrom(MatrixView b, Index column)
{
    b.data += b.transposed ? column * b.stride : column;
    return b;
}

/// One dimension of C cut into tiles of equal size, a multiple of the micro tile's.
struct Cut {
    Index tile, count;
};

Cut cut(Index length, Index target, Index unit)
{
    const Index count = (length + target - 1) / target;
    const Index tile = roundedUp((length + count - 1) / count, unit);
    return {tile, (length + tile - 1) / tile};
}

} // namespace

void multiplyBlock(float* packing, Index m, Index n, Index k, float alpha, MatrixView a, MatrixView b, Start start,
    const float* bias, float* c, Index cStride)
{
    float* packedB = packing;
    float* packedA = packing + kColumns * kDepth;
    for (Index column = 0; column < n; column += kColumns) {
        const Index columns = least(kColumns, n - column);
        for (Index depth = 0; depth < k; depth += kDepth) {
            const Index depths = least(kDepth, k - depth);
            packB(packedB, b, column, depth, columns, depths);
            for (Index row = 0; row < m; row += kRows) {
                const Index rows = least(kRows, m - row);
                packA(packedA, a, row, depth, rows, depths);
                multiplyPanels(packedA, packedB, depths,
                    {c + row * cStride + column, cStride, rows, columns, alpha, depth == 0 ? start : Start::Keep,
                        bias == nullptr ? nullptr : bias + column});
            }
        }
    }
}

void multiply(const Workers& workers, Index m, Index n, Index k, MatrixView a, MatrixView b, Start start,
    const float* bias, float* c)
{
    // Tiles shrink, the longer side first, until there is work for 8 threads, but not below 128 x 384: smaller ones
    // spend more than a tenth of their time on packing.
    Index targetRows = 2048, targetColumns = kColumns;
    Cut rows = cut(m, targetRows, kTileRows), columns = cut(n, targetColumns, kTileColumns);
    while (rows.count * columns.count < 8) {
        const bool canCutRows = rows.tile > 128, canCutColumns = columns.tile > 384;
        if (canCutColumns && (columns.tile >= rows.tile || !canCutRows))
            columns = cut(n, targetColumns /= 2, kTileColumns);
        else if (canCutRows)
            rows = cut(m, targetRows /= 2, kTileRows);
        else
            break;
    }
    workers.pool.parallelFor(rows.count * columns.count, [&](Index tile, int worker) {
        const Index row = tile % rows.count * rows.tile;
        const Index column = tile / rows.count * columns.tile;
        multiplyBlock(scratchOf(workers, worker), least(rows.tile, m - row), least(columns.tile, n - column), k, 1.0F,
            rowsFrom(a, row), columnsFrom(b, column), start, bias == nullptr ? nullptr : bias + column,
            c + row * n + column, n);
    });
}

} // namespace remat::kernels::REMAT_ISA
