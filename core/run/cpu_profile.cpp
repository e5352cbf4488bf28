// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/cpu_profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/plain_text.h"
#include "core/cost/alpha_beta.h"
#include "core/cost/device_traits.h"
#include "core/cost/roofline.h"
#include "core/run/local_plan.h"

namespace remat {

namespace {

constexpr MessageCode kOtherMachine{"run-of-other-machine",
    REMAT_TR("The run was on another machine: {0} with {1} threads."),
    REMAT_TR("Run the step here, and plan with those costs.")};

/// The times of ops that are alike, added up.
struct AlikeOps {
    const Op* op = nullptr;
    MeasuredOp measured;              ///< without its times
    double forward = 0, backward = 0; ///< ns, all runs together
    std::int64_t forwards = 0, backwards = 0;

    /// With the means of the times.
    MeasuredOp mean() const
    {
        MeasuredOp result = measured;
        result.forward = mean(forward, forwards);
        result.backward = mean(backward, backwards);
        return result;
    }

private:
    static Nanoseconds mean(double sum, std::int64_t count)
    {
        return {count == 0 ? 0 : std::llround(sum / static_cast<double>(count))};
    }
};

/// The report's rows are parallel to the ops of all kinds of stage.
std::vector<AlikeOps> alikeOps(const RunReport& report, const StepTape& tape)
{
    const ElementType storage = storageOf(report.setup);
    std::vector<AlikeOps> groups;
    auto row = report.ops.begin();
    for (const StageTape& kind : tape.kinds)
        for (const Op& op : kind.ops) {
            auto group = std::find_if(groups.begin(), groups.end(),
                [&](const AlikeOps& other) { return other.measured.isAlike(op.kind, op.dims, storage); });
            if (group == groups.end())
                group = groups.insert(groups.end(), {.op = &op, .measured = {op.kind, op.dims, storage, {}, {}}});
            group->forward += static_cast<double>(row->forward.value) * static_cast<double>(row->forwards);
            group->backward += static_cast<double>(row->backward.value) * static_cast<double>(row->backwards);
            group->forwards += row->forwards;
            group->backwards += row->backwards;
            ++row;
        }
    return groups;
}

using Samples = std::array<std::vector<WorkSample>, kOpClassCount>;

void addSample(Samples& samples, OpClass opClass, Flops flops, Bytes bytes, Nanoseconds time)
{
    const auto work = static_cast<double>(isProductClass(opClass) ? flops.value : bytes.value);
    if (work > 0 && time.value > 0)
        samples[static_cast<std::size_t>(opClass)].push_back({work, time});
}

} // namespace

CpuMeasurement profiledCosts(const RunReport& report, CpuMeasurement base)
{
    if (report.ops.empty())
        return base;
    const StepTape tape
        = buildStepTape(report.shape, report.setup, machineTraits(sizesOf(report.machineKind, report.threads)));
    Samples samples;
    base.ops.clear();
    for (const AlikeOps& group : alikeOps(report, tape)) {
        const Op& op = *group.op;
        base.ops.push_back(group.mean());
        addSample(samples, classOf(op.kind), op.forwardFlops, op.forwardBytes, base.ops.back().forward);
        addSample(samples, classOf(op.kind), op.backwardFlops, op.backwardBytes, base.ops.back().backward);
    }
    addSample(samples, OpClass::Optimizer, {0},
        optimizerTraffic(report.setup.optimizer, tape.base.weights, tape.base.optimizer), report.time.optimizer);
    for (std::size_t i = 0; i < kOpClassCount; ++i) {
        if (samples[i].empty())
            continue;
        const AlphaBeta fit = fitAlphaBeta(samples[i], base.launchOverhead);
        const bool isProduct = isProductClass(static_cast<OpClass>(i));
        base.rates[i] = {isProduct ? fit.perSecond : 0, isProduct ? 0 : fit.perSecond, fit.overhead};
    }
    base.device = toName(report.machineKind);
    base.processor = runsGpuKernels(report.machineKind) ? report.machine : report.processor;
    base.threads = report.threads;
    base.kernels = report.kernels;
    // A model's name may hold what a costs file must not.
    base.step = plainText(report.shape.name) + ", " + std::to_string(report.setup.batch) + " x "
        + std::to_string(report.setup.sequence) + " tokens";
    return base;
}

Result<Device> profiledDevice(const RunReport& report, const CpuMeasurement& cpu, Bytes memory)
{
    if (runsGpuKernels(report.machineKind)) {
        CpuMeasurement gpu;
        gpu.memory = memory;
        return gpuDevice(profiledCosts(report, gpu));
    }
    // Reports of older versions do not name their kernels.
    const bool hasOtherKernels = !report.kernels.empty() && report.kernels != cpu.kernels;
    if (report.processor != cpu.processor || report.threads != cpu.threads || hasOtherKernels)
        return Error{&kOtherMachine, "",
            {hasOtherKernels ? report.processor + " (" + report.kernels + ")" : report.processor, report.threads}};
    return cpuDevice(profiledCosts(report, cpu), memory);
}

} // namespace remat
