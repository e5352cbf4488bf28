// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/kernels/attention.h"
#include "tests/core/run/attention_reference.h"
#include "tests/cuda/cuda_testing.h"

/// What the tests of the two variants of attention share.
namespace cuda_testing {

using namespace kernel_testing;

struct AttentionCase {
    const char* name;
    AttentionShape shape; // B, T, H, K, D, causal
};

/// Sequences below, at and beyond a tile of 64 rows; head sizes below, at and beyond a slice of 64 columns, and beyond
/// a group of two; with tails of quads and without.
inline const AttentionCase kAttentionCases[] = {
    {"one token", {1, 1, 1, 1, 1, false}},
    {"one causal token", {2, 1, 2, 1, 8, true}},
    {"a row less than half a tile", {2, 31, 2, 2, 8, true}},
    {"odd heads", {1, 32, 3, 3, 33, false}},
    {"pairs of heads share keys", {1, 33, 4, 2, 64, true}},
    {"a whole tile", {1, 64, 1, 1, 16, true}},
    {"two tiles, two slices", {1, 70, 2, 2, 128, false}},
    {"all heads share keys", {1, 70, 3, 1, 33, true}},
    {"two groups of slices", {1, 66, 1, 1, 137, true}},
    {"three tiles", {1, 130, 2, 1, 8, false}},
    {"three tiles, causal", {1, 130, 2, 1, 64, true}},
};

/// A row for each case with and without dropout.
inline void addAttentionCases()
{
    QTest::addColumn<int>("number");
    QTest::addColumn<float>("probability");
    for (int i = 0; i < static_cast<int>(std::size(kAttentionCases)); ++i)
        for (const float p : {0.0F, 0.25F})
            QTest::addRow("%s, dropout %g", kAttentionCases[i].name, static_cast<double>(p)) << i << p;
}

inline Index qkvSize(const AttentionShape& s)
{
    return s.batch * s.sequence * s.rowWidth();
}

inline Index contextSize(const AttentionShape& s)
{
    return s.batch * s.sequence * s.heads * s.headSize;
}

inline Index lseSize(const AttentionShape& s)
{
    return s.batch * s.heads * s.sequence;
}

inline Buffer<float> attentionWorkspace(const AttentionShape& s)
{
    return Buffer<float>(attentionBackwardWorkspaceBytes(s) / static_cast<Index>(sizeof(float)));
}

/// Half a unit for storing a result as T, and what float arithmetic adds, in units of a float.
template <class T> double roundings(double floats)
{
    return 0.5 + (std::is_same_v<T, bf16> ? floats / 0x1p16 : floats);
}

/// What the arithmetic of attention adds to results of about 1.  A score is a sum of up to 137 products and has, at
/// sizes up to 6, an error of about sqrt(137) / 2 units; its exponential has the same one relatively, and the sums over
/// up to 130 keys average errors out rather than add them up.
inline constexpr double kAttentionFloats = 32.0;

inline constexpr RandomStream kMaskStream{17, 0x500000003ULL};

} // namespace cuda_testing
