// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/model/model_shape.h"
#include "core/torch/torch_setup.h"

namespace remat {

/// One way in which PyTorch can run a layer: regions of torch.utils.checkpoint, with products saved by policy.
struct RegionOption {
    std::string name; ///< "keep", "block", "attention + ffn, saving qkv, sdpa"
    torch::LayerRegions regions;
};

/// Every way that is worth a simulation, "keep" first, simpler ones before others: 60 to 200.
///
/// Regions, as far as a model has what they wrap (core/torch/layer_wraps.h): the block; the attention core; attention
/// and FFN, one or both, each with or without the norm before it, and where dropout ends the module, with that outside.
/// In each, products of Linears and the fused attention may be saved.  Not offered: a saved last product, since early
/// stop spares it where it ends the region; saving in a reentrant region, which PyTorch refuses; saving in the core.
/// Regions of several blocks are no way of one layer (core/regions/region_spans.h).
std::vector<RegionOption> regionOptions(
    const ModelShape& shape, const torch::TorchSetup& setup, bool isDecoder = false);

} // namespace remat
