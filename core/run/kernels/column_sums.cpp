// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/band_sum.h"

namespace remat::kernels::REMAT_ISA {
namespace {

template <Index Width>
void sumBands(const Workers& workers, Index rows, Index width, const float* matrix, float* sums, Store mode)
{
    forBands(workers, width, Width, [&](Index first, Index columns) {
        BandSum<Width> sum(columns);
        const auto addRow = [&](Index row) {
            const float* values = matrix + row * width + first;
            forVectors(columns, [&](Index i, auto read, auto) { sum.add(i, read(values + i)); });
        };
        sumRows(rows, addRow, sum);
        sum.putTo(sums + first, mode);
    });
}

} // namespace

void columnSums(const Workers& workers, Index rows, Index width, const float* matrix, float* sums, Store mode)
{
    // Bands of a wide matrix are wider: a whole page per row, or address translation dominates.
    if (width > 8192)
        sumBands<1024>(workers, rows, width, matrix, sums, mode);
    else
        sumBands<kBand>(workers, rows, width, matrix, sums, mode);
}

} // namespace remat::kernels::REMAT_ISA
