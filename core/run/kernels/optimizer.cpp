// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/isa_kernels.h"
#include "core/run/kernels/parallel.h"

namespace remat::kernels::REMAT_ISA {
namespace {

double power(double base, std::int64_t exponent)
{
    double result = 1.0;
    for (; exponent > 0; exponent /= 2, base *= base)
        if (exponent % 2 == 1)
            result *= base;
    return result;
}

} // namespace

void IsaKernels::adamW(const Workers& workers, const AdamW& adamW, Index count, const float* gradient, float* parameter,
    float* momentum, float* variance) const
{
    assertAligned(gradient, parameter, momentum, variance);
    const float beta1 = adamW.beta1, beta2 = adamW.beta2, epsilon = adamW.epsilon;
    const float momentumShare = 1.0F - beta1, varianceShare = 1.0F - beta2;
    const float keep = 1.0F - adamW.learningRate * adamW.weightDecay;
    const auto stepSize = static_cast<float>(
        static_cast<double>(adamW.learningRate) / (1.0 - power(static_cast<double>(beta1), adamW.step)));
    // sqrt(v / c) + eps, with 1/sqrt(c) taken out of the loop.
    const auto rootScale
        = static_cast<float>(1.0 / __builtin_sqrt(1.0 - power(static_cast<double>(beta2), adamW.step)));
    forPieces(workers, count, [=](Index begin, Index end) {
        forVectors(end - begin, [=](Index i, auto read, auto write) {
            const Index at = begin + i;
            const Vec g = read(gradient + at);
            const Vec m = beta1 * read(momentum + at) + momentumShare * g;
            const Vec v = beta2 * read(variance + at) + varianceShare * (g * g);
            write(momentum + at, m);
            write(variance + at, v);
            write(parameter + at, read(parameter + at) * keep - stepSize * m / (squareRoot(v) * rootScale + epsilon));
        });
    });
}

void IsaKernels::sgd(
    const Workers& workers, float learningRate, Index count, const float* gradient, float* parameter) const
{
    assertAligned(gradient, parameter);
    forPieces(workers, count, [=](Index begin, Index end) {
        forVectors(end - begin, [=](Index i, auto read, auto write) {
            const Index at = begin + i;
            write(parameter + at, read(parameter + at) - learningRate * read(gradient + at));
        });
    });
}

} // namespace remat::kernels::REMAT_ISA
