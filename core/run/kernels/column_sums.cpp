// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/kernels/parallel.h"

namespace remat::kernels::REMAT_ISA {
namespace {

// A piece owns a band of columns and adds all rows in order, so no partial sums of threads are ever combined.
constexpr Index kBand = 64;
// Bands of a wide matrix are wider: a whole page per row, or address translation dominates.
constexpr Index kWideBand = 1024;
// Rows that are summed apart before they join the total, which keeps rounding errors near those of a pairwise sum.
constexpr Index kRun = 64;

} // namespace

void columnSums(const Workers& workers, Index rows, Index width, const float* matrix, float* sums, Store mode)
{
    const Index band = width > 8192 ? kWideBand : kBand;
    workers.pool.parallelFor((width + band - 1) / band, [&](Index piece, int) {
        const Index first = piece * band;
        const Index columns = least(band, width - first);
        alignas(32) float total[kWideBand] = {};
        alignas(32) float run[kWideBand];
        for (Index begin = 0; begin < rows; begin += kRun) {
            forVectors(columns, [&](Index i, auto, auto) { store(run + i, Vec{}); });
            for (Index row = begin; row < least(rows, begin + kRun); ++row) {
                const float* values = matrix + row * width + first;
                forVectors(
                    columns, [&](Index i, auto read, auto) { store(run + i, load(run + i) + read(values + i)); });
            }
            forVectors(columns, [&](Index i, auto, auto) { store(total + i, load(total + i) + load(run + i)); });
        }
        forVectors(columns, [&](Index i, auto read, auto write) {
            float* sum = sums + first + i;
            write(sum, mode == Store::Add ? read(sum) + load(total + i) : load(total + i));
        });
    });
}

} // namespace remat::kernels::REMAT_ISA
