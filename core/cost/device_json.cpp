// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cost/device_json.h"

#include <bit>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/cost/cost_json.h"
#include "core/model/step_bounds.h"

namespace remat {

namespace {

constexpr MessageCode kUnknownKind{
    "device-kind-unknown", REMAT_TR("There is no kind of device \"{0}\"."), REMAT_TR("Use \"cpu\" or \"cuda\".")};
constexpr MessageCode kBadShare{"device-share-out-of-bounds", REMAT_TR("A share of {0} is outside (0, 1]."),
    REMAT_TR("Write the part of the peak that is reached, such as 0.75.")};
constexpr MessageCode kBadRate{"device-rate-out-of-bounds",
    REMAT_TR("A rate of {0} a second, after its efficiency, is outside {1} to {2}."),
    REMAT_TR("Write FLOP/s and bytes/s, such as 19.5e12 and 2.039e12.")};
constexpr MessageCode kBadGranule{"device-granule-no-power-of-two",
    REMAT_TR("A granule of {0} bytes is no power of two."), REMAT_TR("Use 64 for a CPU and 512 for CUDA.")};
constexpr MessageCode kBadText{"device-text-out-of-bounds", REMAT_TR("A text of {0} bytes is outside {1} to {2}."),
    REMAT_TR("Shorten the text, or give one.")};

constexpr std::size_t kMaxTextLength = 4000;
constexpr std::int64_t kMaxGranule = 2 << 20;

struct PeakKey {
    const char* key;
    double PeakRates::*field;
};
constexpr PeakKey kPeaks[]
    = {{"fp32", &PeakRates::fp32}, {"tf32", &PeakRates::tf32}, {"bf16", &PeakRates::bf16}, {"fp16", &PeakRates::fp16}};

std::string_view toName(DeviceKind kind)
{
    return kind == DeviceKind::Cpu ? "cpu" : "cuda";
}

OpClass classAt(std::size_t i)
{
    return static_cast<OpClass>(i);
}

std::string readText(const JsonCursor& at, std::size_t least, std::size_t most)
{
    std::string text = readPlainText(at);
    const auto count = [](std::size_t n) { return static_cast<std::int64_t>(n); };
    if (text.size() < least || text.size() > most)
        at.fail(kBadText, {count(text.size()), count(least), count(most)});
    return text;
}

void requireRate(const JsonCursor& at, double rate, double slowest)
{
    if (!(rate >= slowest && rate <= kFastestRate))
        at.fail(kBadRate, {rate, slowest, kFastestRate});
}

double readShare(const JsonCursor& at)
{
    const double share = at.number();
    if (!(share > 0 && share <= 1))
        at.fail(kBadShare, {share});
    return share;
}

/// has() is false of what is no object; asking it for a key is the mistake.
void requireObject(const JsonCursor& at)
{
    if (!at.raw().is_object())
        static_cast<void>(at["compute"]);
}

void readEfficiencies(const JsonCursor& at, Device& device)
{
    requireObject(at);
    for (std::size_t i = 0; i < kOpClassCount; ++i) {
        const std::string name(toName(classAt(i)));
        if (!at.has(name))
            continue;
        const JsonCursor entry = at[name];
        requireObject(entry);
        Efficiency& efficiency = device.efficiency[i];
        if (entry.has("compute"))
            efficiency.compute = readShare(entry["compute"]);
        if (entry.has("bandwidth"))
            efficiency.bandwidth = readShare(entry["bandwidth"]);
        if (entry.has("overhead_ns"))
            efficiency.overhead = Nanoseconds{entry["overhead_ns"].integer(0, kLongestLaunch.value)};
        requireRate(entry, efficiency.compute * device.peak.fp32, kSlowestFlopsPerSecond);
        requireRate(entry, efficiency.bandwidth * device.bytesPerSecond, kSlowestBytesPerSecond);
    }
    requireOpClasses(at);
}

} // namespace

nlohmann::json toJson(const Device& device)
{
    nlohmann::json peaks = nlohmann::json::object();
    for (const PeakKey& peak : kPeaks)
        if (device.peak.*peak.field > 0)
            peaks[peak.key] = device.peak.*peak.field;
    nlohmann::json efficiencies = nlohmann::json::object();
    for (std::size_t i = 0; i < kOpClassCount; ++i) {
        const Efficiency& efficiency = device.efficiency[i];
        if (efficiency == Efficiency{})
            continue;
        nlohmann::json entry{{"compute", efficiency.compute}, {"bandwidth", efficiency.bandwidth}};
        if (efficiency.overhead)
            entry["overhead_ns"] = efficiency.overhead->value;
        efficiencies[std::string(toName(classAt(i)))] = std::move(entry);
    }
    nlohmann::json object{
        {"name", device.name},
        {"title", device.title},
        {"kind", toName(device.kind)},
        {"memory_bytes", device.memory.value},
        {"peak_flops_per_second", peaks},
        {"bytes_per_second", device.bytesPerSecond},
        {"efficiency", efficiencies},
        {"launch_overhead_ns", device.launchOverhead.value},
        {"context_bytes", device.context.value},
        {"granule_bytes", device.granule.value},
        {"threads", device.threads},
        {"source", device.source},
    };
    if (!device.measuredOps.empty())
        object["measured_ops"] = toJson(device.measuredOps);
    return object;
}

Device readDevice(const JsonCursor& at)
{
    Device device;
    device.name = readText(at["name"], 1, kMaxNameLength);
    device.title = readText(at["title"], 0, kMaxNameLength);
    const std::string kind = at["kind"].string();
    device.kind = kind == "cuda" ? DeviceKind::Cuda : DeviceKind::Cpu;
    if (kind != toName(device.kind))
        at["kind"].fail(kUnknownKind, {shortened(kind)});
    device.memory = {at["memory_bytes"].integer(1, kMaxQuantity)};
    const JsonCursor peaks = at["peak_flops_per_second"];
    for (const PeakKey& peak : kPeaks) {
        if (peak.field != &PeakRates::fp32 && !peaks.has(peak.key))
            continue;
        device.peak.*peak.field = peaks[peak.key].number();
        requireRate(peaks[peak.key], device.peak.*peak.field, kSlowestFlopsPerSecond);
    }
    device.bytesPerSecond = at["bytes_per_second"].number();
    requireRate(at["bytes_per_second"], device.bytesPerSecond, kSlowestBytesPerSecond);
    if (at.has("efficiency"))
        readEfficiencies(at["efficiency"], device);
    device.launchOverhead = {at["launch_overhead_ns"].integer(0, kLongestLaunch.value)};
    device.context = at["context_bytes"].bytes();
    device.granule = {at["granule_bytes"].integer(1, kMaxGranule)};
    if (!std::has_single_bit(static_cast<std::uint64_t>(device.granule.value)))
        at["granule_bytes"].fail(kBadGranule, {device.granule.value});
    if (at.has("threads"))
        device.threads = at["threads"].integer(0, kMostDeviceThreads);
    if (at.has("source"))
        device.source = readText(at["source"], 0, kMaxTextLength);
    if (at.has("measured_ops"))
        device.measuredOps = readMeasuredOps(at["measured_ops"]);
    return device;
}

Result<Device> parseDeviceFile(std::string_view text, const std::string& where)
{
    const Result<nlohmann::json> json = parseJson(text, where);
    if (!json)
        return json.error();
    const JsonCursor root(*json, where);
    root.requireFormat(kDeviceFormat, kDeviceVersion);
    if (root.failed())
        return root.error();
    Device device = readDevice(root);
    if (root.failed())
        return root.error();
    return device;
}

std::string deviceFileText(const Device& device)
{
    nlohmann::json json = toJson(device);
    json["format"] = kDeviceFormat;
    json["version"] = kDeviceVersion;
    return jsonText(json, 2) + "\n";
}

} // namespace remat
