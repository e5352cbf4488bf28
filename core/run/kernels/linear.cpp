// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/gemm.h"
#include "core/run/kernels/isa_kernels.h"

namespace remat::kernels::REMAT_ISA {
namespace {

Start startOf(Store store)
{
    return store == Store::Add ? Start::Keep : Start::Zero;
}

} // namespace

void IsaKernels::gemm(const Workers& workers, const Gemm& g, const float* a, const float* b, const float* bias,
    float* c, Store store) const
{
    assertAligned(a, b, bias, c);
    assert(bias == nullptr || store == Store::Write);
    multiply(workers, g.m, g.n, g.k, {a, g.transposeA ? g.m : g.k, g.transposeA},
        {b, g.transposeB ? g.k : g.n, g.transposeB}, bias != nullptr ? Start::Bias : startOf(store), bias, c);
}

void IsaKernels::linearForward(const Workers& workers, const LinearShape& shape, const float* x, const float* weight,
    const float* bias, float* y) const
{
    assertAligned(x, weight, bias, y);
    const bool outIn = shape.layout == WeightLayout::OutIn;
    multiply(workers, shape.rows, shape.out, shape.in, {x, shape.in}, {weight, outIn ? shape.in : shape.out, outIn},
        bias != nullptr ? Start::Bias : Start::Zero, bias, y);
}

void IsaKernels::linearBackward(const Workers& workers, const LinearShape& shape, const float* dy, const float* x,
    const float* weight, float* dx, Store storeDx, float* dweight, float* dbias, Store storeWeights) const
{
    assertAligned(dy, x, weight, dx, dweight, dbias);
    const bool outIn = shape.layout == WeightLayout::OutIn;
    if (dx != nullptr) // dy W^T
        multiply(workers, shape.rows, shape.in, shape.out, {dy, shape.out},
            {weight, outIn ? shape.in : shape.out, !outIn}, startOf(storeDx), nullptr, dx);
    if (dweight != nullptr && outIn) // dy^T x
        multiply(workers, shape.out, shape.in, shape.rows, {dy, shape.out, true}, {x, shape.in}, startOf(storeWeights),
            nullptr, dweight);
    else if (dweight != nullptr) // x^T dy
        multiply(workers, shape.in, shape.out, shape.rows, {x, shape.in, true}, {dy, shape.out}, startOf(storeWeights),
            nullptr, dweight);
    if (dbias != nullptr)
        columnSums(workers, shape.rows, shape.out, dy, dbias, storeWeights);
}

} // namespace remat::kernels::REMAT_ISA
