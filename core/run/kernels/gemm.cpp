// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/gemm.h"

#include <Eigen/Core>

namespace remat::kernels::REMAT_ISA {
namespace {

namespace ei = Eigen::internal;

// C is row-major, which Eigen's kernels see as the column-major C^T = B^T A^T: its left operand is our B, its right our
// A.
constexpr Index kDepth = 256; // a left micro panel of 24 rows then fills three quarters of a 32 KiB first-level cache
constexpr Index kColumns = 1024; // of C per block of B: 1 MiB, read from the second or third level
constexpr Index kRows = 128;     // of C per block of A: 128 KiB, which stays in the second-level cache
static_assert(kPackingFloats == (kColumns + kRows) * kDepth);

using Traits = ei::gebp_traits<float, float>;
using ResultMapper = ei::blas_data_mapper<float, Index, Eigen::ColMajor, Eigen::Unaligned, 1>;
using Kernel = ei::gebp_kernel<float, float, Index, ResultMapper, Traits::mr, Traits::nr, false, false>;
template <int order> using Mapper = ei::const_blas_data_mapper<float, Index, order>;
template <int order>
using PackB
    = ei::gemm_pack_lhs<float, Index, Mapper<order>, Traits::mr, Traits::LhsProgress, Traits::LhsPacket4Packing, order>;
template <int order> using PackA = ei::gemm_pack_rhs<float, Index, Mapper<order>, Traits::nr, order>;

void packB(float* packed, MatrixView b, Index column, Index depth, Index columns, Index depths)
{
    if (b.transposed)
        PackB<Eigen::RowMajor>()(
            packed, Mapper<Eigen::RowMajor>(b.data + column * b.stride + depth, b.stride), depths, columns);
    else
        PackB<Eigen::ColMajor>()(
            packed, Mapper<Eigen::ColMajor>(b.data + depth * b.stride + column, b.stride), depths, columns);
}

void packA(float* packed, MatrixView a, Index row, Index depth, Index rows, Index depths)
{
    if (a.transposed)
        PackA<Eigen::RowMajor>()(
            packed, Mapper<Eigen::RowMajor>(a.data + depth * a.stride + row, a.stride), depths, rows);
    else
        PackA<Eigen::ColMajor>()(
            packed, Mapper<Eigen::ColMajor>(a.data + row * a.stride + depth, a.stride), depths, rows);
}

void startBlock(Start start, const float* bias, float* c, Index cStride, Index rows, Index columns)
{
    if (start == Start::Keep)
        return;
    for (Index i = 0; i < rows; ++i) {
        if (start == Start::Zero)
            __builtin_memset(c + i * cStride, 0, static_cast<std::size_t>(columns) * sizeof(float));
        else
            __builtin_memcpy(c + i * cStride, bias, static_cast<std::size_t>(columns) * sizeof(float));
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

/// One dimension of C cut into tiles of equal size, a multiple of the micro panel's.
struct Cut {
    Index tile, count;
};

Cut cut(Index length, Index target, Index unit)
{
    const Index count = (length + target - 1) / target;
    const Index tile = ((length + count - 1) / count + unit - 1) / unit * unit;
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
                float* tile = c + row * cStride + column;
                if (depth == 0)
                    startBlock(start, bias == nullptr ? nullptr : bias + column, tile, cStride, rows, columns);
                packA(packedA, a, row, depth, rows, depths);
                Kernel()(ResultMapper(tile, cStride), packedB, packedA, columns, depths, rows, alpha);
            }
        }
    }
}

void multiply(const Workers& workers, Index m, Index n, Index k, MatrixView a, MatrixView b, Start start,
    const float* bias, float* c)
{
    // Tiles shrink, the longer side first, until there is work for 8 threads, but not below 256 x 384: smaller ones
    // spend more than a tenth of their time on packing.
    Index targetRows = 2048, targetColumns = kColumns;
    Cut rows = cut(m, targetRows, Traits::nr), columns = cut(n, targetColumns, Traits::mr);
    while (rows.count * columns.count < 8) {
        const bool canCutRows = rows.tile > 256, canCutColumns = columns.tile > 384;
        if (canCutColumns && (columns.tile >= rows.tile || !canCutRows))
            columns = cut(n, targetColumns /= 2, Traits::mr);
        else if (canCutRows)
            rows = cut(m, targetRows /= 2, Traits::nr);
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
