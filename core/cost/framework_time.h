// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cost/roofline.h"

namespace remat {

/// What one kernel of a GPU framework (PyTorch, Megatron-LM) takes: the roofline (core/cost/roofline.h) with what its
/// kernels leave of the device,
///
///   products of matrices   flops / (e_c peak) + bytes / (0.75 bandwidth) + overhead
///   everything else        max(flops / (e_c peak), bytes / (0.75 e_b bandwidth)) + overhead
///
/// A product's first loads and last stores have nothing to overlap with, which is why a product of narrow matrices
/// reaches a smaller share of the peak; and kernels one after another reach about three quarters of the bandwidth.
/// Chosen with the A100's 65 and 53 ms for BERT-base in view; docs/memory-model.md has these beside other published
/// times.
Nanoseconds frameworkTime(const Device& device, OpClass opClass, Flops flops, Bytes bytes);

} // namespace remat
