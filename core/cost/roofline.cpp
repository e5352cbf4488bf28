// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cost/roofline.h"

#include <algorithm>
#include <cmath>

namespace remat {

Nanoseconds opTime(const Device& device, OpClass opClass, Flops flops, Bytes bytes)
{
    if (flops.value == 0 && bytes.value == 0)
        return {0};
    const Efficiency& efficiency = device.efficiencyOf(opClass);
    const double computeRate = efficiency.compute * device.peak.fp32;
    const double memoryRate = efficiency.bandwidth * device.bytesPerSecond;
    const double compute = static_cast<double>(flops.value) * 1e9 / computeRate;
    const double memory = static_cast<double>(bytes.value) * 1e9 / memoryRate;
    const Nanoseconds overhead = efficiency.overhead.value_or(device.launchOverhead);
    const std::int64_t limit = kMaxQuantity - overhead.value;
    const double whole = std::floor(std::min(std::max(compute, memory), static_cast<double>(limit)) + 0.5);
    return Nanoseconds{std::min(static_cast<std::int64_t>(whole), limit)} + overhead;
}

Bytes optimizerTraffic(OptimizerKind kind, Bytes weights, Bytes state)
{
    return kind == OptimizerKind::None ? Bytes{0} : 3 * weights + 2 * state;
}

} // namespace remat
