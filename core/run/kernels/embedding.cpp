// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/isa_kernels.h"
#include "core/run/kernels/parallel.h"

namespace remat::kernels::REMAT_ISA {
namespace {

constexpr Index kBand = 64; // columns that one piece scatters, for all tokens in order

} // namespace

void IsaKernels::embeddingForward(const Workers& workers, const EmbeddingShape& shape, const std::int32_t* ids,
    const float* wte, const float* wpe, const float* wtt, float* out) const
{
    assertAligned(ids, wte, wpe, wtt, out);
    const Index width = shape.width;
    forRows(workers, shape.batch * shape.sequence, width, [&](Index row) {
        const float* token = wte + ids[row] * width;
        const Index position = row % shape.sequence * width;
        forVectors(width, [&](Index i, auto read, auto write) {
            const Vec sum = wpe == nullptr ? read(token + i) : read(token + i) + read(wpe + position + i);
            write(out + row * width + i, wtt == nullptr ? sum : sum + read(wtt + i));
        });
    });
}

void IsaKernels::embeddingBackward(const Workers& workers, const EmbeddingShape& shape, const std::int32_t* ids,
    const float* dout, float* dwte, Store storeTokens, float* dwpe, float* dwtt, Store storeOthers) const
{
    assertAligned(ids, dout, dwte, dwpe, dwtt);
    const Index width = shape.width;
    const Index rows = shape.batch * shape.sequence;
    if (storeTokens == Store::Write)
        fill(workers, shape.vocabulary * width, 0.0F, dwte);
    workers.pool.parallelFor((width + kBand - 1) / kBand, [&](Index piece, int) {
        const Index first = piece * kBand;
        for (Index row = 0; row < rows; ++row) {
            float* sum = dwte + ids[row] * width + first;
            const float* gradient = dout + row * width + first;
            forVectors(least(kBand, width - first),
                [&](Index i, auto read, auto write) { write(sum + i, read(sum + i) + read(gradient + i)); });
        }
    });
    // Without a table there are no rows of it.
    forRows(workers, shape.positions, width, [&](Index position) {
        float* sums = dwpe + position * width;
        forVectors(width, [&](Index i, auto read, auto write) {
            Vec sum{};
            for (Index b = 0; b < shape.batch && position < shape.sequence; ++b)
                sum += read(dout + (b * shape.sequence + position) * width + i);
            write(sums + i, storeOthers == Store::Add ? read(sums + i) + sum : sum);
        });
    });
    if (dwtt == nullptr)
        return;
    columnSums(workers, rows, width, dout, dwtt, storeOthers);
    if (storeOthers == Store::Write)
        __builtin_memset(dwtt + width, 0, static_cast<std::size_t>((shape.tokenTypes - 1) * width) * sizeof(float));
}

} // namespace remat::kernels::REMAT_ISA
