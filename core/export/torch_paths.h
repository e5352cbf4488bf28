// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/model/model_shape.h"
#include "core/tape/tape.h"
#include "core/torch/layer_wraps.h"

namespace remat {

/// Where transformers keeps what a region wraps and what a keep-set keeps, inside one layer.
struct TorchPaths : torch::LayerWraps {
    std::string activation;
    std::vector<std::string> qkv;
};

/// Of the families that the runtime profile runs.
TorchPaths torchPathsOf(const ModelShape& shape);

/// The ops of PyTorch that make what one op of a runtime tape keeps, as TorchLayer::keep names them: of a product the
/// product, of a norm its output and statistics, of turned queries and keys these and the values, ...
std::vector<std::string> torchOpsOf(const Op& op, const TorchPaths& paths);

} // namespace remat
