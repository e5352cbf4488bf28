// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/language/row_warps.h"
#include "cuda/language/storage.h"

/// Quads of rows whose width need not be a multiple of four.
namespace remat::cuda {

/// Elements [first, first + 4), those outside [begin, end) as `beyond`; first may lie before begin.  Read at once where
/// they are whole and aligned, which they are when first % 4 == 0.
template <class T>
__device__ inline Quad loadWithin(const T* p, Index first, Index begin, Index end, float beyond = 0.0F)
{
    if (first >= begin && first + kQuad <= end && first % kQuad == 0)
        return loadQuad(p, first, end);
    const auto element = [&](Index i) { return i >= begin && i < end ? load(p, i) : beyond; };
    return {{element(first), element(first + 1), element(first + 2), element(first + 3)}};
}

/// Its counterpart; writes nothing outside [begin, end).
template <class T> __device__ inline void storeWithin(T* p, Index first, Index begin, Index end, const Quad& quad)
{
    if (first >= begin && first + kQuad <= end && first % kQuad == 0)
        return storeQuad(p, first, end, quad);
    for (int k = 0; k < kQuad; ++k)
        if (first + k >= begin && first + k < end)
            store(p, first + k, quad.x[k]);
}

__device__ inline float sumOf(const Quad& quad)
{
    return (quad.x[0] + quad.x[1]) + (quad.x[2] + quad.x[3]);
}

/// A row of a matrix, walked in quads of the matrix as a whole, which are aligned at any width.  Of a quad that two
/// rows share, each has its own elements only.
struct Row {
    Index begin, end; // elements of the matrix

    __device__ Row(Index row, Index width) : begin(row * width), end(begin + width) { }

    /// body(first) for the quads that one of `threads` threads has; a thread has the same quads in every walk.
    template <class Body> __device__ void forQuads(int thread, int threads, const Body& body) const
    {
        for (Index first = (begin / kQuad + thread) * kQuad; first < end; first += static_cast<Index>(threads) * kQuad)
            body(first);
    }

    template <class T> __device__ Quad load(const T* matrix, Index first, float beyond = 0.0F) const
    {
        return loadWithin(matrix, first, begin, end, beyond);
    }
    template <class T> __device__ void store(T* matrix, Index first, const Quad& quad) const
    {
        storeWithin(matrix, first, begin, end, quad);
    }
    /// The elements of a vector of the row's width, at the same columns.
    template <class T> __device__ Quad loadColumns(const T* vector, Index first) const
    {
        return loadWithin(vector, first - begin, 0, end - begin);
    }
};

/// body(first) for the quads of the row that the calling lane has.
template <class Body> __device__ inline void forQuadsOfLane(const Row& row, const Body& body)
{
    row.forQuads(static_cast<int>(threadIdx.x), kWarp, body);
}

} // namespace remat::cuda
