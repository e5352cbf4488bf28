// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/isa_kernels.h"
#include "core/run/kernels/parallel.h"

namespace remat::kernels::REMAT_ISA {
namespace {

constexpr Index kPairs = 256;    // pairs of elements whose angles are computed at a time
constexpr Index kPositions = 16; // positions of a piece, which share the angles' frequencies

/// Turns `count` pairs (first[i], second[i]) by the angles of which cosine and sine are given.
void turnPairs(Index count, const float* cosine, const float* sine, const float* first, const float* second,
    float* outFirst, float* outSecond)
{
    forVectors(count, [=](Index i, auto read, auto write) {
        const Vec a = read(first + i), b = read(second + i);
        const Vec c = read(cosine + i), s = read(sine + i);
        write(outFirst + i, a * c - b * s);
        write(outSecond + i, b * c + a * s);
    });
}

} // namespace

void IsaKernels::rotary(const Workers& workers, const RotaryShape& shape, Turn turn, const float* in, float* out) const
{
    assertAligned(in, out);
    assert(shape.headSize % 2 == 0);
    const Index half = shape.headSize / 2, width = shape.heads * shape.headSize;
    const double direction = turn == Turn::Forth ? 1.0 : -1.0;
    const double step = -2.0 * __builtin_log(shape.base) / static_cast<double>(shape.headSize);
    workers.pool.parallelFor((shape.sequence + kPositions - 1) / kPositions, [&](Index piece, int) {
        const Index end = least(shape.sequence, (piece + 1) * kPositions);
        for (Index pair = 0; pair < half; pair += kPairs) {
            const Index pairs = least(kPairs, half - pair);
            double frequency[kPairs];
            for (Index i = 0; i < pairs; ++i)
                frequency[i] = direction * __builtin_exp(step * static_cast<double>(pair + i));
            for (Index position = piece * kPositions; position < end; ++position) {
                float cosine[kPairs], sine[kPairs];
                for (Index i = 0; i < pairs; ++i) {
                    const double angle = static_cast<double>(position) * frequency[i];
                    cosine[i] = static_cast<float>(__builtin_cos(angle));
                    sine[i] = static_cast<float>(__builtin_sin(angle));
                }
                for (Index b = 0; b < shape.batch; ++b)
                    for (Index head = 0; head < shape.turned; ++head) {
                        const Index at = (b * shape.sequence + position) * width + head * shape.headSize + pair;
                        turnPairs(pairs, cosine, sine, in + at, in + at + half, out + at, out + at + half);
                    }
            }
        }
        const Index turned = shape.turned * shape.headSize;
        for (Index b = 0; b < shape.batch; ++b)
            for (Index position = piece * kPositions; position < end; ++position) {
                const Index at = (b * shape.sequence + position) * width + turned;
                __builtin_memcpy(out + at, in + at, static_cast<std::size_t>(width - turned) * sizeof(float));
            }
    });
}

} // namespace remat::kernels::REMAT_ISA
