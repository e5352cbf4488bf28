// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <nlohmann/json.hpp>

#include "app/cli/verbs.h"
#include "core/base/files.h"
#include "core/base/format_units.h"
#include "core/base/json_text.h"
#include "core/cost/device_json.h"
#include "core/run/cpu_calibration.h"
#include "core/run/process_memory.h"
#include "core/run/this_machine.h"

namespace remat::cli {

namespace {

using nlohmann::json;

struct CudaState {
    std::string driver; ///< its own version line; empty: none is loaded
    std::string reason; ///< why CUDA is off
};

CudaState cudaState()
{
    CudaState state{firstLineOf("/proc/driver/nvidia/version"), ""};
    const std::string release = "this release has no CUDA machine";
    std::error_code ignored;
    if (!state.driver.empty())
        state.reason = release + ", though an NVIDIA driver is loaded";
    else if (std::filesystem::exists("/dev/nvidiactl", ignored))
        state.reason = release + ", though an NVIDIA device is there";
    else
        state.reason = release + ", and no NVIDIA driver is loaded";
    return state;
}

} // namespace

Result<Answer> runProbe(const Arguments& arguments, const Environment& environment)
{
    const Device cpu = thisCpuDevice(environment.cacheFolder);
    const CudaState cuda = cudaState();
    if (arguments.isJson)
        return jsonAnswer({{"format", "remat-probe"}, {"version", 1},
            {"cpu",
                {{"processor", processorName()}, {"threads", usableThreads()},
                    {"memory_available_bytes", optionalJson(availableMemory())},
                    {"memory_usable_bytes", optionalJson(usableMemory())}, {"device", toJson(cpu)}}},
            {"cuda",
                {{"available", false}, {"reason", cuda.reason},
                    {"driver", cuda.driver.empty() ? json(nullptr) : json(cuda.driver)}}}});
    std::string text = "cpu: " + processorName() + ", " + std::to_string(usableThreads()) + " threads\n";
    if (const std::optional<Bytes> usable = usableMemory())
        text += "  a run may use " + formatBytes(*usable) + "\n";
    text += "  measured with this program's kernels: " + formatFlops({static_cast<std::int64_t>(cpu.peak.fp32)})
        + "/s in fp32, " + formatBytes({static_cast<std::int64_t>(cpu.bytesPerSecond)}, ByteUnits::Decimal) + "/s\n";
    text += "cuda: off, because " + cuda.reason + "\n";
    if (!cuda.driver.empty())
        text += "  " + cuda.driver + "\n";
    return Answer{text, {}, 0};
}

} // namespace remat::cli
