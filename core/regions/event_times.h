// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cost/device.h"
#include "core/torch/torch_step.h"

namespace remat {

/// The device with the rate at which products of the precision run.  PyTorch leaves TF32 off for fp32.
Device atPrecision(Device device, const torch::TorchSetup& setup);

/// What one op of a step takes by roofline (core/cost/framework_time.h) on a device that is atPrecision().
Nanoseconds timeOf(const torch::Event& event, const Device& device);

/// What the ops of a step take on a device; of forward, backward and recomputation one micro-batch's.
struct StepTimes {
    Nanoseconds forward, backward, recompute, optimizer;

    Nanoseconds microBatch() const { return forward + backward + recompute; }
};
StepTimes timesOf(const torch::TorchStep& step, const torch::TorchSetup& setup, const Device& device);

} // namespace remat
