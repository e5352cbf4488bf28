// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Gelu      f(x) = x P(x)                       f'(x) = P(x) + x p(x)      P, p: normal distribution and density
// GeluTanh  f(x) = x s, s = 1 / (1 + exp(-2u))  f'(x) = s + x s (1-s) 2u'  u = sqrt(2/pi) (x + 0.044715 x^3)
// Relu      f(x) = max(x, 0)                    f'(x) = [x > 0]
// Silu      f(x) = x s, s = 1 / (1 + exp(-x))   f'(x) = s + x s (1-s)
// Alone: y = f(x), dx = dy f'(x).  Gated: y = f(gate) up, dgate = dy up f'(gate), dup = dy f(gate).  All of any length.
#include "cuda/kernels/kernels.h"
#include "cuda/language/elements.h"

namespace remat::cuda {
namespace {

// ---------------------------------------------------------------------------------------- device helpers

/// P(x); erfc keeps the digits of the far negative side, where 1 + erf would lose them.
__device__ float normalDistribution(float x)
{
    return 0.5F * erfcf(x * -0.70710678F);
}

__device__ float sigmoid(float x)
{
    return 1.0F / (1.0F + expf(-x));
}

constexpr float kTwiceRoot = 1.5957691216F; // 2 sqrt(2 / pi)
constexpr float kCubic = 0.044715F;

__device__ float sigmoidOfTwiceU(float x)
{
    return sigmoid(kTwiceRoot * x * (1.0F + kCubic * x * x));
}

// The activation is the same for all threads, so the branch costs nothing beside reading memory, and one kernel serves
// all activations.

__device__ float valueOf(Activation activation, float x)
{
    switch (activation) {
    case Activation::Gelu:
        return x * normalDistribution(x);
    case Activation::GeluTanh:
        return x * sigmoidOfTwiceU(x);
    case Activation::Relu:
        return x > 0.0F ? x : 0.0F;
    case Activation::Silu:
        return x * sigmoid(x);
    }
    return x;
}

__device__ float slopeOf(Activation activation, float x)
{
    switch (activation) {
    case Activation::Gelu:
        return normalDistribution(x) + x * (expf(-0.5F * x * x) * 0.39894228F);
    case Activation::GeluTanh: {
        const float s = sigmoidOfTwiceU(x);
        return s + x * s * (1.0F - s) * (kTwiceRoot * (1.0F + 3.0F * kCubic * x * x));
    }
    case Activation::Relu:
        return x > 0.0F ? 1.0F : 0.0F;
    case Activation::Silu: {
        const float s = sigmoid(x);
        return s + x * s * (1.0F - s);
    }
    }
    return 1.0F;
}

// ---------------------------------------------------------------------------------------- kernels

template <class T> __global__ void activation_forward(Activation activation, Index count, const T* x, T* y)
{
    const Index first = firstOfQuad();
    Quad values = loadQuad(x, first, count);
    for (float& value : values.x)
        value = valueOf(activation, value);
    storeQuad(y, first, count, values);
}

template <class T>
__global__ void activation_backward(Activation activation, Index count, const T* dy, const T* x, T* dx)
{
    const Index first = firstOfQuad();
    const Quad values = loadQuad(x, first, count);
    Quad gradients = loadQuad(dy, first, count);
    for (int k = 0; k < kQuad; ++k)
        gradients.x[k] *= slopeOf(activation, values.x[k]);
    storeQuad(dx, first, count, gradients);
}

template <class T> __global__ void gated_forward(Activation activation, Index count, const T* gate, const T* up, T* y)
{
    const Index first = firstOfQuad();
    const Quad gates = loadQuad(gate, first, count);
    Quad values = loadQuad(up, first, count);
    for (int k = 0; k < kQuad; ++k)
        values.x[k] *= valueOf(activation, gates.x[k]);
    storeQuad(y, first, count, values);
}

template <class T>
__global__ void gated_backward(
    Activation activation, Index count, const T* dy, const T* gate, const T* up, T* dgate, T* dup)
{
    const Index first = firstOfQuad();
    const Quad gradients = loadQuad(dy, first, count);
    const Quad gates = loadQuad(gate, first, count);
    const Quad ups = loadQuad(up, first, count);
    Quad ofGate, ofUp;
    for (int k = 0; k < kQuad; ++k) {
        ofGate.x[k] = gradients.x[k] * ups.x[k] * slopeOf(activation, gates.x[k]);
        ofUp.x[k] = gradients.x[k] * valueOf(activation, gates.x[k]);
    }
    storeQuad(dgate, first, count, ofGate);
    storeQuad(dup, first, count, ofUp);
}

} // namespace

// ---------------------------------------------------------------------------------------- launchers

template <class T> void activationForward(Activation activation, std::int64_t count, const T* x, T* y, Stream stream)
{
    REMAT_LAUNCH(activation_forward<T>, gridOfQuads(count), kElementThreads, 0, stream)(activation, count, x, y);
}

template <class T>
void activationBackward(Activation activation, std::int64_t count, const T* dy, const T* x, T* dx, Stream stream)
{
    REMAT_LAUNCH(activation_backward<T>, gridOfQuads(count), kElementThreads, 0, stream)(activation, count, dy, x, dx);
}

template <class T>
void gatedForward(Activation activation, std::int64_t count, const T* gate, const T* up, T* y, Stream stream)
{
    REMAT_LAUNCH(gated_forward<T>, gridOfQuads(count), kElementThreads, 0, stream)(activation, count, gate, up, y);
}

template <class T>
void gatedBackward(
    Activation activation, std::int64_t count, const T* dy, const T* gate, const T* up, T* dgate, T* dup, Stream stream)
{
    REMAT_LAUNCH(gated_backward<T>, gridOfQuads(count), kElementThreads, 0, stream)
    (activation, count, dy, gate, up, dgate, dup);
}

template void activationForward(Activation, std::int64_t, const float*, float*, Stream);
template void activationForward(Activation, std::int64_t, const bf16*, bf16*, Stream);
template void activationBackward(Activation, std::int64_t, const float*, const float*, float*, Stream);
template void activationBackward(Activation, std::int64_t, const bf16*, const bf16*, bf16*, Stream);
template void gatedForward(Activation, std::int64_t, const float*, const float*, float*, Stream);
template void gatedForward(Activation, std::int64_t, const bf16*, const bf16*, bf16*, Stream);
template void gatedBackward(Activation, std::int64_t, const float*, const float*, const float*, float*, float*, Stream);
template void gatedBackward(Activation, std::int64_t, const bf16*, const bf16*, const bf16*, bf16*, bf16*, Stream);

} // namespace remat::cuda
