// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/local_plan.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "core/cost/cpu_measurement.h"
#include "core/cost/device_traits.h"
#include "core/run/this_machine.h"

namespace remat {

namespace {

/// What tells a card's model in its name: words with a letter and a digit, or a bare number of four digits ("H200",
/// "4090"), but no amount of memory or form of the card ("80GB", "SXM4", "HBM3").
std::set<std::string> modelWords(const std::string& name)
{
    std::set<std::string> words;
    std::string word;
    for (const char c : name + " ") {
        if (std::isalnum(static_cast<unsigned char>(c))) {
            word += c;
            continue;
        }
        const auto count = [&](auto is) {
            return std::count_if(
                word.begin(), word.end(), [&](char letter) { return is(static_cast<unsigned char>(letter)) != 0; });
        };
        const auto digits = count([](unsigned char letter) { return std::isdigit(letter); });
        const auto letters = count([](unsigned char letter) { return std::isalpha(letter); });
        const bool isForm = word.ends_with("GB") || word.starts_with("SXM") || word.starts_with("HBM");
        if (!isForm && ((digits > 0 && letters > 0) || digits == 4))
            words.insert(word);
        word.clear();
    }
    return words;
}

} // namespace

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

Device sizesOfGpu()
{
    Device device;
    device.name = kMeasuredGpu;
    device.kind = DeviceKind::Cuda;
    device.memory = {std::int64_t{1} << 30};
    device.peak.fp32 = 1e13;
    device.peak.bf16 = 1e14;
    device.bytesPerSecond = 1e12;
    device.granule = kCudaGranule;
    return device;
}

Device sizesOf(RunMachine machine, std::int64_t threads)
{
    return runsGpuKernels(machine) ? sizesOfGpu() : sizesOfThisCpu(threads);
}

std::int64_t threadsOf(const RunRequest& request)
{
    return request.threads > 0 ? request.threads : usableThreads();
}

bool predictsTime(const RunRequest& request)
{
    switch (request.machine) {
    case RunMachine::Cpu:
        return request.device || request.plan.device.kind == DeviceKind::Cpu;
    case RunMachine::Cuda:
        return request.device.has_value();
    case RunMachine::Emulated:
        return false;
    }
    return false;
}

Device deviceOf(const RunRequest& request)
{
    const Device sizes = sizesOf(request.machine, threadsOf(request));
    Device device = request.device && request.device->kind == sizes.kind ? *request.device
        : request.plan.device.kind == sizes.kind                         ? request.plan.device
                                                                         : sizes;
    device.granule = sizes.granule;
    device.threads = sizes.threads;
    return device;
}

const Device& timedFor(const Plan& plan, const Device& thisCpu)
{
    const Device& own = plan.device;
    const bool isMeasuredHere
        = !own.measuredOps.empty() && own.title == thisCpu.title && own.threads == thisCpu.threads;
    return isMeasuredHere ? own : thisCpu;
}

std::optional<Device> timedFor(const Plan& plan, const GpuFound& gpu)
{
    const Device& own = plan.device;
    if (own.kind != DeviceKind::Cuda)
        return std::nullopt;
    if (own.title == gpu.name)
        return own;
    // Of the same model cards differ in memory; drivers count a little less than data sheets.
    const double share = ratio(own.memory, gpu.memory);
    const std::set<std::string> words = modelWords(gpu.name);
    const std::set<std::string> wanted = modelWords(own.title);
    const bool isModel = !wanted.empty() && std::includes(words.begin(), words.end(), wanted.begin(), wanted.end());
    return isModel && share > 0.9 && share < 1.1 ? std::optional(own) : std::nullopt;
}

Plan planForThisMachine(const Plan& plan, const Device& device)
{
    // Another machine has other times and bytes; the chain's stages, and so the order of them, are the same.
    Plan local
        = derivePlan(buildStepTape(plan.shape(), plan.setup(), machineTraits(device)), device, plan.keep, plan.schedule)
              .value();
    local.pins = plan.pins;
    local.budget = plan.budget;
    local.strategy = plan.strategy;
    local.proof = plan.proof;
    return local;
}

Plan keepAllPlan(const Plan& plan, const Device& device)
{
    const StepTape tape = buildStepTape(plan.shape(), plan.setup(), machineTraits(device));
    std::vector<KeepSet> keep = keepSetsOf({Strategy::Kind::None}, tape, {}, {0});
    Plan all = derivePlan(tape, device, std::move(keep));
    all.strategy = {Strategy::Kind::None};
    all.proof.planClass = "fixed";
    return all;
}

} // namespace remat
