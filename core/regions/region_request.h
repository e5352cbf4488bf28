// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/result.h"
#include "core/cost/device.h"
#include "core/model/training_setup.h"
#include "core/plan/torch_realization.h"
#include "core/torch/torch_setup.h"

namespace remat {

/// A training step of a Hugging Face model in PyTorch that is to be described or planned.
struct RegionRequest {
    ModelShape shape;
    torch::TorchSetup setup; ///< the question has no regions, an answer one entry a layer
    Device device;
    bool isExact = false; ///< planned are keep-sets of single tensors (core/regions/exact_options.h), not regions

    TorchRealization::Kind realization() const
    {
        return isExact ? TorchRealization::Kind::Exact : TorchRealization::Kind::Regions;
    }
};

/// Layers that the profile pytorch simulates, of both stacks together: what is studied is simulated whole, op by op.  A
/// first study of so many takes 0.4 GiB.
inline constexpr std::int64_t kMostTorchLayers = 1'000;

/// Checks shape and setup together: validateShape(), at most kMostTorchLayers, a sequence within the positions, and no
/// sum of bytes, FLOPs or nanoseconds of the step above 2^61 (core/model/step_bounds.h).  Errors name "batch",
/// "sequence", ... in `where`.
Result<void> validate(const RegionRequest& request, ValueOrigin origin = ValueOrigin::Flags);

} // namespace remat
