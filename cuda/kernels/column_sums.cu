// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// sums[c] (+)= sum over n of matrix[n, c]        matrix: [N, C], sums: [C], any N and C
#include "cuda/kernels/row_groups.h"
#include "cuda/language/storage.h"

namespace remat::cuda {
namespace {

// ---------------------------------------------------------------------------------------- kernels

template <class T> __global__ void sum_row_groups(RowsShape shape, Index rowsEach, const T* matrix, float* partial)
{
    sumRowsOfGroup<1>(shape, rowsEach, partial,
        [&](Index row, Index column) { return Terms<1>{{load(matrix, row * shape.width + column)}}; });
}

template <class T> __global__ void sum_groups(Index groups, Index columns, const float* partial, T* sums, Store mode)
{
    const Index column = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (column >= columns)
        return;
    float sum = 0.0F;
    for (Index group = 0; group < groups; ++group)
        sum += partial[group * columns + column];
    store(sums, column, mode == Store::Add ? load(sums, column) + sum : sum);
}

} // namespace

// ---------------------------------------------------------------------------------------- launchers

template <class T>
void sumGroups(const RowsShape& shape, const float* partial, int which, T* sums, Store mode, Stream stream)
{
    const Index groups = rowGroups(shape.rows).count;
    constexpr unsigned threads = 128;
    REMAT_LAUNCH(sum_groups<T>, static_cast<unsigned>(dividedUp(shape.width, threads)), threads, 0, stream)
    (groups, shape.width, partial + which * groups * shape.width, sums, mode);
}

std::int64_t columnSumsWorkspaceBytes(const RowsShape& shape)
{
    return rowGroups(shape.rows).count * shape.width * static_cast<std::int64_t>(sizeof(float));
}

template <class T>
void columnSums(const RowsShape& shape, const T* matrix, T* sums, Store mode, float* workspace, Stream stream)
{
    REMAT_LAUNCH(sum_row_groups<T>, gridOfGroups(shape), kGroupsBlock, 0, stream)
    (shape, rowGroups(shape.rows).rowsEach, matrix, workspace);
    sumGroups(shape, workspace, 0, sums, mode, stream);
}

template void sumGroups(const RowsShape&, const float*, int, float*, Store, Stream);
template void sumGroups(const RowsShape&, const float*, int, bf16*, Store, Stream);
template void columnSums(const RowsShape&, const float*, float*, Store, float*, Stream);
template void columnSums(const RowsShape&, const bf16*, bf16*, Store, float*, Stream);

} // namespace remat::cuda
