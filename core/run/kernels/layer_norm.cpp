// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/isa_kernels.h"
#include "core/run/kernels/parallel.h"

namespace remat::kernels::REMAT_ISA {
namespace {

constexpr Index kBand = 64; // columns of one piece of the weight gradients
constexpr Index kRun = 64;  // rows summed apart before they join the total

/// dgamma = sum over rows of dy * xhat, dbeta = sum over rows of dy, for the columns of one band.
void sumWeightGradients(const RowsShape& shape, Index first, const float* dy, const float* x, const float* mean,
    const float* rstd, float* dgamma, float* dbeta, Store mode)
{
    const Index columns = least(kBand, shape.width - first);
    alignas(32) float gammaTotal[kBand] = {}, betaTotal[kBand] = {};
    for (Index begin = 0; begin < shape.rows; begin += kRun) {
        alignas(32) float gammaRun[kBand] = {}, betaRun[kBand] = {};
        for (Index row = begin; row < least(shape.rows, begin + kRun); ++row) {
            const float* gradient = dy + row * shape.width + first;
            const float* value = x + row * shape.width + first;
            forVectors(columns, [&](Index i, auto read, auto) {
                const Vec g = read(gradient + i);
                store(betaRun + i, load(betaRun + i) + g);
                store(gammaRun + i, load(gammaRun + i) + g * ((read(value + i) - mean[row]) * rstd[row]));
            });
        }
        for (Index i = 0; i < kBand; i += kLanes) {
            store(gammaTotal + i, load(gammaTotal + i) + load(gammaRun + i));
            store(betaTotal + i, load(betaTotal + i) + load(betaRun + i));
        }
    }
    forVectors(columns, [&](Index i, auto read, auto write) {
        float* gamma = dgamma + first + i;
        float* beta = dbeta + first + i;
        write(gamma, mode == Store::Add ? read(gamma) + load(gammaTotal + i) : load(gammaTotal + i));
        write(beta, mode == Store::Add ? read(beta) + load(betaTotal + i) : load(betaTotal + i));
    });
}

} // namespace

void IsaKernels::layerNormForward(const Workers& workers, const RowsShape& shape, float epsilon, const float* x,
    const float* gamma, const float* beta, float* y, float* mean, float* rstd) const
{
    assertAligned(x, gamma, beta, y, mean, rstd);
    const float scale = 1.0F / static_cast<float>(shape.width);
    forRows(workers, shape.rows, shape.width, [&](Index row) {
        const float* in = x + row * shape.width;
        float* out = y + row * shape.width;
        Vec sum{};
        forVectors(shape.width, [&](Index i, auto read, auto) { sum += read(in + i); });
        const float center = sumOfLanes(sum) * scale;
        // The second pass avoids the cancellation of E[x^2] - E[x]^2; lanes past the end must not count as -center.
        const Index whole = shape.width / kLanes * kLanes;
        Vec squares{};
        for (Index i = 0; i < whole; i += kLanes) {
            const Vec d = load(in + i) - center;
            squares += d * d;
        }
        float variance = sumOfLanes(squares);
        for (Index i = whole; i < shape.width; ++i)
            variance += (in[i] - center) * (in[i] - center);
        const float inverse = 1.0F / __builtin_sqrtf(variance * scale + epsilon);
        forVectors(shape.width, [&](Index i, auto read, auto write) {
            write(out + i, (read(in + i) - center) * inverse * read(gamma + i) + read(beta + i));
        });
        mean[row] = center;
        rstd[row] = inverse;
    });
}

void IsaKernels::layerNormBackward(const Workers& workers, const RowsShape& shape, const float* dy, const float* x,
    const float* mean, const float* rstd, const float* gamma, float* dx, Store storeDx, float* dgamma, float* dbeta,
    Store storeWeights) const
{
    assertAligned(dy, x, mean, rstd, gamma, dx, dgamma, dbeta);
    assert(dx != dy || storeDx == Store::Write || dx == nullptr);
    // The weights' gradients come first, because dx may overwrite dy.
    if (dgamma != nullptr)
        workers.pool.parallelFor((shape.width + kBand - 1) / kBand, [&](Index piece, int) {
            sumWeightGradients(shape, piece * kBand, dy, x, mean, rstd, dgamma, dbeta, storeWeights);
        });
    if (dx == nullptr)
        return;
    const float scale = 1.0F / static_cast<float>(shape.width);
    forRows(workers, shape.rows, shape.width, [&](Index row) {
        // With g = dy gamma and xhat = (x - mean) rstd: dx = rstd (g - mean(g) - xhat mean(g xhat)).
        const float* gradient = dy + row * shape.width;
        const float* value = x + row * shape.width;
        float* out = dx + row * shape.width;
        const float center = mean[row], inverse = rstd[row];
        Vec sum{}, product{};
        forVectors(shape.width, [&](Index i, auto read, auto) {
            const Vec g = read(gradient + i) * read(gamma + i);
            sum += g;
            product += g * ((read(value + i) - center) * inverse);
        });
        const float meanG = sumOfLanes(sum) * scale, meanProduct = sumOfLanes(product) * scale;
        forVectors(shape.width, [&](Index i, auto read, auto write) {
            const Vec g = read(gradient + i) * read(gamma + i);
            const Vec d = (g - meanG - (read(value + i) - center) * inverse * meanProduct) * inverse;
            write(out + i, storeDx == Store::Add ? read(out + i) + d : d);
        });
    });
}

} // namespace remat::kernels::REMAT_ISA
