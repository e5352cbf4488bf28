// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// (out[i], out[i + D/2]) = (a cos - b sin, b cos + a sin),  (a, b) = (in[i], in[i + D/2])
// angle = +-position base^(-2i/D)        in, out: [B, T, heads, D]; the first `turned` heads are turned, others copied
// Angles are computed in double: float would lose the digits of a large position's angle.  A thread computes four of
// them once for all heads, so that devices with little double arithmetic do not feel it.
#include <cmath>

#include "cuda/kernels/rows.h"
#include "cuda/language/row_quads.h"

namespace remat::cuda {
namespace {

// ---------------------------------------------------------------------------------------- device helpers

constexpr unsigned kRotaryThreads = 128;

// ---------------------------------------------------------------------------------------- kernels

/// Blocks over the batch's sequences, `blocks` each, their threads over positions and quads of pairs.  direction: 1 or
/// -1; step: -2 log(base) / D.
template <class T>
__global__ void rotate_pairs(
    RotaryShape shape, Index quads, Index blocks, double direction, double step, const T* in, T* out)
{
    const Index block = static_cast<Index>(blockIdx.x) % blocks, sequence = static_cast<Index>(blockIdx.x) / blocks;
    const Index thread = block * kRotaryThreads + static_cast<Index>(threadIdx.x);
    const Index position = thread / quads, pair = thread % quads * kQuad;
    if (position >= shape.sequence)
        return;
    const Index half = shape.headSize / 2;
    Quad cosines, sines;
    for (int k = 0; k < kQuad; ++k) {
        const double frequency = direction * exp(step * static_cast<double>(pair + k));
        const double angle = static_cast<double>(position) * frequency;
        cosines.x[k] = static_cast<float>(cos(angle));
        sines.x[k] = static_cast<float>(sin(angle));
    }
    const Index row = (sequence * shape.sequence + position) * shape.heads;
    for (Index head = 0; head < shape.heads; ++head) {
        const Index begin = (row + head) * shape.headSize, middle = begin + half, end = middle + half;
        Quad a = loadWithin(in, begin + pair, begin, middle);
        Quad b = loadWithin(in, middle + pair, middle, end);
        if (head < shape.turned)
            for (int k = 0; k < kQuad; ++k) {
                const float turned = a.x[k] * cosines.x[k] - b.x[k] * sines.x[k];
                b.x[k] = b.x[k] * cosines.x[k] + a.x[k] * sines.x[k];
                a.x[k] = turned;
            }
        storeWithin(out, begin + pair, begin, middle, a);
        storeWithin(out, middle + pair, middle, end, b);
    }
}

} // namespace

// ---------------------------------------------------------------------------------------- launchers

template <class T> void rotary(const RotaryShape& shape, Turn turn, const T* in, T* out, Stream stream)
{
    const Index quads = dividedUp(shape.headSize / 2, kQuad);
    const Index blocks = dividedUp(shape.sequence * quads, kRotaryThreads);
    const double step = -2.0 * std::log(shape.base) / static_cast<double>(shape.headSize);
    REMAT_LAUNCH(rotate_pairs<T>, static_cast<unsigned>(blocks * shape.batch), kRotaryThreads, 0, stream)
    (shape, quads, blocks, turn == Turn::Forth ? 1.0 : -1.0, step, in, out);
}

template void rotary(const RotaryShape&, Turn, const float*, float*, Stream);
template void rotary(const RotaryShape&, Turn, const bf16*, bf16*, Stream);

} // namespace remat::cuda
