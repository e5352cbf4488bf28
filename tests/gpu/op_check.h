// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/gpu/gpu_check.h"
#include "tests/gpu/tally.h"

namespace remat::testing {

/// Matrix products against sums in double.
void checkProducts(cuda::Gpu& gpu, Tally& tally);

/// Every operation of every family, forward and backward, against the CPU's kernels, which have a double-precision
/// reference of their own: steps of 1, 31, 32, 33 and more tokens and of several head widths run on both machines with
/// the same weights, tokens and masks, and what each operation writes is compared.
void checkOperations(cuda::Gpu& gpu, Tally& tally);

} // namespace remat::testing
