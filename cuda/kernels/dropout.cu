// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// out[e] = in[e] m[e], m[e] = 0 if word(e) < p 2^32, else 1 / (1-p)        in, out: any length
#include "cuda/kernels/kernels.h"
#include "cuda/language/elements.h"
#include "cuda/language/philox.h"

namespace remat::cuda {
namespace {

// ---------------------------------------------------------------------------------------- kernels

/// A thread's quad has the words of exactly one Philox block.
template <class T> __global__ void dropout_elements(DropoutMask mask, Index count, const T* in, T* out)
{
    const Index first = firstOfQuad();
    Quad values = loadQuad(in, first, count);
    // Nothing is drawn where nothing is dropped.
    if (mask.threshold != 0) {
        const PhiloxBlock block = philox(mask.random, static_cast<std::uint64_t>(first / kQuad));
        for (int k = 0; k < kQuad; ++k)
            values.x[k] *= mask.factor(block.words[k]);
    }
    storeQuad(out, first, count, values);
}

} // namespace

// ---------------------------------------------------------------------------------------- launchers

template <class T> void dropout(const Dropout& dropout, std::int64_t count, const T* in, T* out, Stream stream)
{
    REMAT_LAUNCH(dropout_elements<T>, gridOfQuads(count), kElementThreads, 0, stream)
    (DropoutMask(dropout), count, in, out);
}

template void dropout(const Dropout&, std::int64_t, const float*, float*, Stream);
template void dropout(const Dropout&, std::int64_t, const bf16*, bf16*, Stream);

} // namespace remat::cuda
