// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_plan.h"

#include "core/model/weights.h"
#include "core/plan/plan.h"
#include "core/regions/event_times.h"

namespace remat {

namespace {

constexpr Bytes kWorkspace{8'519'680};
constexpr Bytes kHopperWorkspace{32 * (1 << 20)};

} // namespace

double RegionPlan::extraTime() const
{
    return shareAbove(prediction.keepAll, prediction.time, prediction.optimizerTime,
        std::max<std::int64_t>(request.setup.microBatches, 1));
}

Bytes cublasWorkspace(const Device& device)
{
    const bool isHopper = device.name.starts_with("h100") || device.name.starts_with("h200");
    return isHopper ? kHopperWorkspace : kWorkspace;
}

ReservedBytes reservedFor(Bytes peak, const Device& device)
{
    const Bytes least = peak + cublasWorkspace(device);
    return {least, {least.value + peak.value / 5}, least + device.context};
}

RegionPrediction predict(const RegionRequest& request, Nanoseconds keepAll, const std::stop_token& cancel)
{
    const torch::TorchStep step = torch::simulateTorchStep(request.shape, request.setup, cancel);
    const StepTimes times = timesOf(step, request.setup, request.device);
    RegionPrediction p;
    p.peak = step.peak.bytes;
    p.peakAt = step.peak;
    p.forwardPeak = step.forwardPeak;
    p.backwardPeak = step.backwardPeak;
    p.optimizerPeak = step.optimizerPeak;
    p.saved = step.saved;
    p.weightCasts = step.weightCasts;
    p.base = step.base;
    p.parameters = step.parameterBytes;
    p.gradients = step.gradientBytes;
    p.optimizer = step.optimizerBytes;
    const ReservedBytes reserved = reservedFor(p.peak, request.device);
    p.reserved = reserved.least;
    p.reservedMost = reserved.most;
    p.device = reserved.onDevice;
    p.time = times.microBatch();
    p.keepAll = keepAll.value > 0 ? keepAll : p.time;
    p.overhead = p.time - p.keepAll;
    p.optimizerTime = times.optimizer;
    p.forward = step.forward;
    p.backward = step.backward;
    p.recompute = step.recompute;
    p.parameterCount = parameterCount(request.shape);
    p.attention = step.attention;
    return p;
}

const char* phaseName(torch::Phase phase)
{
    switch (phase) {
    case torch::Phase::Forward:
        return "forward";
    case torch::Phase::Backward:
        return "backward";
    case torch::Phase::Recompute:
        return "recomputation";
    case torch::Phase::Optimizer:
        break;
    }
    return "optimizer step";
}

std::string placeText(const torch::PeakPlace& place)
{
    const std::string module = place.isInLoss() ? "the loss"
        : place.module.empty()                  ? "the model's own forward"
                                                : place.module;
    if (place.phase == torch::Phase::Optimizer)
        return phaseName(place.phase);
    return std::string(phaseName(place.phase)) + ", " + module + ": " + place.op;
}

} // namespace remat
