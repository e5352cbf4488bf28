// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/model_shape.h"

namespace remat {

/// The part of the step that a weight belongs to.  A bridge is what stands between two stacks: the encoder's last norm.
enum class WeightPlace { Embedding, Layer, Bridge, DecoderLayer, Head };

/// A weight as PyTorch's model registers it.
struct Weight {
    std::string name;                ///< behind the group's prefix: "attn.c_attn.weight"
    std::vector<std::int64_t> shape; ///< as PyTorch stores it: a Linear is (out, in), GPT-2's Conv1D (in, out)
    bool isTied = false;             ///< another name of a weight that stands in the list already: counts once

    std::int64_t elements() const;
};

/// Weights that come `count` times with the same shapes: of one place, or of each layer of a run of layers.
struct WeightGroup {
    WeightPlace place = WeightPlace::Embedding;
    std::string prefix;          ///< "model.layers." where a number and a dot follow, else "model." or empty
    std::int64_t firstLayer = 0; ///< the number of the first layer
    std::int64_t count = 1;
    std::vector<Weight> weights;

    bool isOfLayers() const { return place == WeightPlace::Layer || place == WeightPlace::DecoderLayer; }
    /// "model.layers.3.mlp.up_proj.weight"; `copy` counts from 0 within the group.
    std::string nameOf(const Weight& weight, std::int64_t copy) const;
};

/// Every weight of a model, in the order of its stages.  Made from the features alone (core/model/model_shape.h) and
/// named by core/model/module_paths.h, so that counts, bytes of single tensors and names have one origin.  Held against
/// transformers 5.24 name by name and shape by shape (tests/core/model/weights_test.cpp).
std::vector<WeightGroup> weightGroups(const ModelShape& shape);

/// Numbers in all weights of the list, tied ones once.  The shape must have passed validateShape(), which keeps the
/// sum below 2^61.
std::int64_t parameterCount(const ModelShape& shape);

} // namespace remat
