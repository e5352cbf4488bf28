// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// y = xhat gamma,  xhat = x rstd,  rstd = 1 / sqrt(mean(x^2) + epsilon)        x, y, dy, dx: [N, C]; gamma: [C]
// dx = rstd (g - xhat mean(g xhat)),  g = dy gamma                             rstd: [N]
// dgamma = sum over rows of dy xhat
// A warp per row.
#include "cuda/kernels/row_groups.h"
#include "cuda/kernels/rows.h"
#include "cuda/language/reduce.h"
#include "cuda/language/row_quads.h"

namespace remat::cuda {
namespace {

// ---------------------------------------------------------------------------------------- kernels

template <class T>
__global__ void rms_norm_forward(RowsShape shape, float epsilon, const T* x, const T* gamma, T* y, float* rstd)
{
    const Index index = rowOfWarp();
    if (index >= shape.rows)
        return;
    const Row row(index, shape.width);
    float squares = 0.0F;
    forQuadsOfLane(row, [&](Index first) {
        Quad values = row.load(x, first);
        for (float& value : values.x)
            value *= value;
        squares += sumOf(values);
    });
    const float scale = 1.0F / static_cast<float>(shape.width);
    const float inverse = 1.0F / sqrtf(overWarp<Sum>(squares) * scale + epsilon);

    forQuadsOfLane(row, [&](Index first) {
        Quad values = row.load(x, first);
        const Quad gammas = row.loadColumns(gamma, first);
        for (int k = 0; k < kQuad; ++k)
            values.x[k] *= inverse * gammas.x[k];
        row.store(y, first, values);
    });
    if (threadIdx.x == 0)
        rstd[index] = inverse;
}

template <class T>
__global__ void rms_norm_backward(
    RowsShape shape, const T* dy, const T* x, const float* rstd, const T* gamma, T* dx, Store mode)
{
    const Index index = rowOfWarp();
    if (index >= shape.rows)
        return;
    const Row row(index, shape.width);
    const float inverse = rstd[index];
    // dx may be dy: a lane reads a quad for the last time before it writes that quad, and no other lane reads it.
    float product = 0.0F;
    forQuadsOfLane(row, [&](Index first) {
        Quad products = row.load(dy, first);
        const Quad values = row.load(x, first), gammas = row.loadColumns(gamma, first);
        for (int k = 0; k < kQuad; ++k)
            products.x[k] *= gammas.x[k] * (values.x[k] * inverse);
        product += sumOf(products);
    });
    const float meanProduct = overWarp<Sum>(product) / static_cast<float>(shape.width);

    forQuadsOfLane(row, [&](Index first) {
        const Quad gradients = row.load(dy, first);
        const Quad values = row.load(x, first), gammas = row.loadColumns(gamma, first);
        Quad out{};
        if (mode == Store::Add)
            out = row.load(dx, first);
        for (int k = 0; k < kQuad; ++k)
            out.x[k] += (gradients.x[k] * gammas.x[k] - values.x[k] * inverse * meanProduct) * inverse;
        row.store(dx, first, out);
    });
}

template <class T>
__global__ void rms_norm_weights_of_groups(
    RowsShape shape, Index rowsEach, const T* dy, const T* x, const float* rstd, float* partial)
{
    sumRowsOfGroup<1>(shape, rowsEach, partial, [&](Index row, Index column) {
        const float gradient = load(dy, row * shape.width + column);
        return Terms<1>{{gradient * (load(x, row * shape.width + column) * rstd[row])}};
    });
}

} // namespace

// ---------------------------------------------------------------------------------------- launchers

template <class T>
void rmsNormForward(const RowsShape& shape, float epsilon, const T* x, const T* gamma, T* y, float* rstd, Stream stream)
{
    REMAT_LAUNCH(rms_norm_forward<T>, gridOfRows(shape.rows), kRowsBlock, 0, stream)
    (shape, epsilon, x, gamma, y, rstd);
}

template <class T>
void rmsNormBackward(const RowsShape& shape, const T* dy, const T* x, const float* rstd, const T* gamma, T* dx,
    Store storeDx, T* dgamma, Store storeWeights, float* workspace, Stream stream)
{
    // The weight's gradient comes first, because dx may overwrite dy.
    if (dgamma != nullptr) {
        REMAT_LAUNCH(rms_norm_weights_of_groups<T>, gridOfGroups(shape), kGroupsBlock, 0, stream)
        (shape, rowGroups(shape.rows).rowsEach, dy, x, rstd, workspace);
        sumGroups(shape, workspace, 0, dgamma, storeWeights, stream);
    }
    if (dx != nullptr) {
        REMAT_LAUNCH(rms_norm_backward<T>, gridOfRows(shape.rows), kRowsBlock, 0, stream)
        (shape, dy, x, rstd, gamma, dx, storeDx);
    }
}

template void rmsNormForward(const RowsShape&, float, const float*, const float*, float*, float*, Stream);
template void rmsNormForward(const RowsShape&, float, const bf16*, const bf16*, bf16*, float*, Stream);
template void rmsNormBackward(const RowsShape&, const float*, const float*, const float*, const float*, float*, Store,
    float*, Store, float*, Stream);
template void rmsNormBackward(
    const RowsShape&, const bf16*, const bf16*, const float*, const bf16*, bf16*, Store, bf16*, Store, float*, Stream);

} // namespace remat::cuda
