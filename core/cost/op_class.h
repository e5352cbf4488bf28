// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string_view>

#include "core/tape/tape.h"

namespace remat {

/// Ops that reach alike shares of a device's peaks.
enum class OpClass {
    Gemm,            ///< linear layers, and the chunked head, whose three products outweigh its softmax
    Attention,       ///< blocked: scores stay in a bounded workspace
    StoredAttention, ///< batched products with a stored T x T matrix, and its softmax
    Elementwise,     ///< residual adds and rotary positions
    Activation,      ///< GELU, SiLU and ReLU, gated or not: a transcendental per element
    Dropout,         ///< ten Philox rounds per four elements
    Reduction,       ///< layer norms and RMS norms
    Embedding,       ///< gathers and scatters of rows
    CrossEntropy,    ///< softmax over the vocabulary
    Optimizer        ///< AdamW or SGD over all parameters
};
inline constexpr std::size_t kOpClassCount = 10;

/// "gemm", "stored_attention": the keys of device and cost files.
std::string_view toName(OpClass opClass);

OpClass classOf(OpKind kind);

/// Whether a measured rate of the class is one of FLOPs: products are bound by arithmetic, everything else by memory or
/// by its own arithmetic per byte.
bool isProductClass(OpClass opClass);

} // namespace remat
