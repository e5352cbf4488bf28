// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// out[e] = value
// out[e] = deviation Q(u),  u = (2 floor(word(e) / 2^9) + 1) 2^-23, word signed: the middle of a 2^-23th of (-1, 1)
// out[e] = floor(word(e) vocabulary / 2^32)        out: any length; word(e): the stream's word of element e
#include "cuda/kernels/kernels.h"
#include "cuda/language/elements.h"
#include "cuda/language/philox.h"

namespace remat::cuda {
namespace {

// ---------------------------------------------------------------------------------------- device helpers

/// The point below which a normal variable lies with probability (1 + u) / 2, -1 < u < 1: sqrt(2) erfinv(u), by the
/// single-precision polynomials of M. Giles, Approximating the erfinv function (GPU Computing Gems, 2011).
__device__ float normalQuantile(float u)
{
    float w = -logf((1.0F - u) * (1.0F + u));
    float p = 0.0F;
    if (w < 5.0F) {
        w -= 2.5F;
        p = 2.81022636e-08F * w + 3.43273939e-07F;
        p = p * w - 3.5233877e-06F;
        p = p * w - 4.39150654e-06F;
        p = p * w + 0.00021858087F;
        p = p * w - 0.00125372503F;
        p = p * w - 0.00417768164F;
        p = p * w + 0.246640727F;
        p = p * w + 1.50140941F;
    } else {
        w = sqrtf(w) - 3.0F;
        p = -0.000200214257F * w + 0.000100950558F;
        p = p * w + 0.00134934322F;
        p = p * w - 0.00367342844F;
        p = p * w + 0.00573950773F;
        p = p * w - 0.0076224613F;
        p = p * w + 0.00943887047F;
        p = p * w + 1.00167406F;
        p = p * w + 2.83297682F;
    }
    return p * u * 1.41421356F;
}

// ---------------------------------------------------------------------------------------- kernels

template <class T> __global__ void fill_elements(Index count, float value, T* out)
{
    storeQuad(out, firstOfQuad(), count, Quad{{value, value, value, value}});
}

template <class T> __global__ void fill_normal(RandomStream random, Index count, float standardDeviation, T* out)
{
    const Index first = firstOfQuad();
    const PhiloxBlock block = philox(random, static_cast<std::uint64_t>(first / kQuad));
    Quad values;
    for (int k = 0; k < kQuad; ++k) {
        const auto word = static_cast<std::int32_t>(block.words[k]);
        values.x[k] = normalQuantile(static_cast<float>((word >> 9) * 2 + 1) * 0x1p-23F) * standardDeviation;
    }
    storeQuad(out, first, count, values);
}

__global__ void fill_tokens(RandomStream random, Index count, std::uint32_t vocabulary, std::int32_t* out)
{
    const Index first = firstOfQuad();
    const PhiloxBlock block = philox(random, static_cast<std::uint64_t>(first / kQuad));
    for (int k = 0; k < kQuad && first + k < count; ++k)
        out[first + k] = static_cast<std::int32_t>(__umulhi(block.words[k], vocabulary));
}

} // namespace

// ---------------------------------------------------------------------------------------- launchers

template <class T> void fill(std::int64_t count, float value, T* out, Stream stream)
{
    REMAT_LAUNCH(fill_elements<T>, gridOfQuads(count), kElementThreads, 0, stream)(count, value, out);
}

template <class T>
void fillNormal(const RandomStream& random, std::int64_t count, float standardDeviation, T* out, Stream stream)
{
    REMAT_LAUNCH(fill_normal<T>, gridOfQuads(count), kElementThreads, 0, stream)
    (random, count, standardDeviation, out);
}

void fillTokens(
    const RandomStream& random, std::int64_t count, std::int64_t vocabulary, std::int32_t* out, Stream stream)
{
    REMAT_LAUNCH(fill_tokens, gridOfQuads(count), kElementThreads, 0, stream)
    (random, count, static_cast<std::uint32_t>(vocabulary), out);
}

template void fill(std::int64_t, float, float*, Stream);
template void fill(std::int64_t, float, bf16*, Stream);
template void fillNormal(const RandomStream&, std::int64_t, float, float*, Stream);
template void fillNormal(const RandomStream&, std::int64_t, float, bf16*, Stream);

} // namespace remat::cuda
