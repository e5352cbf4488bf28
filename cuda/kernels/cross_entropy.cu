// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// lse = log sum over v of exp(logits[n, v]),  loss = sum over n of lse - logits[n, target], / allRows    logits: [N, V]
// dlogits = (exp(logits - lse) - [v == target]) scale / allRows
// A block per row.  The sum of exponentials is made in one walk (Milakov & Gimelshein, Online normalizer calculation
// for softmax, 2018): a thread's sum is relative to the largest logit it has met, and is rescaled when that grows.
#include <cfloat>

#include "cuda/kernels/rows.h"
#include "cuda/language/reduce.h"
#include "cuda/language/row_quads.h"

namespace remat::cuda {
namespace {

// ---------------------------------------------------------------------------------------- device helpers

constexpr int kThreads = 256;

__device__ float largestOf(const Quad& quad)
{
    return Maximum::combine(Maximum::combine(quad.x[0], quad.x[1]), Maximum::combine(quad.x[2], quad.x[3]));
}

// ---------------------------------------------------------------------------------------- kernels

template <class T> __global__ void log_sum_exp(LossShape shape, const T* logits, float* lse)
{
    const Row row(static_cast<Index>(blockIdx.x), shape.vocabulary);
    // Not -infinity, so that a difference of two of them cannot make a NaN.
    float most = -FLT_MAX, sum = 0.0F;
    row.forQuads(static_cast<int>(threadIdx.x), kThreads, [&](Index first) {
        Quad values = row.load(logits, first, Maximum::kNeutral);
        const float before = most;
        most = Maximum::combine(most, largestOf(values));
        for (float& value : values.x)
            value = expf(value - most);
        sum = sum * expf(before - most) + sumOf(values);
    });
    const float mostOfAll = overBlock<Maximum, kThreads>(most);
    const float sumOfAll = overBlock<Sum, kThreads>(sum * expf(most - mostOfAll));
    if (threadIdx.x == 0)
        lse[blockIdx.x] = mostOfAll + logf(sumOfAll);
}

/// One block.  Sums in double as on the CPU: losses are compared to their last digits.
template <class T>
__global__ void mean_loss(
    LossShape shape, const T* logits, const std::int32_t* targets, const float* lse, float* loss, Store store)
{
    REMAT_SHARED_ARRAY(double, sums, kThreads);
    double sum = 0.0;
    for (auto row = static_cast<Index>(threadIdx.x); row < shape.rows; row += kThreads)
        sum += static_cast<double>(lse[row]) - static_cast<double>(load(logits, row * shape.vocabulary + targets[row]));
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    for (int other = 1; other < kThreads; ++other)
        sum += sums[other];
    const auto share = static_cast<float>(sum / static_cast<double>(shape.allRows));
    *loss = store == Store::Add ? *loss + share : share;
}

template <class T>
__global__ void softmax_gradient(
    LossShape shape, const T* logits, const float* lse, const std::int32_t* targets, float factor, T* dlogits)
{
    const Row row(static_cast<Index>(blockIdx.x), shape.vocabulary);
    const float logSum = lse[blockIdx.x];
    const Index target = row.begin + targets[blockIdx.x];
    row.forQuads(static_cast<int>(threadIdx.x), kThreads, [&](Index first) {
        Quad values = row.load(logits, first);
        for (int k = 0; k < kQuad; ++k)
            values.x[k] = (expf(values.x[k] - logSum) - (first + k == target ? 1.0F : 0.0F)) * factor;
        row.store(dlogits, first, values);
    });
}

} // namespace

// ---------------------------------------------------------------------------------------- launchers

template <class T>
void crossEntropyForward(const LossShape& shape, const T* logits, const std::int32_t* targets, float* lse, float* loss,
    Store storeLoss, Stream stream)
{
    REMAT_LAUNCH(log_sum_exp<T>, static_cast<unsigned>(shape.rows), kThreads, 0, stream)(shape, logits, lse);
    REMAT_LAUNCH(mean_loss<T>, 1, kThreads, 0, stream)(shape, logits, targets, lse, loss, storeLoss);
}

template <class T>
void crossEntropyBackward(const LossShape& shape, const T* logits, const float* lse, const std::int32_t* targets,
    float scale, T* dlogits, Stream stream)
{
    REMAT_LAUNCH(softmax_gradient<T>, static_cast<unsigned>(shape.rows), kThreads, 0, stream)
    (shape, logits, lse, targets, scale / static_cast<float>(shape.allRows), dlogits);
}

template void crossEntropyForward(const LossShape&, const float*, const std::int32_t*, float*, float*, Store, Stream);
template void crossEntropyForward(const LossShape&, const bf16*, const std::int32_t*, float*, float*, Store, Stream);
template void crossEntropyBackward(
    const LossShape&, const float*, const float*, const std::int32_t*, float, float*, Stream);
template void crossEntropyBackward(
    const LossShape&, const bf16*, const float*, const std::int32_t*, float, bf16*, Stream);

} // namespace remat::cuda
