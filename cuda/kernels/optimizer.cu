// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// AdamW (Loshchilov & Hutter 2019), as core/run/kernels/optimizer.cpp rounds it:
//   m = b1 m + (1-b1) g,  v = b2 v + (1-b2) g^2
//   p = p (1 - lr wd) - lr/(1-b1^t) m / (sqrt(v) / sqrt(1-b2^t) + eps)
// Sgd: p -= lr g        g, p: T; m, v and the optional master weights: float; any length
#include <cmath>

#include "cuda/kernels/kernels.h"
#include "cuda/language/elements.h"

namespace remat::cuda {
namespace {

// ---------------------------------------------------------------------------------------- device helpers

/// The weights to update: the master's where there is one, else the parameter's own.
template <class T> __device__ Quad loadWeights(const T* parameter, const float* master, Index first, Index count)
{
    return master != nullptr ? loadQuad(master, first, count) : loadQuad(parameter, first, count);
}

template <class T>
__device__ void storeWeights(T* parameter, float* master, Index first, Index count, const Quad& weights)
{
    if (master != nullptr)
        storeQuad(master, first, count, weights);
    storeQuad(parameter, first, count, weights);
}

// ---------------------------------------------------------------------------------------- kernels

/// What is the same for all elements.
struct AdamWFactors {
    float beta1, beta2, momentumShare, varianceShare, epsilon;
    float keep;      // 1 - lr wd
    float stepSize;  // lr / (1 - b1^t)
    float rootScale; // 1 / sqrt(1 - b2^t)
};

template <class T>
__global__ void adamw_step(
    AdamWFactors by, Index count, const T* gradient, T* parameter, float* master, float* momentum, float* variance)
{
    const Index first = firstOfQuad();
    const Quad gradients = loadQuad(gradient, first, count);
    Quad m = loadQuad(momentum, first, count);
    Quad v = loadQuad(variance, first, count);
    Quad weights = loadWeights(parameter, master, first, count);
    for (int k = 0; k < kQuad; ++k) {
        const float g = gradients.x[k];
        m.x[k] = by.beta1 * m.x[k] + by.momentumShare * g;
        v.x[k] = by.beta2 * v.x[k] + by.varianceShare * (g * g);
        weights.x[k] = weights.x[k] * by.keep - by.stepSize * m.x[k] / (sqrtf(v.x[k]) * by.rootScale + by.epsilon);
    }
    storeQuad(momentum, first, count, m);
    storeQuad(variance, first, count, v);
    storeWeights(parameter, master, first, count, weights);
}

template <class T>
__global__ void sgd_step(float learningRate, Index count, const T* gradient, T* parameter, float* master)
{
    const Index first = firstOfQuad();
    const Quad gradients = loadQuad(gradient, first, count);
    Quad weights = loadWeights(parameter, master, first, count);
    for (int k = 0; k < kQuad; ++k)
        weights.x[k] -= learningRate * gradients.x[k];
    storeWeights(parameter, master, first, count, weights);
}

} // namespace

// ---------------------------------------------------------------------------------------- launchers

template <class T>
void adamW(const AdamW& adamW, std::int64_t count, const T* gradient, T* parameter, float* master, float* momentum,
    float* variance, Stream stream)
{
    const auto step = static_cast<double>(adamW.step);
    const double correction1 = 1.0 - std::pow(static_cast<double>(adamW.beta1), step);
    const double correction2 = 1.0 - std::pow(static_cast<double>(adamW.beta2), step);
    const AdamWFactors factors{
        .beta1 = adamW.beta1,
        .beta2 = adamW.beta2,
        .momentumShare = 1.0F - adamW.beta1,
        .varianceShare = 1.0F - adamW.beta2,
        .epsilon = adamW.epsilon,
        .keep = 1.0F - adamW.learningRate * adamW.weightDecay,
        .stepSize = static_cast<float>(static_cast<double>(adamW.learningRate) / correction1),
        .rootScale = static_cast<float>(1.0 / std::sqrt(correction2)),
    };
    REMAT_LAUNCH(adamw_step<T>, gridOfQuads(count), kElementThreads, 0, stream)
    (factors, count, gradient, parameter, master, momentum, variance);
}

template <class T>
void sgd(float learningRate, std::int64_t count, const T* gradient, T* parameter, float* master, Stream stream)
{
    REMAT_LAUNCH(sgd_step<T>, gridOfQuads(count), kElementThreads, 0, stream)
    (learningRate, count, gradient, parameter, master);
}

template void adamW(const AdamW&, std::int64_t, const float*, float*, float*, float*, float*, Stream);
template void adamW(const AdamW&, std::int64_t, const bf16*, bf16*, float*, float*, float*, Stream);
template void sgd(float, std::int64_t, const float*, float*, float*, Stream);
template void sgd(float, std::int64_t, const bf16*, bf16*, float*, Stream);

} // namespace remat::cuda
