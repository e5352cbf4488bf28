// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/this_cpu.h"
#include "app/cli/verbs.h"
#include "core/base/format_units.h"
#include "core/cost/device_json.h"
#include "core/cost/devices.h"
#include "core/export/table.h"

namespace remat::cli {

namespace {

/// A rate of work as "19.5 TFLOP/s"; nothing where the device has no such units.
std::string rate(double flopsPerSecond)
{
    return flopsPerSecond > 0 ? formatFlops({static_cast<std::int64_t>(flopsPerSecond)}) + "/s" : "";
}

} // namespace

Result<Answer> runDevices(const Arguments& arguments, const Environment& environment)
{
    DeviceCatalog catalog = devices(environment.configurationFolder);
    catalog.add(deviceOfThisCpu(environment));
    Answer answer;
    if (arguments.isJson) {
        nlohmann::json list = nlohmann::json::array();
        for (const Device& device : catalog.devices())
            list.push_back(toJson(device));
        answer = jsonAnswer({{"format", "remat-devices"}, {"version", 1}, {"devices", list}});
    } else {
        Table table{{"device", "title", "memory", "fp32", "bf16", "fp16", "bandwidth"}, {}};
        for (const Device& device : catalog.devices())
            table.rows.push_back({device.name, device.title, formatBytes(device.memory), rate(device.peak.fp32),
                rate(device.peak.bf16), rate(device.peak.fp16),
                formatBytes({static_cast<std::int64_t>(device.bytesPerSecond)}, ByteUnits::Decimal) + "/s"});
        answer.output = toText(table);
    }
    for (const Error& problem : catalog.problems())
        answer.notes.push_back("skipped " + englishSentence(problem));
    return answer;
}

} // namespace remat::cli
