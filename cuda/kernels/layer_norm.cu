// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// y = xhat gamma + beta,  xhat = (x - mean) rstd        x, y, dy, dx: [N, C]; gamma, beta: [C]; mean, rstd: [N]
// dx = rstd (g - mean(g) - xhat mean(g xhat)),  g = dy gamma
// dgamma = sum over rows of dy xhat,  dbeta = sum over rows of dy
// A warp per row; the variance is a second walk, which avoids the cancellation of mean(x^2) - mean(x)^2.
#include "cuda/kernels/row_groups.h"
#include "cuda/kernels/rows.h"
#include "cuda/language/reduce.h"
#include "cuda/language/row_quads.h"

namespace remat::cuda {
namespace {

// ---------------------------------------------------------------------------------------- kernels

template <class T>
__global__ void layer_norm_forward(
    RowsShape shape, float epsilon, const T* x, const T* gamma, const T* beta, T* y, float* mean, float* rstd)
{
    const Index index = rowOfWarp();
    if (index >= shape.rows)
        return;
    const Row row(index, shape.width);
    const float scale = 1.0F / static_cast<float>(shape.width);
    float sum = 0.0F;
    forQuadsOfLane(row, [&](Index first) { sum += sumOf(row.load(x, first)); });
    const float center = overWarp<Sum>(sum) * scale;

    float squares = 0.0F;
    forQuadsOfLane(row, [&](Index first) {
        Quad values = row.load(x, first, center); // what is not in the row must not count as -center
        for (float& value : values.x)
            value = (value - center) * (value - center);
        squares += sumOf(values);
    });
    const float inverse = 1.0F / sqrtf(overWarp<Sum>(squares) * scale + epsilon);

    forQuadsOfLane(row, [&](Index first) {
        Quad values = row.load(x, first);
        const Quad gammas = row.loadColumns(gamma, first), betas = row.loadColumns(beta, first);
        for (int k = 0; k < kQuad; ++k)
            values.x[k] = (values.x[k] - center) * inverse * gammas.x[k] + betas.x[k];
        row.store(y, first, values);
    });
    if (threadIdx.x == 0) {
        mean[index] = center;
        rstd[index] = inverse;
    }
}

template <class T>
__global__ void layer_norm_backward(
    RowsShape shape, const T* dy, const T* x, const float* mean, const float* rstd, const T* gamma, T* dx, Store mode)
{
    const Index index = rowOfWarp();
    if (index >= shape.rows)
        return;
    const Row row(index, shape.width);
    const float center = mean[index], inverse = rstd[index];
    // dx may be dy: a lane reads a quad for the last time before it writes that quad, and no other lane reads it.
    struct Gradients {
        Quad g, normalised;
    };
    const auto load = [&](Index first) {
        Gradients at{row.load(dy, first), row.load(x, first)};
        const Quad gammas = row.loadColumns(gamma, first);
        for (int k = 0; k < kQuad; ++k) {
            at.g.x[k] *= gammas.x[k];
            at.normalised.x[k] = (at.normalised.x[k] - center) * inverse;
        }
        return at;
    };
    float sum = 0.0F, product = 0.0F;
    forQuadsOfLane(row, [&](Index first) {
        Gradients at = load(first);
        sum += sumOf(at.g);
        for (int k = 0; k < kQuad; ++k)
            at.g.x[k] *= at.normalised.x[k];
        product += sumOf(at.g);
    });
    const float scale = 1.0F / static_cast<float>(shape.width);
    const float meanG = overWarp<Sum>(sum) * scale, meanProduct = overWarp<Sum>(product) * scale;

    forQuadsOfLane(row, [&](Index first) {
        const Gradients at = load(first);
        Quad out{};
        if (mode == Store::Add)
            out = row.load(dx, first);
        for (int k = 0; k < kQuad; ++k)
            out.x[k] += (at.g.x[k] - meanG - at.normalised.x[k] * meanProduct) * inverse;
        row.store(dx, first, out);
    });
}

template <class T>
__global__ void layer_norm_weights_of_groups(
    RowsShape shape, Index rowsEach, const T* dy, const T* x, const float* mean, const float* rstd, float* partial)
{
    sumRowsOfGroup<2>(shape, rowsEach, partial, [&](Index row, Index column) {
        const float gradient = load(dy, row * shape.width + column);
        const float value = load(x, row * shape.width + column);
        return Terms<2>{{gradient * ((value - mean[row]) * rstd[row]), gradient}};
    });
}

} // namespace

// ---------------------------------------------------------------------------------------- launchers

template <class T>
void layerNormForward(const RowsShape& shape, float epsilon, const T* x, const T* gamma, const T* beta, T* y,
    float* mean, float* rstd, Stream stream)
{
    REMAT_LAUNCH(layer_norm_forward<T>, gridOfRows(shape.rows), kRowsBlock, 0, stream)
    (shape, epsilon, x, gamma, beta, y, mean, rstd);
}

std::int64_t normBackwardWorkspaceBytes(const RowsShape& shape)
{
    return 2 * columnSumsWorkspaceBytes(shape);
}

template <class T>
void layerNormBackward(const RowsShape& shape, const T* dy, const T* x, const float* mean, const float* rstd,
    const T* gamma, T* dx, Store storeDx, T* dgamma, T* dbeta, Store storeWeights, float* workspace, Stream stream)
{
    // The weights' gradients come first, because dx may overwrite dy.
    if (dgamma != nullptr) {
        REMAT_LAUNCH(layer_norm_weights_of_groups<T>, gridOfGroups(shape), kGroupsBlock, 0, stream)
        (shape, rowGroups(shape.rows).rowsEach, dy, x, mean, rstd, workspace);
        sumGroups(shape, workspace, 0, dgamma, storeWeights, stream);
        sumGroups(shape, workspace, 1, dbeta, storeWeights, stream);
    }
    if (dx != nullptr) {
        REMAT_LAUNCH(layer_norm_backward<T>, gridOfRows(shape.rows), kRowsBlock, 0, stream)
        (shape, dy, x, mean, rstd, gamma, dx, storeDx);
    }
}

template void layerNormForward(
    const RowsShape&, float, const float*, const float*, const float*, float*, float*, float*, Stream);
template void layerNormForward(
    const RowsShape&, float, const bf16*, const bf16*, const bf16*, bf16*, float*, float*, Stream);
template void layerNormBackward(const RowsShape&, const float*, const float*, const float*, const float*, const float*,
    float*, Store, float*, float*, Store, float*, Stream);
template void layerNormBackward(const RowsShape&, const bf16*, const bf16*, const float*, const float*, const bf16*,
    bf16*, Store, bf16*, bf16*, Store, float*, Stream);

} // namespace remat::cuda
