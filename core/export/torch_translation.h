// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/plan/plan.h"
#include "core/plan/torch_realization.h"

namespace remat {

/// A plan of the runtime profile as PyTorch can carry it out.
struct TorchTranslation {
    TorchRealization realization;
    /// What the exported module says about itself, a paragraph each: the plan, what differs from it layer by layer, and
    /// peak and time of what is really kept, by the replay that made the plan's own figures.
    std::vector<std::string> heading;
    std::vector<KeepSet> keep; ///< of each stage, as replayed
    Prediction replayed;
};

/// Regions: of each layer the nearest (core/export/layer_regions.h); layers that run forward again together become one
/// region, with regions of their own inside where they recompute more.  Exact: the ops of PyTorch that make what each
/// layer keeps.  Embedding and head keep what autograd keeps.
///
/// What it cannot be, in PyTorch: numbers to the byte.  This project's executor keeps less for some ops than PyTorch
/// does (no dropout masks, one tensor of an activation), and returns recomputed tensors one at a time, where a region
/// brings all of its own back at once.  The heading says so.
///
/// Errors (exit 3): the article's profile, which has no modules; a schedule that no nesting of regions makes; exact of
/// a plan whose layers run forward again.
Result<TorchTranslation> translateToTorch(const Plan& plan, TorchRealization::Kind kind);

} // namespace remat
