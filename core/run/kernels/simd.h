// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/run/kernels/isa.h"

/// Vectors of floats as the compiler's own vector types, so that one source serves every instruction set, and the
/// functions that the kernels need on them.
namespace remat::kernels::REMAT_ISA {

using Index = std::int64_t;

#if defined(__AVX512F__)
inline constexpr Index kLanes = 16;
#elif defined(__AVX2__)
inline constexpr Index kLanes = 8;
#else
inline constexpr Index kLanes = 4;
#endif

using Vec = float __attribute__((vector_size(4 * kLanes)));
using IntVec = std::int32_t __attribute__((vector_size(4 * kLanes)));
using WordVec = std::uint32_t __attribute__((vector_size(4 * kLanes)));

inline Index least(Index a, Index b)
{
    return a < b ? a : b;
}

inline Vec all(float x)
{
    return x - Vec{}; // keeps the sign of -0, which an addition would lose
}

inline Vec load(const float* p)
{
    Vec v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}

inline void store(float* p, Vec v)
{
    __builtin_memcpy(p, &v, sizeof v);
}

/// The first `lanes` elements, 0 in the other lanes.
inline Vec loadPart(const float* p, Index lanes)
{
    Vec v{};
    for (Index i = 0; i < lanes; ++i)
        v[i] = p[i];
    return v;
}

inline void storePart(float* p, Vec v, Index lanes)
{
    for (Index i = 0; i < lanes; ++i)
        p[i] = v[i];
}

/// Runs body(offset, read, write) over [0, count) a vector at a time; read(pointer) and write(pointer, value) touch
/// whole vectors, and only the lanes that exist at the end.
template <class Body> inline void forVectors(Index count, const Body& body)
{
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        body(
            i, [](const float* p) { return load(p); }, [](float* p, Vec v) { store(p, v); });
    if (i < count)
        body(
            i, [rest = count - i](const float* p) { return loadPart(p, rest); },
            [rest = count - i](float* p, Vec v) { storePart(p, v, rest); });
}

/// Sum of the lanes, always in the order of a binary tree.
inline float sumOfLanes(Vec v)
{
    float tree[kLanes];
    store(tree, v);
    for (Index half = kLanes / 2; half >= 1; half /= 2)
        for (Index i = 0; i < half; ++i)
            tree[i] += tree[i + half];
    return tree[0];
}

inline Vec larger(Vec a, Vec b)
{
    return a > b ? a : b;
}

inline float largestLane(Vec v)
{
    float most = v[0];
    for (Index i = 1; i < kLanes; ++i)
        most = v[i] > most ? v[i] : most;
    return most;
}

/// e^x within 2 ulp; 0 below the least normal result, and x is taken as 88.3 above it.  NaN stays NaN.
/// Cody-Waite reduction x = n ln 2 + r and the polynomial of Cephes' expf on |r| <= ln 2 / 2.
inline Vec exponential(Vec x)
{
    const Vec bounded = x > 88.3F ? all(88.3F) : x;
    const Vec magic = all(12582912.0F); // 1.5 * 2^23: adding it rounds to a whole number in the low bits
    const Vec shifted = bounded * 1.44269504088896341F + magic;
    const Vec n = shifted - magic;
    const Vec r = (bounded - n * 0.693359375F) - n * -2.12194440e-4F;
    Vec p = r * 1.9875691500e-4F + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * (r * r) + r + 1.0F;
    const IntVec exponent = (((IntVec)shifted - (IntVec)magic) + 127) << 23;
    return x < -87.3F ? all(0.0F) : p * (Vec)exponent;
}

/// ln x for normal x > 0 within 2 ulp: x = m 2^e with m in [sqrt(1/2), sqrt(2)), then Cephes' logf.
inline Vec logarithm(Vec x)
{
    const auto bits = (IntVec)x;
    // Subtracting sqrt(1/2)'s pattern puts the boundary between exponents there.
    const IntVec shifted = bits - 0x3f3504f3;
    const IntVec exponent = shifted >> 23;
    const Vec mantissa = (Vec)(bits - (exponent << 23));
    const Vec e = __builtin_convertvector(exponent, Vec);
    const Vec f = mantissa - 1.0F;
    Vec p = f * 7.0376836292e-2F - 1.1514610310e-1F;
    p = p * f + 1.1676998740e-1F;
    p = p * f - 1.2420140846e-1F;
    p = p * f + 1.4249322787e-1F;
    p = p * f - 1.6668057665e-1F;
    p = p * f + 2.0000714765e-1F;
    p = p * f - 2.4999993993e-1F;
    p = p * f + 3.3333331174e-1F;
    const Vec square = f * f;
    const Vec low = p * f * square + e * -2.12194440e-4F - 0.5F * square;
    return (f + low) + e * 0.693359375F;
}

inline Vec squareRoot(Vec x)
{
    Vec root;
    for (Index i = 0; i < kLanes; ++i)
        root[i] = __builtin_sqrtf(x[i]);
    return root;
}

/// e^x for one number, by the same polynomial.
inline float exponential(float x)
{
    return exponential(all(x))[0];
}

} // namespace remat::kernels::REMAT_ISA
