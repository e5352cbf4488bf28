// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/run/kernels/parallel.h"

namespace remat::kernels::REMAT_ISA {

/// A row-major matrix inside a larger one: element (i, j) is data[i * stride + j], or data[j * stride + i] if
/// transposed.
struct MatrixView {
    const float* data;
    Index stride;
    bool transposed = false;
};

/// What a product does to C before it adds alpha * A B.
enum class Start { Zero, Keep, Bias };

/// Floats of packing room that multiplyBlock uses: one block of B and one of A (gemm.cpp).
inline constexpr Index kPackingFloats = Index{768 + 128} * 256;

/// C[m,n] (stride cStride) = start + alpha * A[m,k] B[k,n] on the calling thread.  Block sizes are
/// constants, so that the order of additions depends on k alone, not on caches or threads.
void multiplyBlock(float* packing, Index m, Index n, Index k, float alpha, MatrixView a, MatrixView b, Start start,
    const float* bias, float* c, Index cStride);

/// The same for a large product with alpha = 1, shared out over tiles of C that are fixed by its shape.
void multiply(const Workers& workers, Index m, Index n, Index k, MatrixView a, MatrixView b, Start start,
    const float* bias, float* c);

} // namespace remat::kernels::REMAT_ISA
