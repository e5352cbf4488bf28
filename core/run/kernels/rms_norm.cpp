// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/band_sum.h"
#include "core/run/kernels/isa_kernels.h"

namespace remat::kernels::REMAT_ISA {
void IsaKernels::rmsNormForward(const Workers& workers, const RowsShape& shape, float epsilon, const float* x,
    const float* gamma, float* y, float* rstd) const
{
    assertAligned(x, gamma, y, rstd);
    const float scale = 1.0F / static_cast<float>(shape.width);
    forRows(workers, shape.rows, shape.width, [&](Index row) {
        const float* in = x + row * shape.width;
        float* out = y + row * shape.width;
        Vec squares{};
        forVectors(shape.width, [&](Index i, auto read, auto) {
            const Vec value = read(in + i);
            squares += value * value;
        });
        const float inverse = 1.0F / __builtin_sqrtf(sumOfLanes(squares) * scale + epsilon);
        forVectors(shape.width,
            [&](Index i, auto read, auto write) { write(out + i, read(in + i) * inverse * read(gamma + i)); });
        rstd[row] = inverse;
    });
}

void IsaKernels::rmsNormBackward(const Workers& workers, const RowsShape& shape, const float* dy, const float* x,
    const float* rstd, const float* gamma, float* dx, Store storeDx, float* dgamma, Store storeWeights) const
{
    assertAligned(dy, x, rstd, gamma, dx, dgamma);
    assert(dx != dy || storeDx == Store::Write || dx == nullptr);
    // The weight's gradient comes first, because dx may overwrite dy.
    if (dgamma != nullptr)
        forBands(workers, shape.width, kBand, [&](Index first, Index columns) {
            BandSum gammas(columns);
            const auto addRow = [&](Index row) {
                const float* gradient = dy + row * shape.width + first;
                const float* value = x + row * shape.width + first;
                const float inverse = rstd[row];
                forVectors(columns,
                    [&](Index i, auto read, auto) { gammas.add(i, read(gradient + i) * (read(value + i) * inverse)); });
            };
            sumRows(shape.rows, addRow, gammas);
            gammas.putTo(dgamma + first, storeWeights);
        });
    if (dx == nullptr)
        return;
    const float scale = 1.0F / static_cast<float>(shape.width);
    forRows(workers, shape.rows, shape.width, [&](Index row) {
        // With g = dy gamma and xhat = x rstd: dx = rstd (g - xhat mean(g xhat)).
        const float* gradient = dy + row * shape.width;
        const float* value = x + row * shape.width;
        float* out = dx + row * shape.width;
        const float inverse = rstd[row];
        Vec product{};
        forVectors(shape.width, [&](Index i, auto read, auto) {
            product += read(gradient + i) * read(gamma + i) * (read(value + i) * inverse);
        });
        const float meanProduct = sumOfLanes(product) * scale;
        forVectors(shape.width, [&](Index i, auto read, auto write) {
            const Vec g = read(gradient + i) * read(gamma + i);
            const Vec d = (g - read(value + i) * inverse * meanProduct) * inverse;
            write(out + i, storeDx == Store::Add ? read(out + i) + d : d);
        });
    });
}

} // namespace remat::kernels::REMAT_ISA
