// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/model_shape.h"

namespace remat {

/// A tensor that a PyTorch model registers beside its weights: it lies in memory, but is not trained.
struct ModelBuffer {
    std::string name; ///< of the first, where every layer has one
    std::vector<std::int64_t> shape;
    std::int64_t numberBytes = 4; ///< as made; casting a model to half precision casts floating numbers
    bool isFloating = true;
    std::int64_t count = 1;

    std::int64_t elements() const;
};

/// Every buffer of a model as transformers 5.24 builds it: numbers of positions and token types (BERT and its kin),
/// frequencies of rotary angles twice (as used and as made) or a table of them (GPT-J), one causal mask a layer
/// (GPT-Neo), the scale of the tokens (Gemma).
std::vector<ModelBuffer> modelBuffers(const ModelShape& shape);

} // namespace remat
