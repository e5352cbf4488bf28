// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/run/kernels/parallel.h"

/// Sums over the rows of a matrix.  A piece owns a band of columns and adds all rows in order, so no partial sums of
/// threads are ever combined.
namespace remat::kernels::REMAT_ISA {

inline constexpr Index kBand = 64;

/// The sums of one band's columns.  Runs of rows are summed apart before they join the total, which keeps rounding
/// errors near those of a pairwise sum.
template <Index Width = kBand> class BandSum {
public:
    explicit BandSum(Index columns) : m_columns(columns) { }

    /// Adds to the lanes from column i on.
    void add(Index i, Vec v) { store(m_run + i, load(m_run + i) + v); }
    void endRun()
    {
        for (Index i = 0; i < m_columns; i += kLanes) {
            store(m_total + i, load(m_total + i) + load(m_run + i));
            store(m_run + i, Vec{});
        }
    }
    void putTo(float* sums, Store mode) const
    {
        forVectors(m_columns, [&](Index i, auto read, auto write) {
            write(sums + i, mode == Store::Add ? read(sums + i) + load(m_total + i) : load(m_total + i));
        });
    }

private:
    static_assert(Width % kLanes == 0);
    Index m_columns; // at most Width
    alignas(64) float m_run[Width] = {};
    alignas(64) float m_total[Width] = {};
};

/// addRow(row) for every row, with the ends of the sums' runs.
template <class AddRow, class... Sums> inline void sumRows(Index rows, const AddRow& addRow, Sums&... sums)
{
    constexpr Index kRun = 64;
    for (Index begin = 0; begin < rows; begin += kRun) {
        for (Index row = begin; row < least(rows, begin + kRun); ++row)
            addRow(row);
        (sums.endRun(), ...);
    }
}

/// body(first, columns) for every band of a matrix's `width` columns.
template <class Body> inline void forBands(const Workers& workers, Index width, Index band, const Body& body)
{
    workers.pool.parallelFor(
        (width + band - 1) / band, [&](Index piece, int) { body(piece * band, least(band, width - piece * band)); });
}

} // namespace remat::kernels::REMAT_ISA
