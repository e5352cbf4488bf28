// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cost/cpu_measurement.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/cost/cost_json.h"
#include "core/cost/device_traits.h"
#include "core/model/step_bounds.h"
#include "core/model/training_setup.h"

namespace remat {

namespace {

constexpr MessageCode kOtherDevice{"costs-of-other-device", REMAT_TR("These are costs of the device \"{0}\"."),
    REMAT_TR("Use costs that \"remat profile\" measured: of cpu, cuda or emulated.")};
constexpr const char* kCorrect
    = REMAT_TR("Correct the file; if it is this program's own measurement, delete it, and this CPU is measured again.");
constexpr MessageCode kBadRate{
    "costs-rate-out-of-bounds", REMAT_TR("A measured rate of {0} a second is outside 0 to {1}."), kCorrect};
constexpr MessageCode kBadProcessor{
    "costs-processor-out-of-bounds", REMAT_TR("The processor's name has {0} bytes, more than {1}."), kCorrect};
constexpr MessageCode kBadStep{
    "costs-step-out-of-bounds", REMAT_TR("The name of the step has {0} bytes, more than {1}."), kCorrect};
constexpr MessageCode kBadKernels{
    "costs-kernels-out-of-bounds", REMAT_TR("The name of the kernels has {0} bytes, more than {1}."), kCorrect};
constexpr std::size_t kMostStepName = 2 * kMaxNameLength;

double readRate(const JsonCursor& at)
{
    const double rate = at.number();
    if (!(rate >= 0 && rate <= kFastestRate))
        at.fail(kBadRate, {rate, kFastestRate});
    return rate;
}

MeasuredRate readClass(const JsonCursor& at)
{
    MeasuredRate rate{readRate(at["flops_per_second"]), readRate(at["bytes_per_second"])};
    if (at.has("overhead_ns"))
        rate.overhead = Nanoseconds{at["overhead_ns"].integer(0, kLongestLaunch.value)};
    return rate;
}

std::string readName(const JsonCursor& at, std::size_t most, const MessageCode& tooLong)
{
    std::string name = readPlainText(at);
    if (name.size() > most)
        at.fail(tooLong, {static_cast<std::int64_t>(name.size()), static_cast<std::int64_t>(most)});
    return name;
}

/// The share of `peak` that a measured rate is; an unmeasured one limits nothing.
double share(double rate, double slowest, double peak)
{
    if (rate <= 0)
        return 1.0;
    double share = std::max(rate, slowest) / peak;
    // Rounded, the product can fall below the bound that readers of the device hold it to.
    while (share * peak < slowest)
        share = std::nextafter(share, 1.0);
    return share;
}

/// Peaks, efficiencies and ops.
void setRates(Device& device, const CpuMeasurement& measurement)
{
    device.peak.fp32 = kSlowestFlopsPerSecond;
    device.bytesPerSecond = kSlowestBytesPerSecond;
    for (const MeasuredRate& rate : measurement.rates) {
        device.peak.fp32 = std::max(device.peak.fp32, rate.flopsPerSecond);
        device.bytesPerSecond = std::max(device.bytesPerSecond, rate.bytesPerSecond);
    }
    for (std::size_t i = 0; i < kOpClassCount; ++i) {
        const MeasuredRate& rate = measurement.rates[i];
        device.efficiency[i] = {share(rate.flopsPerSecond, kSlowestFlopsPerSecond, device.peak.fp32),
            share(rate.bytesPerSecond, kSlowestBytesPerSecond, device.bytesPerSecond), rate.overhead};
    }
    device.launchOverhead = std::clamp(measurement.launchOverhead, Nanoseconds{0}, kLongestLaunch);
    device.source = "measured on this machine with this program's kernels";
    if (!measurement.kernels.empty())
        device.source += " (" + measurement.kernels + ")";
    if (!measurement.ops.empty())
        device.source += ", op by op in a step of " + measurement.step;
    device.measuredOps = measurement.ops;
}

} // namespace

Device cpuDevice(const CpuMeasurement& measurement, Bytes memoryAvailable)
{
    Device device;
    device.name = kThisCpu;
    device.title = "This CPU (" + measurement.processor + ")";
    device.kind = DeviceKind::Cpu;
    device.memory = memoryAvailable;
    device.granule = {64};
    device.threads = measurement.threads;
    setRates(device, measurement);
    return device;
}

Device gpuDevice(const CpuMeasurement& measurement)
{
    Device device;
    device.name = kMeasuredGpu;
    device.title = measurement.processor;
    device.kind = DeviceKind::Cuda;
    device.memory = measurement.memory;
    device.granule = kCudaGranule;
    setRates(device, measurement);
    // One peak stands for whichever precision ran; a plan in another has times of classes alone.
    device.peak.bf16 = device.peak.fp16 = device.peak.fp32;
    return device;
}

nlohmann::json toJson(const CpuMeasurement& measurement)
{
    nlohmann::json rates = nlohmann::json::object();
    for (std::size_t i = 0; i < kOpClassCount; ++i) {
        const MeasuredRate& rate = measurement.rates[i];
        nlohmann::json entry{{"flops_per_second", rate.flopsPerSecond}, {"bytes_per_second", rate.bytesPerSecond}};
        if (rate.overhead)
            entry["overhead_ns"] = rate.overhead->value;
        rates[std::string(toName(static_cast<OpClass>(i)))] = std::move(entry);
    }
    nlohmann::json object{
        {"format", kCostsFormat},
        {"version", kCostsVersion},
        {"device", measurement.device},
        {"processor", measurement.processor},
        {"threads", measurement.threads},
        {"launch_overhead_ns", measurement.launchOverhead.value},
        {"rates", rates},
    };
    if (!measurement.kernels.empty())
        object["kernels"] = measurement.kernels;
    if (measurement.isGpu())
        object["memory_bytes"] = measurement.memory.value;
    if (!measurement.ops.empty()) {
        object["step"] = measurement.step;
        object["ops"] = toJson(measurement.ops);
    }
    return object;
}

std::string costsFileText(const CpuMeasurement& measurement)
{
    return jsonText(toJson(measurement), 2) + "\n";
}

Result<CpuMeasurement> parseCostsFile(std::string_view text, const std::string& where)
{
    const Result<nlohmann::json> json = parseJson(text, where);
    if (!json)
        return json.error();
    const JsonCursor root(*json, where);
    root.requireFormat(kCostsFormat, kCostsVersion);
    if (root.failed())
        return root.error();
    CpuMeasurement measurement;
    measurement.device = root["device"].string();
    if (measurement.device != kThisCpu && measurement.device != "cuda" && measurement.device != "emulated")
        root["device"].fail(kOtherDevice, {shortened(measurement.device)});
    measurement.processor = readName(root["processor"], kMaxNameLength / 2, kBadProcessor);
    measurement.threads = root["threads"].integer(measurement.isGpu() ? 0 : 1, kMostDeviceThreads);
    if (measurement.isGpu())
        measurement.memory = root["memory_bytes"].bytes();
    if (root.has("kernels"))
        measurement.kernels = readName(root["kernels"], kMaxNameLength / 4, kBadKernels);
    measurement.launchOverhead = {root["launch_overhead_ns"].integer(0, kLongestLaunch.value)};
    const JsonCursor rates = root["rates"];
    requireOpClasses(rates);
    for (std::size_t i = 0; i < kOpClassCount; ++i) {
        const std::string name(toName(static_cast<OpClass>(i)));
        if (rates.has(name))
            measurement.rates[i] = readClass(rates[name]);
    }
    if (root.has("ops")) {
        measurement.step = readName(root["step"], kMostStepName, kBadStep);
        measurement.ops = readMeasuredOps(root["ops"]);
    }
    if (root.failed())
        return root.error();
    return measurement;
}

std::string thisCpuCostsPath(const std::string& cacheFolder, int threads)
{
    const std::string count = threads > 0 ? "-" + std::to_string(threads) + "-threads" : "";
    return (std::filesystem::path(cacheFolder) / ("this-cpu" + count + ".costs.json")).string();
}

Result<CpuMeasurement> readCosts(const std::string& path)
{
    const Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    return parseCostsFile(*text, path);
}

Result<void> writeCosts(const std::string& path, const CpuMeasurement& measurement)
{
    // A folder that cannot be made shows as the file's own error.
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    return writeFileAtomically(path, costsFileText(measurement));
}

} // namespace remat
