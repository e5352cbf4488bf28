// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stop_token>
#include <vector>

#include "core/chain/chain.h"
#include "core/regions/region_options.h"
#include "core/regions/region_request.h"

namespace remat {

/// The chain of a model whose layers run as PyTorch can run them: embedding, layers, head.
///
/// The numbers of a layer's option come from a simulation of four layers of which one runs so: what that one saves, how
/// much its forward and its backward take above what the chain says is resident, and the roofline times of its events.
/// A finished plan is simulated whole (core/regions/region_study.h); the chain is what chooses between plans.
struct RegionChain {
    Chain chain;
    std::vector<std::vector<RegionOption>> options; ///< of each kind of layer, parallel to its stages' options
    std::vector<int> kindOfLayer;                   ///< layers with and without a window differ

    const RegionOption& optionOf(std::size_t layer, int option) const
    {
        return options[static_cast<std::size_t>(kindOfLayer[layer])][static_cast<std::size_t>(option)];
    }
};
/// On up to `threads` threads, 0 for as many as the machine has; the chain does not depend on how many.  Throws
/// torch::StepCancelled where `cancel` asks for it.
RegionChain buildRegionChain(const RegionRequest& request, int threads = 0, const std::stop_token& cancel = {});

} // namespace remat
