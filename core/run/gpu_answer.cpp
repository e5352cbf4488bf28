// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/gpu_answer.h"

#include <algorithm>
#include <charconv>
#include <climits>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"

namespace remat {

namespace {

using nlohmann::json;

constexpr MessageCode kNotBuiltIn{"cuda-not-built-in", REMAT_TR("This worker was built without CUDA."),
    REMAT_TR("Install the CUDA toolkit and build again, or run on the CPU.")};
constexpr MessageCode kNoDriver{"cuda-no-driver", REMAT_TR("No NVIDIA driver is loaded."),
    REMAT_TR("Install the driver of this machine's NVIDIA card, or run on the CPU.")};
constexpr MessageCode kOldDriver{"cuda-driver-too-old",
    REMAT_TR("The NVIDIA driver runs CUDA up to {0}, and this worker needs {1}."),
    REMAT_TR("Update the driver, or run on the CPU.")};
constexpr MessageCode kNoDevice{"cuda-no-device", REMAT_TR("The NVIDIA driver is loaded, but no GPU answers."),
    REMAT_TR("See whether nvidia-smi lists one and CUDA_VISIBLE_DEVICES hides none, or run on the CPU.")};
constexpr MessageCode kOldGpu{"cuda-gpu-too-old",
    REMAT_TR("No GPU here is of compute capability {0} or later, which the kernels need."),
    REMAT_TR("Run on the CPU, or on a machine with an Ampere card or a later one.")};
constexpr MessageCode kMismatch{"cuda-driver-mismatch",
    REMAT_TR("The NVIDIA driver and its libraries are of different versions."),
    REMAT_TR("Restart the machine after a driver update, or run on the CPU.")};
constexpr MessageCode kNotThisCard{"cuda-compatibility-not-for-card",
    REMAT_TR("CUDA's compatibility libraries do not serve this GPU."),
    REMAT_TR("Update the driver itself, or run on the CPU.")};
constexpr MessageCode kNoStart{"cuda-no-start", REMAT_TR("CUDA did not start: error {0} ({1})."),
    REMAT_TR("See whether nvidia-smi works, or run on the CPU.")};

// Of cudaError_t (CUDA 13.0, driver_types.h).
constexpr int kInsufficientDriver = 35, kNoDeviceStatus = 100, kDriverMismatch = 803, kNotSupportedOnDevice = 804;

/// The kernels' bf16 instructions come with it.
constexpr int kLeastCapability = 8;

/// 13000 is "13.0".
std::string versionText(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

} // namespace

bool isNewEnough(const GpuFound& gpu)
{
    int major = 0;
    std::from_chars(gpu.capability.data(), gpu.capability.data() + gpu.capability.size(), major);
    return major >= kLeastCapability;
}

std::optional<Message> whyCudaIsOff(const GpuAnswer& answer)
{
    if (!answer.isBuiltIn)
        return Message{&kNotBuiltIn, {}};
    switch (answer.status) {
    case 0:
        if (answer.gpus.empty())
            return Message{&kNoDevice, {}};
        if (std::none_of(answer.gpus.begin(), answer.gpus.end(), isNewEnough))
            return Message{&kOldGpu, {std::to_string(kLeastCapability) + ".0"}};
        return std::nullopt;
    case kInsufficientDriver:
        if (answer.driverVersion == 0)
            return Message{&kNoDriver, {}};
        return Message{&kOldDriver, {versionText(answer.driverVersion), versionText(answer.runtimeVersion)}};
    case kNoDeviceStatus:
        return Message{&kNoDevice, {}};
    case kDriverMismatch:
        return Message{&kMismatch, {}};
    case kNotSupportedOnDevice:
        return Message{&kNotThisCard, {}};
    default:
        return Message{&kNoStart, {static_cast<std::int64_t>(answer.status), answer.statusText}};
    }
}

Result<GpuFound> usableGpu(const GpuAnswer& answer)
{
    if (const std::optional<Message> reason = whyCudaIsOff(answer))
        return Error{reason->code, "", reason->arguments, ExitCode::DeviceError};
    return *std::find_if(answer.gpus.begin(), answer.gpus.end(), isNewEnough);
}

json toJson(const GpuAnswer& answer)
{
    json gpus = json::array();
    for (const GpuFound& gpu : answer.gpus)
        gpus.push_back({{"name", gpu.name}, {"capability", gpu.capability}, {"memory_bytes", gpu.memory.value},
            {"free_bytes", gpu.free.value}});
    const std::optional<Message> reason = whyCudaIsOff(answer);
    return {{"available", !reason}, {"code", reason ? json(reason->code->name) : json()},
        {"reason", reason ? json(englishText(*reason)) : json()},
        {"remedy", reason ? json(reason->code->remedy) : json()}, {"built_in", answer.isBuiltIn},
        {"status", answer.status}, {"status_text", answer.statusText}, {"driver_version", answer.driverVersion},
        {"runtime_version", answer.runtimeVersion}, {"gpus", std::move(gpus)}};
}

GpuAnswer readGpuAnswer(const JsonCursor& at)
{
    GpuAnswer answer;
    answer.isBuiltIn = at["built_in"].boolean();
    const auto number = [&](const char* key) { return static_cast<int>(at[key].integer(0, INT_MAX)); };
    answer.status = number("status");
    answer.statusText = at["status_text"].string();
    answer.driverVersion = number("driver_version");
    answer.runtimeVersion = number("runtime_version");
    for (const JsonCursor& gpu : at["gpus"].elements(64))
        answer.gpus.push_back(
            {gpu["name"].string(), gpu["capability"].string(), gpu["memory_bytes"].bytes(), gpu["free_bytes"].bytes()});
    return answer;
}

} // namespace remat
