// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/cost/device.h"
#include "core/model/model_shape.h"
#include "core/model/training_setup.h"
#include "cuda/machine/gpu.h"

namespace remat::testing {

/// A model whose steps are measured whole.
struct CheckedStep {
    ModelShape shape;
    TrainingSetup setup;
};

/// How much a check does: a real GPU takes the models that people train, the emulator tiny ones.
struct GpuCheckSize {
    int randomModels = 3;           ///< of two layers, five plans each
    std::vector<CheckedStep> steps; ///< over six budgets each; the first one's strategies are timed
    std::int64_t timedSteps = 1;    ///< of each strategy
    double mostSeconds = 360;       ///< sections that would begin later are left out, and the report says so
};

/// A fresh GPU with an empty pool, which gives no more than `cap`.
using OpenGpu = std::function<std::unique_ptr<cuda::Gpu>(std::optional<Bytes> cap)>;

/// gpt2-medium and bert-large in half precision, and four layers of LLaMA 7B: some 15 TFLOP a step each, so that six
/// budgets with three steps and twenty strategies with three steps stay within minutes on a card of 100 TFLOP/s.
GpuCheckSize sizeForGpus();
/// The same families, two layers of width 16.
GpuCheckSize sizeForTheEmulator();

/// Checks a Gpu, a line each on standard output, and tells everything as one object, format "remat-gpu-check", version
/// 1: "sections" with their checks, figures and seconds, and "failed", how many checks failed.
///
///   products    matrix products against sums in double
///   operations  every operation, forward and backward, against the CPU's kernels
///   agreement   gradients of whole steps against the CPU machine's
///   laws        bit parity, tracked peaks and reruns of random plans
///   memory      predicted peaks against the pool's own, over six budgets of each model
///   cap         a pool capped below a plan's peak ends its run, and capped at the peak does not
///   times       step times of all strategies under the middle one of the budgets
nlohmann::json checkGpu(const OpenGpu& open, const GpuCheckSize& size);

} // namespace remat::testing
