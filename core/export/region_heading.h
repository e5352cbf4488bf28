// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/plan/torch_realization.h"
#include "core/regions/region_plan.h"

namespace remat {

/// What the exported module of a plan of regions says about itself, a paragraph each: the plan, how to use it, and what
/// the simulation of this very step predicts (core/export/pytorch_module.h).
std::vector<std::string> headingOf(const RegionPlan& plan, const TorchRealization& realization);

} // namespace remat
