// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cassert>

#include "core/base/thread_pool.h"
#include "core/run/kernels/kernels.h"
#include "core/run/kernels/simd.h"

/// How the kernels cut their work into pieces: by shape only, so that the bits do not depend on the thread count.
namespace remat::kernels::REMAT_ISA {

/// Elements per piece of elementwise work: 64 KiB of a tensor, enough to outweigh handing it out.
inline constexpr Index kPiece = 16384;

/// Null counts as aligned: it stands for a tensor that is not there.
inline bool isAligned(const void* p)
{
    return (reinterpret_cast<std::uintptr_t>(p) & 63U) == 0;
}

template <class... Pointers> inline void assertAligned([[maybe_unused]] const Pointers*... pointers)
{
    assert((isAligned(pointers) && ...));
}

/// The scratch of one worker.
inline float* scratchOf(const Workers& workers, int worker)
{
    return reinterpret_cast<float*>(workers.scratch + worker * kScratchBytesPerWorker);
}

/// body(begin, end) over pieces of [0, count); every begin is a multiple of kPiece.
template <class Body> inline void forPieces(const Workers& workers, Index count, const Body& body)
{
    workers.pool.parallelFor((count + kPiece - 1) / kPiece,
        [&](Index piece, int) { body(piece * kPiece, least(count, (piece + 1) * kPiece)); });
}

/// body(row) over rows of a matrix, several rows to a piece when they are short.
template <class Body> inline void forRows(const Workers& workers, Index rows, Index width, const Body& body)
{
    const Index perPiece = width >= kPiece ? 1 : kPiece / width;
    workers.pool.parallelFor((rows + perPiece - 1) / perPiece, [&](Index piece, int) {
        for (Index row = piece * perPiece; row < least(rows, (piece + 1) * perPiece); ++row)
            body(row);
    });
}

/// Adds or writes the sums over rows of matrix[rows, width] to sums[width].
void columnSums(const Workers& workers, Index rows, Index width, const float* matrix, float* sums, Store store);

} // namespace remat::kernels::REMAT_ISA
