// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/model/config_keys.h"
#include "core/model/families.h"
#include "core/model/model_shape.h"

namespace remat {

/// Reads the sliding window of a family, and which layers have it: layer_types says it of each, else the family's own
/// rule (WindowLayers).
void readWindow(ConfigKeys& keys, const AttentionKeys& attention, ModelShape& shape);

/// "ssf" of the kinds of layers, s for `windowed` and f for `full`; another kind is recorded at `at`.
std::string patternOf(
    const JsonCursor& at, const std::vector<std::string>& kinds, const char* windowed, const char* full);

/// Writes a pattern in its shortest form, so that equal models compare equal: empty where every layer has the window,
/// and no window at all where none has.  A list of another length than the layers is repeated, and `key` noted.
void setWindowLayers(ConfigKeys& keys, ModelShape& shape, const char* key, std::string pattern);

} // namespace remat
