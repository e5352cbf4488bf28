// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/chain/keep_options.h"
#include "core/export/torch_paths.h"
#include "core/plan/torch_realization.h"

namespace remat {

/// The regions of one layer that come nearest to a keep-set, and what they keep of it.
struct LayerRegions {
    std::vector<TorchRegion> regions;
    KeepSet keep = 0; ///< a part of what was asked for
};

/// Regions that keep nothing that `keep` drops, and recompute least of what it keeps; ties: fewest bytes, then fewest
/// regions.  All combinations are tried: the block, with every product and fused attention saved that `keep` has, or
/// attention (its core, itself, with its norm) and FFN (itself, with its norm) apart, likewise.  A region keeps its
/// input and cannot keep what no Linear and no attention made: norms, activations, sums inside it.
///
/// `module` is the layer's full path.  Without `canSave` (inside another region) nothing is saved.
LayerRegions nearestRegions(const StageFacts& layer, KeepSet keep, const std::string& module, const TorchPaths& paths,
    bool hasDropout, bool canSave);

} // namespace remat
