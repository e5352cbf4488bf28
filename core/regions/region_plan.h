// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/cost/device_memory.h"
#include "core/plan/strategy.h"
#include "core/regions/region_chain.h"
#include "core/torch/torch_step.h"

namespace remat {

/// What a step in PyTorch will take: the simulation of the whole step (core/torch/torch_step.h), with times by
/// roofline.
///
/// The caching allocator keeps more than is allocated: `reservedMost` is the figure at a fragmentation of 20 %, the
/// upper end of what is seen (reference notes on memory, fact 9); without any it is `peak` and cuBLAS's workspace.
struct RegionPrediction {
    Bytes peak;
    torch::PeakPlace peakAt;
    Bytes forwardPeak, backwardPeak, optimizerPeak;
    Bytes saved, weightCasts, base;
    Bytes parameters, gradients, optimizer;
    Bytes reserved, reservedMost;
    Bytes device; ///< `reserved` and the driver's context
    Nanoseconds time, overhead, keepAll, optimizerTime;
    Flops forward, backward, recompute;
    std::int64_t parameterCount = 0;
    std::string attention; ///< "flash", "efficient", "math", "eager": what PyTorch picks

    Nanoseconds stepTime(std::int64_t microBatches) const { return microBatches * time + optimizerTime; }
};

/// A decision for every layer, realizable with torch.utils.checkpoint.
struct RegionPlan {
    RegionRequest request; ///< setup.layers holds the regions
    std::optional<Bytes> budget;
    Strategy strategy;
    std::vector<std::string> options; ///< of each layer: RegionOption::name
    RegionPrediction prediction;

    bool fits() const { return !budget || prediction.peak <= *budget; }
    bool fitsDevice() const { return remat::fitsDevice(prediction.reserved, request.device); }
    /// Extra time as a share of a step that recomputes nothing.
    double extraTime() const;
};

/// What the caching allocator keeps for a peak, and what the driver then shows.
struct ReservedBytes {
    Bytes least;    ///< the peak and cuBLAS's workspace
    Bytes most;     ///< with a fifth of the peak lost to fragmentation
    Bytes onDevice; ///< `least` and the driver's context
};
ReservedBytes reservedFor(Bytes peak, const Device& device);

/// cuBLAS's workspace, which PyTorch takes from the allocator at the first product: 8.125 MiB, on Hopper 32 MiB
/// (at::cuda::getChosenWorkspaceSize).
Bytes cublasWorkspace(const Device& device);

/// The prediction for a request whose setup holds regions; `keepAll` is the time of the same step without any.  Throws
/// torch::StepCancelled where `cancel` asks for it.
RegionPrediction predict(const RegionRequest& request, Nanoseconds keepAll, const std::stop_token& cancel = {});

/// "forward", "backward", "recomputation", "optimizer step"
const char* phaseName(torch::Phase phase);
/// "forward, transformer.h.3.mlp: gelu"
std::string placeText(const torch::PeakPlace& place);

} // namespace remat
