// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/machine_probe.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/run/kernels/kernels.h"
#include "core/run/process_memory.h"
#include "core/run/this_machine.h"

namespace remat {

MachineProbe probeMachine(GpuAnswer gpus)
{
    MachineProbe probe;
    probe.processor = processorName();
    probe.logicalProcessors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    probe.threads = usableThreads();
    for (const kernels::InstructionSet set : kernels::kInstructionSets)
        if (const kernels::CpuKernels* compiled = kernels::cpuKernels(set))
            probe.instructionSets.emplace_back(compiled->name());
    probe.kernels = kernels::bestCpuKernels().name();
    probe.available = availableMemory();
    probe.usable = usableMemory();
    probe.cudaDriver = firstLineOf("/proc/driver/nvidia/version");
    probe.gpus = std::move(gpus);
    return probe;
}

nlohmann::json toJson(const MachineProbe& probe)
{
    using nlohmann::json;
    const json cpu{{"name", "cpu"}, {"processor", probe.processor}, {"logical_processors", probe.logicalProcessors},
        {"threads", probe.threads}, {"instruction_sets", probe.instructionSets}, {"kernels", probe.kernels},
        {"available_bytes", optionalJson(probe.available)}, {"usable_bytes", optionalJson(probe.usable)}};
    json cuda = toJson(probe.gpus);
    cuda["driver"] = probe.cudaDriver.empty() ? json() : json(probe.cudaDriver);
    return {{"format", kProbeFormat}, {"version", kProbeVersion}, {"devices", json::array({cpu})},
        {"cuda", std::move(cuda)}};
}

} // namespace remat
