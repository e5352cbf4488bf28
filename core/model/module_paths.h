// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

namespace remat {

struct ModelShape;

/// Where transformers (v5.24) keeps the parts of a model: module paths, by which weights and plan files name them.
/// Empty where the model has no such part.
struct ModulePaths {
    // The stages' own modules; the layers' number follows.  An empty head is the model itself.
    const char* embedding = "";
    const char* layers = "";
    const char* head = "";
    // Inside the embedding
    const char* tokenTable = "";
    const char* positionTable = "";
    const char* typeTable = "";
    const char* embeddingNorm = "";
    const char* embeddingProjection = "";
    // Inside the embedding of images; tokens and positions are parameters of their own, not modules
    const char* patches = "";
    const char* classToken = "";
    const char* distillationToken = "";
    // Inside a layer; a family may have one module for query, key and value or three.
    const char* attention = ""; ///< the module that holds the attention; empty where none does
    const char* ffn = "";
    const char* norm1 = "";
    const char* norm2 = "";
    const char* postNorm1 = ""; ///< behind the branch, where another norm stands before it
    const char* postNorm2 = "";
    std::span<const char* const> qkv = {};
    const char* queryNorm = "";
    const char* keyNorm = "";
    const char* attentionOut = "";
    const char* relativeBias = ""; ///< in the first layer alone
    const char* router = "";
    const char* ffnGate = "";
    const char* ffnUp = ""; ///< makes gate and up where the projection is fused; with experts a parameter, not a module
    const char* ffnDown = "";
    // Inside the head
    const char* headDense = "";
    const char* headNorm = "";
    const char* headProjection = "";
    const char* logits = "";
    const char* headBias = ""; ///< a parameter tied with the bias of the logits; empty: that bias alone
    // Buffers, by their whole names but for the mask, which each layer has (core/model/buffers.h)
    const char* positionIds = "";
    const char* typeIds = "";
    const char* rotary = ""; ///< the module with the angles' frequencies
    const char* rotaryTable = "";
    const char* causalMask = "";
    // The second stack, where there is one, and the cross attention of its layers
    const ModulePaths* decoder = nullptr;
    const char* crossNorm = "";
    std::span<const char* const> crossQkv = {};
    const char* crossOut = "";
};

/// The module paths of a shape's family; of a shape without a known model_type, those of the family with its norms'
/// place.  Falcon and T5 name modules after their features.
const ModulePaths& modulePathsOf(const ModelShape& shape);

} // namespace remat
