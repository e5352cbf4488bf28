// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/isa_kernels.h"
#include "core/run/kernels/parallel.h"

namespace remat::kernels::REMAT_ISA {
namespace {

// gelu(x) = x P(x), P the normal distribution function; gelu'(x) = P(x) + x density(x).
// With z = |x| / sqrt 2: P(-|x|) = erfc(z) / 2 and P(|x|) = 1 - erfc(z) / 2, so the negative side loses no digits.

/// erfc(z) for z >= 0, relative error below 1.2e-7 before rounding: t exp(-z^2 + polynomial in t), t = 1 / (1 + z/2)
/// (Numerical Recipes, section 6.2).  `gauss` is exp(-z^2).
Vec complementaryError(Vec z, Vec gauss)
{
    const Vec t = 1.0F / (1.0F + 0.5F * z);
    Vec p = t * 0.17087277F - 0.82215223F;
    p = p * t + 1.48851587F;
    p = p * t - 1.13520398F;
    p = p * t + 0.27886807F;
    p = p * t - 0.18628806F;
    p = p * t + 0.09678418F;
    p = p * t + 0.37409196F;
    p = p * t + 1.00002368F;
    p = p * t - 1.26551223F;
    return t * gauss * exponential(p);
}

struct Normal {
    Vec distribution, density;
};

Normal normal(Vec x)
{
    const Vec gauss = exponential(-0.5F * x * x);
    const Vec magnitude = x < 0.0F ? -x : x;
    const Vec tail = 0.5F * complementaryError(magnitude * 0.70710678F, gauss);
    return {x < 0.0F ? tail : 1.0F - tail, gauss * 0.39894228F};
}

// gelu tanh: x (1 + tanh u) / 2 = x s with s = 1 / (1 + exp(-2u)), u = sqrt(2/pi) (x + 0.044715 x^3); this form keeps
// the digits that 1 + tanh loses.  Its derivative is s + x s (1 - s) 2u'.
constexpr float kTwiceRoot = 1.5957691216F; // 2 sqrt(2 / pi)
constexpr float kCubic = 0.044715F;

Vec sigmoidOfTwiceU(Vec x)
{
    return 1.0F / (1.0F + exponential(-kTwiceRoot * x * (1.0F + kCubic * x * x)));
}

struct Gelu {
    static Vec value(Vec x) { return x * normal(x).distribution; }
    static Vec slope(Vec x)
    {
        const Normal n = normal(x);
        return n.distribution + x * n.density;
    }
};

struct GeluTanh {
    static Vec value(Vec x) { return x * sigmoidOfTwiceU(x); }
    static Vec slope(Vec x)
    {
        const Vec s = sigmoidOfTwiceU(x);
        return s + x * s * (1.0F - s) * (kTwiceRoot * (1.0F + 3.0F * kCubic * x * x));
    }
};

struct Relu {
    static Vec value(Vec x) { return x > 0.0F ? x : Vec{}; }
    static Vec slope(Vec x) { return x > 0.0F ? all(1.0F) : Vec{}; }
};

struct Silu {
    static Vec sigmoid(Vec x) { return 1.0F / (1.0F + exponential(-x)); }
    static Vec value(Vec x) { return x * sigmoid(x); }
    static Vec slope(Vec x)
    {
        const Vec s = sigmoid(x);
        return s + x * s * (1.0F - s);
    }
};

/// body(function) with the function that an activation names.
template <class Body> void withFunction(Activation activation, const Body& body)
{
    switch (activation) {
    case Activation::Gelu:
        return body(Gelu{});
    case Activation::GeluTanh:
        return body(GeluTanh{});
    case Activation::Relu:
        return body(Relu{});
    case Activation::Silu:
        return body(Silu{});
    }
}

/// body(i, read, write) for all elements, a vector at a time (forVectors).
template <class Body> void forElements(const Workers& workers, Index count, const Body& body)
{
    forPieces(workers, count, [=](Index begin, Index end) {
        forVectors(end - begin, [=](Index i, auto read, auto write) { body(begin + i, read, write); });
    });
}

} // namespace

void IsaKernels::activationForward(
    const Workers& workers, Activation activation, Index count, const float* x, float* y) const
{
    assertAligned(x, y);
    withFunction(activation, [&](auto f) {
        forElements(workers, count, [=](Index i, auto read, auto write) { write(y + i, f.value(read(x + i))); });
    });
}

void IsaKernels::activationBackward(
    const Workers& workers, Activation activation, Index count, const float* dy, const float* x, float* dx) const
{
    assertAligned(dy, x, dx);
    withFunction(activation, [&](auto f) {
        forElements(workers, count,
            [=](Index i, auto read, auto write) { write(dx + i, read(dy + i) * f.slope(read(x + i))); });
    });
}

void IsaKernels::gatedForward(
    const Workers& workers, Activation activation, Index count, const float* gate, const float* up, float* y) const
{
    assertAligned(gate, up, y);
    withFunction(activation, [&](auto f) {
        forElements(workers, count,
            [=](Index i, auto read, auto write) { write(y + i, f.value(read(gate + i)) * read(up + i)); });
    });
}

void IsaKernels::gatedBackward(const Workers& workers, Activation activation, Index count, const float* dy,
    const float* gate, const float* up, float* dgate, float* dup) const
{
    assertAligned(dy, gate, up, dgate, dup);
    withFunction(activation, [&](auto f) {
        forElements(workers, count, [=](Index i, auto read, auto write) {
            const Vec g = read(gate + i), d = read(dy + i);
            write(dgate + i, d * read(up + i) * f.slope(g));
            write(dup + i, d * f.value(g));
        });
    });
}

void IsaKernels::add(const Workers& workers, Index count, const float* a, const float* b, float* out) const
{
    assertAligned(a, b, out);
    forElements(workers, count, [=](Index i, auto read, auto write) { write(out + i, read(a + i) + read(b + i)); });
}

} // namespace remat::kernels::REMAT_ISA
