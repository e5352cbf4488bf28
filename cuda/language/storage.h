// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/language/kernel.h"

/// Tensors are stored as T, float or bf16; arithmetic is float.  Rounding to bf16 is to nearest, ties to even, and
/// every NaN becomes 0x7fff: what the device's own instruction does, so that both sides give the same bits.
namespace remat::cuda {

__host__ __device__ inline float toFloat(bf16 value)
{
    union {
        std::uint32_t bits;
        float value;
    } wide{static_cast<std::uint32_t>(value.bits) << 16};
    return wide.value;
}

__host__ __device__ inline bf16 toBf16(float value)
{
#if defined(__CUDA_ARCH__)
    bf16 rounded;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(rounded.bits) : "f"(value));
    return rounded;
#else
    union {
        float value;
        std::uint32_t bits;
    } wide{value};
    if ((wide.bits & 0x7fffffffU) > 0x7f800000U)
        return {0x7fff};
    // Half of the last kept digit, less when that digit is even already: a carry runs up into the exponent by itself.
    const std::uint32_t half = 0x7fffU + (wide.bits >> 16 & 1U);
    return {static_cast<std::uint16_t>((wide.bits + half) >> 16)};
#endif
}

__host__ __device__ inline float load(const float* p, Index i)
{
    return p[i];
}

__host__ __device__ inline float load(const bf16* p, Index i)
{
    return toFloat(p[i]);
}

__host__ __device__ inline void store(float* p, Index i, float value)
{
    p[i] = value;
}

__host__ __device__ inline void store(bf16* p, Index i, float value)
{
    p[i] = toBf16(value);
}

/// Consecutive elements that one thread of an elementwise kernel handles: 16 bytes of floats, 8 of bf16.
inline constexpr int kQuad = 4;

struct Quad {
    float x[kQuad];
};

/// Elements [first, first + 4) of count at once; beyond count they are 0.  p is 16-byte aligned, first % 4 == 0.
template <class T> __device__ inline Quad loadQuad(const T* p, Index first, Index count)
{
    struct alignas(kQuad * sizeof(T)) Packed {
        T x[kQuad];
    };
    Quad quad{};
    if (first + kQuad <= count) {
        checkAligned(p + first, sizeof(Packed));
        const Packed packed = *reinterpret_cast<const Packed*>(p + first);
        for (int k = 0; k < kQuad; ++k)
            quad.x[k] = load(packed.x, k);
    } else {
        for (int k = 0; k < kQuad; ++k)
            if (first + k < count)
                quad.x[k] = load(p, first + k);
    }
    return quad;
}

/// Its counterpart; writes nothing beyond count.
template <class T> __device__ inline void storeQuad(T* p, Index first, Index count, const Quad& quad)
{
    struct alignas(kQuad * sizeof(T)) Packed {
        T x[kQuad];
    };
    if (first + kQuad <= count) {
        checkAligned(p + first, sizeof(Packed));
        Packed packed;
        for (int k = 0; k < kQuad; ++k)
            store(packed.x, k, quad.x[k]);
        *reinterpret_cast<Packed*>(p + first) = packed;
    } else {
        for (int k = 0; k < kQuad; ++k)
            if (first + k < count)
                store(p, first + k, quad.x[k]);
    }
}

} // namespace remat::cuda
