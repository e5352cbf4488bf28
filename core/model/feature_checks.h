// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/model/checks.h"
#include "core/model/model_shape.h"

namespace remat {

/// Checks the features beyond sizes and heads: a window pattern of s and f, a turned part of a head that is even and
/// within it, experts enough for each token, patches that fit into the image and make the sequence, a second stack with
/// its own head, soft-caps and scales that are not negative.  `where` names the key of the model file.
void checkFeatures(const ModelShape& shape, Checks& checks);

} // namespace remat
