// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/isa_kernels.h"
#include "core/run/kernels/parallel.h"
#include "core/run/kernels/philox.h"

namespace remat::kernels::REMAT_ISA {
namespace {

/// The point below which a normal variable lies with probability (1 + u) / 2, -1 < u < 1: sqrt(2) erfinv(u), by the
/// single-precision polynomials of M. Giles, Approximating the erfinv function (GPU Computing Gems, 2011).
Vec normalQuantile(Vec u)
{
    const Vec w = -logarithm((1.0F - u) * (1.0F + u));
    const Vec central = w - 2.5F;
    Vec p = 2.81022636e-08F * central + 3.43273939e-07F;
    p = p * central - 3.5233877e-06F;
    p = p * central - 4.39150654e-06F;
    p = p * central + 0.00021858087F;
    p = p * central - 0.00125372503F;
    p = p * central - 0.00417768164F;
    p = p * central + 0.246640727F;
    p = p * central + 1.50140941F;
    const Vec tail = squareRoot(w) - 3.0F;
    Vec q = -0.000200214257F * tail + 0.000100950558F;
    q = q * tail + 0.00134934322F;
    q = q * tail - 0.00367342844F;
    q = q * tail + 0.00573950773F;
    q = q * tail - 0.0076224613F;
    q = q * tail + 0.00943887047F;
    q = q * tail + 1.00167406F;
    q = q * tail + 2.83297682F;
    return (w < 5.0F ? p : q) * u * 1.41421356F;
}

} // namespace

void IsaKernels::fill(const Workers& workers, Index count, float value, float* out) const
{
    assertAligned(out);
    const Vec values = all(value);
    forPieces(workers, count, [=](Index begin, Index end) {
        forVectors(end - begin, [=](Index i, auto, auto write) { write(out + begin + i, values); });
    });
}

void IsaKernels::fillNormal(
    const Workers& workers, const RandomStream& random, Index count, float standardDeviation, float* out) const
{
    assertAligned(out);
    forPieces(workers, count, [&](Index begin, Index end) {
        RandomWords random256;
        for (Index at = begin; at < end; at += kRandomWindow) {
            const Index window = least(kRandomWindow, end - at);
            random256.draw(random, static_cast<std::uint64_t>(at), window);
            forVectors(window, [&](Index i, auto, auto write) {
                IntVec word;
                __builtin_memcpy(&word, random256.words() + i, sizeof word);
                // 23 bits and a half: the middle of one of 2^23 equal parts of (-1, 1), which is exact in a float.
                const Vec u = __builtin_convertvector((word >> 9) * 2 + 1, Vec) * 0x1p-23F;
                write(out + at + i, normalQuantile(u) * standardDeviation);
            });
        }
    });
}

void IsaKernels::fillTokens(
    const Workers& workers, const RandomStream& random, Index count, Index vocabulary, std::int32_t* out) const
{
    assertAligned(out);
    forPieces(workers, count, [&](Index begin, Index end) {
        RandomWords window;
        for (Index at = begin; at < end; at += kRandomWindow) {
            const Index tokens = least(kRandomWindow, end - at);
            window.draw(random, static_cast<std::uint64_t>(at), tokens);
            for (Index i = 0; i < tokens; ++i)
                out[at + i] = static_cast<std::int32_t>(
                    (static_cast<std::uint64_t>(window.words()[i]) * static_cast<std::uint64_t>(vocabulary)) >> 32);
        }
    });
}

void IsaKernels::randomWords(
    const RandomStream& random, std::uint64_t firstBlock, Index blocks, std::uint32_t* out) const
{
    for (Index block = 0; block < blocks; block += kLanes) {
        std::uint32_t words[kWordsPerStep];
        philoxStep(random, firstBlock + static_cast<std::uint64_t>(block), words);
        __builtin_memcpy(out + 4 * block, words,
            static_cast<std::size_t>(4 * least(kLanes, blocks - block)) * sizeof(std::uint32_t));
    }
}

} // namespace remat::kernels::REMAT_ISA
