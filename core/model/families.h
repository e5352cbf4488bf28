// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/model/model_shape.h"

namespace remat {

/// A whole number of config.json and the field that it fills.
struct SizeKey {
    const char* key;
    const char* alias; ///< another key that transformers reads as the same attribute; nullptr = none
    std::int64_t ModelShape::*field;
    const char* fieldName; ///< what validateShape() calls the field
    std::int64_t most;
};

/// A dropout probability of config.json and the fields that it fills (BERT has one key for two).
struct DropoutKey {
    const char* key;
    const char* fieldName;
    double Dropouts::*field;
    double Dropouts::*alsoField;
};

/// A true-or-false key of config.json and the biases that it stands for.
struct BiasKey {
    const char* key;
    bool ModelShape::*field;
    bool ModelShape::*alsoField;
};

/// The keys of attention with fewer keys and values than heads, and of a limited view; nullptr where a family has none.
struct AttentionKeys {
    const char* groups;         ///< key/value heads; null means as many as heads
    std::int64_t groupsDefault; ///< of the config class, where the key is absent; 0 = as many as heads
    const char* headWidth;      ///< null or absent: width / heads
    const char* window;         ///< null: every token is seen
    std::int64_t windowDefault;
    const char* windowSwitch; ///< the window counts only where this key is true; nullptr: always
};

/// A key that changes the architecture in ways that the block builder does not have: only `supported` (JSON) is read.
struct FixedKey {
    const char* key;
    const char* supported;
};

/// A key that changes nothing here, with the JSON value that needs no remark.
struct IgnoredKey {
    const char* key;
    const char* usual;
};

/// Where transformers (v5.24) keeps the parts of a family's model: module paths, by which weights and plan files name
/// them.  Empty where the family has no such part.
struct ModulePaths {
    // The stages' own modules; the layers' number follows.  An empty head is the model itself.
    const char *embedding, *layers, *head;
    // Inside the embedding
    const char *tokenTable, *positionTable, *typeTable, *embeddingNorm;
    // Inside a layer; a family may have one module for query, key and value or three.
    const char *norm1, *norm2;
    std::span<const char* const> qkv;
    const char *attentionOut, *ffnGate, *ffnUp, *ffnDown;
    // Inside the head
    const char *headDense, *headNorm, *logits;
};

/// One supported model_type: its features, the config.json keys that fill its sizes, and its module paths.  A
/// new model_type is a new row.
struct Family {
    /// The features of the family, and as sizes the defaults of its transformers config class (v5.24).
    ModelShape defaults;
    std::span<const SizeKey> sizes;
    const char* ffnKey;      ///< null or absent: what `ffnDefault` says
    std::int64_t ffnDefault; ///< 0 = 4 x width
    std::span<const DropoutKey> dropouts;
    std::span<const BiasKey> biases;
    AttentionKeys attention;
    const char* activationKey;
    const char* epsilonKey;
    std::span<const FixedKey> fixed;
    std::span<const IgnoredKey> ignored;
    std::string_view modelClass; ///< the class whose training step is described
    ModulePaths modules;
    bool isInRuntime; ///< whether this project's own executor runs it (core/model/runtime_shapes.h)
};

std::span<const Family> families();
/// The family of Hugging Face's model_type, or nullptr.
const Family* findFamily(std::string_view modelType);
/// The module paths of a shape's family; of a shape without a known model_type, those of the family with its norms'
/// place.
const ModulePaths& modulePathsOf(const ModelShape& shape);
/// "bert, gpt2, llama, ...": for remedies.
std::string supportedModelTypes();
/// Those that this project's own executor runs.
std::string runtimeModelTypes();
/// The supported type whose training step is most like that of an unsupported one: encoders are like bert, decoders
/// with learned positions and layer norms like gpt2, others like llama.
std::string_view nearestModelType(std::string_view modelType);

} // namespace remat
