// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "core/base/result.h"
#include "core/model/model_shape.h"

namespace remat {

/// Why this project's own executor does not run a model, or nothing if it does: its block builder
/// (core/tape/block_builder.h) makes serial blocks with norms before or behind the branches, learned or rotary
/// positions, and one FFN a layer, of the families whose gradients its tests check.  The error names the profile
/// (exit code 3), the feature or the family, and what can be done.
std::optional<Error> runtimeLacks(const ModelShape& shape);

} // namespace remat
