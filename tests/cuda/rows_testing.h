// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/kernels/rows.h"
#include "tests/cuda/cuda_testing.h"

/// What the tests of the kernels of rows share.
namespace cuda_testing {

using kernel_testing::differences;
using kernel_testing::dot;

/// The bound of errorInUlps<T> for a value that is within `floats` ulps of float before T rounds it.
template <class T> constexpr double roundedFrom(double floats)
{
    return std::is_same_v<T, bf16> ? 0.5 + floats / 65536.0 : floats;
}

/// What Store::Add leaves where a was and b is added, before it is rounded.
inline Doubles increased(Doubles a, const Doubles& b)
{
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] += b[i];
    return a;
}

// Of both norms: around a warp and around a block of eight rows; rows of one element, of a model's width, of odd and of
// large ones.
inline constexpr RowsShape kNormShapes[]
    = {{1, 1}, {1, 31}, {7, 32}, {8, 33}, {9, 1000}, {33, 768}, {1000, 31}, {257, 40}, {3000, 7}, {2, 70001}};

/// Gradients of weights are sums of N terms of random sign, whose size is about sqrt(N): bounds are ulps of that.
inline double sizeOfSum(Index rows)
{
    return std::sqrt(static_cast<double>(rows));
}
inline constexpr double kSumUlps = 8.0;

} // namespace cuda_testing
