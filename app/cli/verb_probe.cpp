// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/this_cpu.h"
#include "app/cli/verbs.h"
#include "core/base/format_units.h"
#include "core/cost/device_json.h"
#include "core/run/machine_probe.h"
#include "core/run/worker_client.h"

namespace remat::cli {

Result<Answer> runProbe(const Arguments& arguments, const Environment& environment)
{
    Result<GpuAnswer> gpus = askWorkerForGpus({workerPathBesideThisProgram()});
    if (!gpus)
        return gpus.error();
    const MachineProbe probe = probeMachine(*std::move(gpus));
    const Device cpu = deviceOfThisCpu(environment);
    if (arguments.isJson) {
        nlohmann::json object = toJson(probe);
        object["devices"][0]["measured"] = toJson(cpu);
        return jsonAnswer(object);
    }
    std::string text = "cpu: " + probe.processor + ", " + std::to_string(probe.threads) + " threads\n";
    text += "  kernels: " + probe.kernels + "\n";
    if (probe.usable)
        text += "  a run may use " + formatBytes(*probe.usable) + "\n";
    text += "  measured with this program's kernels: " + formatFlops({static_cast<std::int64_t>(cpu.peak.fp32)})
        + "/s in fp32, " + formatBytes({static_cast<std::int64_t>(cpu.bytesPerSecond)}, ByteUnits::Decimal) + "/s\n";
    if (const std::optional<Message> reason = whyCudaIsOff(probe.gpus))
        text += "cuda: off. " + englishText(*reason) + " " + reason->code->remedy + "\n";
    for (const GpuFound& gpu : probe.gpus.gpus)
        text += "cuda: " + gpu.name + ", " + formatBytes(gpu.free) + " of " + formatBytes(gpu.memory) + " free\n";
    if (!probe.cudaDriver.empty())
        text += "  " + probe.cudaDriver + "\n";
    return Answer{text, {}, 0};
}

} // namespace remat::cli
