// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/local_plan.h"

#include "core/cost/device_traits.h"
#include "core/run/this_machine.h"

namespace remat {

Device sizesOfThisCpu(std::int64_t threads)
{
    Device device;
    device.name = kThisCpu;
    device.kind = DeviceKind::Cpu;
    device.memory = {std::int64_t{1} << 30};
    device.peak.fp32 = 1e11;
    device.bytesPerSecond = 1e10;
    device.granule = {64};
    device.threads = threads;
    return device;
}

std::int64_t threadsOf(const RunRequest& request)
{
    return request.threads > 0 ? request.threads : usableThreads();
}

bool predictsTime(const RunRequest& request)
{
    return request.device || request.plan.device.kind == DeviceKind::Cpu;
}

Device deviceOf(const RunRequest& request)
{
    Device device = request.device                    ? *request.device
        : request.plan.device.kind == DeviceKind::Cpu ? request.plan.device
                                                      : sizesOfThisCpu(1);
    device.granule = {64};
    device.threads = threadsOf(request);
    return device;
}

const Device& timedFor(const Plan& plan, const Device& thisCpu)
{
    const Device& own = plan.device;
    const bool isMeasuredHere
        = !own.measuredOps.empty() && own.title == thisCpu.title && own.threads == thisCpu.threads;
    return isMeasuredHere ? own : thisCpu;
}

Plan planForThisMachine(const Plan& plan, const Device& cpu)
{
    // Another machine has other times and bytes; the chain's stages, and so the order of them, are the same.
    Plan local
        = derivePlan(buildStepTape(plan.shape(), plan.setup(), machineTraits(cpu)), cpu, plan.keep, plan.schedule)
              .value();
    local.pins = plan.pins;
    local.budget = plan.budget;
    local.strategy = plan.strategy;
    local.proof = plan.proof;
    return local;
}

Plan keepAllPlan(const Plan& plan, const Device& cpu)
{
    const StepTape tape = buildStepTape(plan.shape(), plan.setup(), machineTraits(cpu));
    std::vector<KeepSet> keep = keepSetsOf({Strategy::Kind::None}, tape, {}, {0});
    Plan all = derivePlan(tape, cpu, std::move(keep));
    all.strategy = {Strategy::Kind::None};
    all.proof.planClass = "fixed";
    return all;
}

} // namespace remat
