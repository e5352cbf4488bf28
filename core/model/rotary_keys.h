// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/model/config_keys.h"
#include "core/model/families.h"
#include "core/model/model_shape.h"

namespace remat {

/// Reads the base of the rotary angles and the part of a head that they turn.  Both stand beside the other keys, or
/// since transformers 5 with the scaling in rope_parameters.  A scaling is noted: it changes angles alone.
void readRotary(ConfigKeys& keys, const RotaryKeys& rotary, ModelShape& shape);

} // namespace remat
