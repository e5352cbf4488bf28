// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// out = a + b        a, b, out: any length
#include "cuda/kernels/kernels.h"
#include "cuda/language/elements.h"

namespace remat::cuda {
namespace {

// ---------------------------------------------------------------------------------------- kernels

template <class T> __global__ void add_elements(Index count, const T* a, const T* b, T* out)
{
    const Index first = firstOfQuad();
    Quad sums = loadQuad(a, first, count);
    const Quad others = loadQuad(b, first, count);
    for (int k = 0; k < kQuad; ++k)
        sums.x[k] += others.x[k];
    storeQuad(out, first, count, sums);
}

} // namespace

// ---------------------------------------------------------------------------------------- launchers

template <class T> void add(std::int64_t count, const T* a, const T* b, T* out, Stream stream)
{
    REMAT_LAUNCH(add_elements<T>, gridOfQuads(count), kElementThreads, 0, stream)(count, a, b, out);
}

template void add(std::int64_t, const float*, const float*, float*, Stream);
template void add(std::int64_t, const bf16*, const bf16*, bf16*, Stream);

} // namespace remat::cuda
