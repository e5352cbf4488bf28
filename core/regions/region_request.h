// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/result.h"
#include "core/cost/device.h"
#include "core/model/training_setup.h"
#include "core/torch/torch_setup.h"

namespace remat {

/// A training step of a Hugging Face model in PyTorch that is to be described or planned.
struct RegionRequest {
    ModelShape shape;
    torch::TorchSetup setup; ///< the question has no regions, an answer one entry a layer
    Device device;
};

/// Checks shape and setup together: validateShape(), a sequence within the positions, and no sum of bytes, FLOPs or
/// nanoseconds of the step above 2^61 (core/model/step_bounds.h).  Errors name "batch", "sequence", ... in `where`.
Result<void> validate(const RegionRequest& request, ValueOrigin origin = ValueOrigin::Flags);

} // namespace remat
