// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

struct CUstream_st;

/// The two types that the kernels' interface needs, without CUDA's headers.
namespace remat::cuda {

/// CUDA's cudaStream_t.  The emulator ignores it: a launch returns when the kernel is done.
using Stream = CUstream_st*;

/// The upper half of a float's bits: 8 bits of precision at a float's range.  Has the layout of CUDA's __nv_bfloat16;
/// a type of our own, so that neither the emulator nor the users of kernels.h need the toolkit.
struct bf16 {
    std::uint16_t bits;
};

} // namespace remat::cuda
