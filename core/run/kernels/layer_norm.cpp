// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/band_sum.h"
#include "core/run/kernels/isa_kernels.h"

namespace remat::kernels::REMAT_ISA {
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
        forBands(workers, shape.width, kBand, [&](Index first, Index columns) {
            BandSum gammas(columns), betas(columns);
            const auto addRow = [&](Index row) {
                const float* gradient = dy + row * shape.width + first;
                const float* value = x + row * shape.width + first;
                forVectors(columns, [&](Index i, auto read, auto) {
                    const Vec g = read(gradient + i);
                    betas.add(i, g);
                    gammas.add(i, g * ((read(value + i) - mean[row]) * rstd[row]));
                });
            };
            sumRows(shape.rows, addRow, gammas, betas);
            gammas.putTo(dgamma + first, storeWeights);
            betas.putTo(dbeta + first, storeWeights);
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
