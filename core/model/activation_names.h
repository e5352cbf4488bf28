// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/model/config_keys.h"
#include "core/model/model_shape.h"

namespace remat {

/// Sets the activation that transformers calls so (activations.py: gelu, gelu_new, gelu_pytorch_tanh, relu, silu, ...);
/// an unknown one is recorded at the key, with the known ones.
void setActivation(ModelShape& shape, ConfigKeys& keys, const char* key, const std::string& name);

/// transformers' name of the shape's activation.
std::string activationName(const ModelShape& shape);

} // namespace remat
