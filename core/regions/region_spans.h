// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/model/model_shape.h"
#include "core/torch/torch_setup.h"

namespace remat {

/// Regions of every layer, with the words for them.
struct LayerPlan {
    std::vector<torch::LayerRegions> layers;
    std::vector<std::string> options;
};

/// Plans below the leanest one of single layers: k consecutive layers as one region, which keeps one boundary of k.
///
///   plain   when the backward reaches them, all k layers run again and keep everything at once: k saved sets for one
///           more forward
///   nested  each layer is a region again inside, or its attention and FFN are: one saved set and k boundaries, for two
///           more forwards
///
/// Spans stand at the front, in the first half of the layers or in all of them; the layers behind them are single
/// regions.  None where layers return tuples (core/torch/layer_wraps.h) and of reentrant regions.
std::vector<LayerPlan> spanPlans(const ModelShape& shape, const torch::TorchSetup& setup);

} // namespace remat
