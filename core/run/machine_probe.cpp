// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/machine_probe.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/run/kernels/kernels.h"
#include "core/run/process_memory.h"
#include "core/run/this_machine.h"

namespace remat {

namespace {

using nlohmann::json;

constexpr const char* kUseCpu = REMAT_TR("Run on the CPU.");
constexpr MessageCode kDriverUnused{
    "cuda-driver-unused", REMAT_TR("This release has no CUDA machine, though an NVIDIA driver is loaded."), kUseCpu};
constexpr MessageCode kDeviceUnused{
    "cuda-device-unused", REMAT_TR("This release has no CUDA machine, though an NVIDIA device is there."), kUseCpu};
constexpr MessageCode kNoDriver{
    "cuda-no-driver", REMAT_TR("This release has no CUDA machine, and no NVIDIA driver is loaded."), kUseCpu};

const MessageCode& whyCudaIsOff(const std::string& driver)
{
    std::error_code ignored;
    if (!driver.empty())
        return kDriverUnused;
    return std::filesystem::exists("/dev/nvidiactl", ignored) ? kDeviceUnused : kNoDriver;
}

} // namespace

MachineProbe probeMachine()
{
    MachineProbe probe;
    probe.processor = processorName();
    probe.logicalProcessors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    probe.threads = usableThreads();
    for (const kernels::InstructionSet set : {kernels::InstructionSet::Baseline, kernels::InstructionSet::Avx2})
        if (const kernels::CpuKernels* compiled = kernels::cpuKernels(set))
            probe.instructionSets.emplace_back(compiled->name());
    probe.kernels = kernels::bestCpuKernels().name();
    probe.available = availableMemory();
    probe.usable = usableMemory();
    probe.cudaDriver = firstLineOf("/proc/driver/nvidia/version");
    probe.cudaIsOff = {&whyCudaIsOff(probe.cudaDriver), {}};
    return probe;
}

json toJson(const MachineProbe& probe)
{
    const json cpu{{"name", "cpu"}, {"processor", probe.processor}, {"logical_processors", probe.logicalProcessors},
        {"threads", probe.threads}, {"instruction_sets", probe.instructionSets}, {"kernels", probe.kernels},
        {"available_bytes", optionalJson(probe.available)}, {"usable_bytes", optionalJson(probe.usable)}};
    return {{"format", "remat-probe"}, {"version", 1}, {"devices", json::array({cpu})},
        {"cuda",
            {{"available", false}, {"code", probe.cudaIsOff.code->name}, {"reason", englishText(probe.cudaIsOff)},
                {"driver", probe.cudaDriver.empty() ? json() : json(probe.cudaDriver)}}}};
}

} // namespace remat
