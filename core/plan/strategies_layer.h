// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/chain/keep_set.h"
#include "core/plan/strategy.h"

namespace remat {

/// The ops of a layer that a strategy recomputes in every layer that it marks, one function a rule in the .cpp; none
/// where the layer has no such part, and for strategies whose rule is not about one layer.
KeepSet recomputedOps(Strategy::Kind kind, const StageTape& tape);

} // namespace remat
