// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/model/model_shape.h"
#include "core/model/module_paths.h"

namespace remat {

class ConfigKeys;

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
    std::array<double Dropouts::*, 3> fields;
};

/// A true-or-false key of config.json and the features that it switches.
struct FlagKey {
    const char* key;
    std::array<bool ModelShape::*, 3> fields;
};

/// A number of config.json; null means none, 0 in the field.
struct NumberKey {
    const char* key;
    double ModelShape::*field;
};

/// Which layers see the sliding window alone, where layer_types does not say it.
enum class WindowLayers {
    All,        ///< and layer_types is not read
    FromDepth,  ///< layers from max_window_layers on
    EveryOther, ///< the first of two
    FiveOfSix,  ///< all but every sixth, or what sliding_window_pattern says
};

/// The keys of attention with fewer keys and values than heads, and of a limited view; nullptr where a family has none.
struct AttentionKeys {
    const char* groups = nullptr;    ///< key/value heads
    std::int64_t groupsDefault = 0;  ///< of the config class, where the key is absent; 0 = as many as heads
    bool isNullGroupsAsHeads = true; ///< a null key means as many as heads; false: it means the default
    const char* headWidth = nullptr;
    std::int64_t headWidthDefault = 0;  ///< where the key is absent or null; 0 = width / heads
    bool isHeadWidthOwnKey = true;      ///< false: the modelling code reads the key, but the config class has none
    const char* window = nullptr;       ///< null: every token is seen
    std::int64_t windowDefault = 0;     ///< 0 = every token is seen
    const char* windowSwitch = nullptr; ///< the window counts only where this key is true; nullptr: always
    WindowLayers windowLayers = WindowLayers::All;
};

/// The keys of rotary positions, beside those in rope_parameters.
struct RotaryKeys {
    const char* base = "rope_theta";
    const char* part = nullptr; ///< the share of a head that is turned; nullptr: the modelling code turns all of it
    double partDefault = 1.0;
    bool isPerLayerKind = false; ///< rope_parameters holds one object for each kind of layer
};

/// A key that changes the architecture in ways that no profile has: only `supported` (JSON) is read.
struct FixedKey {
    const char* key;
    const char* supported;
};

/// A key without effect on what is described, with the JSON value that needs no remark.
struct IgnoredKey {
    const char* key;
    const char* usual;
};

/// One supported model_type: its features, and the config.json keys that fill its sizes.  A new model_type is a new
/// row, and its module paths (core/model/module_paths.cpp).
struct Family {
    /// The features of the family, and as sizes the defaults of its transformers config class (v5.24).
    ModelShape defaults;
    std::string_view modelClass; ///< the class whose training step is described
    std::span<const SizeKey> sizes;
    const char* ffnKey = nullptr; ///< null or absent: what `ffnDefault` says; nullptr: 4 x width always
    std::int64_t ffnDefault = 0;  ///< 0 = 4 x width
    std::span<const DropoutKey> dropouts = {};
    std::span<const FlagKey> flags = {};
    std::span<const NumberKey> numbers = {};
    AttentionKeys attention = {};
    RotaryKeys rotary = {};
    const char* activationKey = nullptr; ///< nullptr: always the default's
    const char* epsilonKey = nullptr;    ///< nullptr: always the default's
    bool hasTieKey = true;               ///< whether tie_word_embeddings decides on the head
    std::span<const FixedKey> fixed = {};
    std::span<const IgnoredKey> ignored = {};
    /// Reads what only this family has, after everything else.
    void (*readOwnKeys)(ConfigKeys& keys, ModelShape& shape) = nullptr;
    bool isInRuntime = false; ///< whether this project's own executor runs it (core/model/runtime_shapes.h)
};

/// Every supported model_type, by name.
std::span<const Family> families();
/// The family of Hugging Face's model_type, or nullptr.
const Family* findFamily(std::string_view modelType);
/// "bert, bloom, deit, ...": for remedies.
std::string supportedModelTypes();
/// Those that this project's own executor runs.
std::string runtimeModelTypes();
/// The supported type whose training step is most like that of an unsupported one: of the same family where one is
/// known, else by the kind of model (encoder, encoder and decoder, images, experts, decoder).
std::string_view nearestModelType(std::string_view modelType);

} // namespace remat
