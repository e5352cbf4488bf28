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

/// Whether a layer has a module that is its FFN and nothing else; OPT has none.
bool hasFfnModule(const ModelShape& shape);

/// Every way that is worth a simulation, "keep" first, simpler ones before others: 60 to 200.
///
/// Regions: the block; the attention core; attention and FFN, one or both, each with or without the norm before it
/// (pre-norm serial blocks), and where dropout ends the module, with that outside.  In each, products of Linears and
/// the fused attention may be saved.  Not offered: a saved last product, since early stop spares it where it ends the
/// region; saving in a reentrant region, which PyTorch refuses; regions of several blocks.
std::vector<RegionOption> regionOptions(const ModelShape& shape, const torch::TorchSetup& setup);

} // namespace remat
