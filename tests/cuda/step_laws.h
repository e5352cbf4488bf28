// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <string>

#include "cuda/machine/cuda_machine.h"
#include "tests/support/run_step.h"

/// Laws 1 and 4 of whole steps on a Gpu, emulated or real: what the test of the emulator and the check of a GPU share.
/// Dropped values are poisoned with NaN.  The CPU machine, which is tested against a double-precision reference, is the
/// independent source for what gradients should be.
namespace remat::testing {

/// A GPU with round figures.
inline Device roundGpu()
{
    Device device = roundCpu();
    device.name = "gpu";
    device.kind = DeviceKind::Cuda;
    device.granule = {512};
    return device;
}

struct GpuCase {
    Variety variety;
    bool isHalf = false;
    bool hasMaster = false;
};

inline StepTape tapeOf(const GpuCase& c, const ModelShape& shape, std::int64_t batch, std::int64_t sequence)
{
    TrainingSetup setup = setupOf(c.variety, batch, sequence);
    setup.device = "gpu";
    setup.precision = c.isHalf ? Precision::Half : Precision::Fp32;
    setup.masterWeights = c.hasMaster && setup.optimizer != OptimizerKind::None;
    return buildStepTape(shape, setup, machineTraits(roundGpu()));
}

/// The i-th of a row of models that goes over families, storage types and variants.
inline std::pair<GpuCase, StepTape> randomCase(int i, std::mt19937& random)
{
    GpuCase c{randomVariety(random), i % 2 == 1, i % 4 == 1};
    c.variety.isBert = i % 3 == 0;
    c.variety.isLlama = i % 3 == 1;
    ModelShape shape = randomShape(c.variety, random);
    shape.layers = 2;
    StepTape tape = tapeOf(c, shape, 1 + i % 2, 5 + i % 9);
    return {c, std::move(tape)};
}

inline StepResult runOnGpu(cuda::Gpu& gpu, const StepTape& tape, const std::vector<KeepSet>& keep)
{
    cuda::CudaMachine machine(gpu, {.poisonsBlocks = true});
    return runOn(machine, tape, roundGpu(), keep);
}

/// What contradicts the laws; empty where nothing does.
inline std::string brokenLaw(const StepResult& result, const StepResult& keepAllResult)
{
    if (result.seen.peak != result.predicted.peak)
        return "the tracked peak is not the predicted one";
    for (std::size_t s = 0; s < result.seen.forwardsOfOp.size(); ++s)
        for (std::size_t op = 0; op < result.seen.forwardsOfOp[s].size(); ++op)
            if (result.seen.forwardsOfOp[s][op] != 1 + result.predicted.rerunsOfOp[s][op])
                return "an op ran otherwise than predicted";
    if (const std::string difference = firstDifference(result, keepAllResult); !difference.empty())
        return "other bits than with everything kept: " + difference;
    if (!std::isfinite(result.seen.loss))
        return "the loss is not finite";
    for (const auto& [name, values] : result.gradients)
        for (const float v : values)
            if (!std::isfinite(v))
                return "not finite: " + name;
    return {};
}

/// The largest distance of two gradients as a share of the largest of its tensor.
inline double worstDistance(const StepResult& a, const StepResult& b)
{
    double worst = 0;
    for (const auto& [name, values] : a.gradients) {
        const std::vector<float>& others = b.gradients.at(name);
        double largest = 1e-12, distance = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            largest = std::max(largest, std::abs(static_cast<double>(others[i])));
            distance = std::max(distance, std::abs(static_cast<double>(values[i]) - static_cast<double>(others[i])));
        }
        worst = std::max(worst, distance / largest);
    }
    return worst;
}

/// Whom the GPU is compared with: the CPU machine, with the same weights, tokens and dropout masks.
struct Agreement {
    double gradients = 0; ///< worstDistance()
    double loss = 0;      ///< distance
    // In fp32 only the order of sums differs: a few 1e-7 of the largest gradient.  bf16 keeps 8 bits, which a dozen ops
    // in a row wear down.
    static bool isClose(const Agreement& a, bool isHalf)
    {
        return a.gradients < (isHalf ? 0.1 : 1e-5) && a.loss < (isHalf ? 0.02 : 1e-5);
    }
};

inline Agreement agreementWithCpu(cuda::Gpu& gpu, int family, bool isStored, bool isHalf)
{
    const GpuCase c{{.isBert = family == 1,
                        .attention = isStored ? AttentionKind::Stored : AttentionKind::Blocked,
                        .headChunks = isStored ? 3 : 1,
                        .hasDropout = true,
                        .isLlama = family == 2,
                        .sharing = family == 2 ? Sharing::Pairs : Sharing::None},
        isHalf};
    const ModelShape shape = smallShape(c.variety, 2, 2, 8, 24, 19, 16);
    const StepTape tape = tapeOf(c, shape, 2, 11);
    const StepTape cpuTape = buildStepTape(shape, setupOf(c.variety, 2, 11), machineTraits(roundCpu()));
    const StepResult onGpu = runOnGpu(gpu, tape, keepEverything(tape));
    const StepResult onCpu = runOnce(cpuTape, keepEverything(cpuTape), 1);
    return {worstDistance(onGpu, onCpu), std::abs(onGpu.seen.loss - onCpu.seen.loss)};
}

inline const char* familyName(int family)
{
    return family == 0 ? "gpt2" : family == 1 ? "bert" : "llama";
}

} // namespace remat::testing
