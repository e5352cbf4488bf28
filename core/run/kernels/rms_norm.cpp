// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/isa_kernels.h"
#include "core/run/kernels/parallel.h"

namespace remat::kernels::REMAT_ISA {
namespace {

constexpr Index kBand = 64; // columns of one piece of the weight's gradient
constexpr Index kRun = 64;  // rows summed apart before they join the total

/// dgamma = sum over rows of dy x rstd, for the columns of one band.
void sumWeightGradient(
    const RowsShape& shape, Index first, const float* dy, const float* x, const float* rstd, float* dgamma, Store mode)
{
    const Index columns = least(kBand, shape.width - first);
    alignas(32) float total[kBand] = {};
    for (Index begin = 0; begin < shape.rows; begin += kRun) {
        alignas(32) float run[kBand] = {};
        for (Index row = begin; row < least(shape.rows, begin + kRun); ++row) {
            const float* gradient = dy + row * shape.width + first;
            const float* value = x + row * shape.width + first;
            forVectors(columns, [&](Index i, auto read, auto) {
                store(run + i, load(run + i) + read(gradient + i) * (read(value + i) * rstd[row]));
            });
        }
        for (Index i = 0; i < kBand; i += kLanes)
            store(total + i, load(total + i) + load(run + i));
    }
    forVectors(columns, [&](Index i, auto read, auto write) {
        float* gamma = dgamma + first + i;
        write(gamma, mode == Store::Add ? read(gamma) + load(total + i) : load(total + i));
    });
}

} // namespace

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
        workers.pool.parallelFor((shape.width + kBand - 1) / kBand,
            [&](Index piece, int) { sumWeightGradient(shape, piece * kBand, dy, x, rstd, dgamma, storeWeights); });
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
