// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cost/framework_time.h"

#include <algorithm>
#include <cmath>

namespace remat {

namespace {

constexpr double kBandwidthShare = 0.75;

} // namespace

Nanoseconds frameworkTime(const Device& device, OpClass opClass, Flops flops, Bytes bytes)
{
    if (flops.value == 0 && bytes.value == 0)
        return {0};
    const Efficiency& efficiency = device.efficiencyOf(opClass);
    const double compute = static_cast<double>(flops.value) * 1e9 / (efficiency.compute * device.peak.fp32);
    const double memory
        = static_cast<double>(bytes.value) * 1e9 / (kBandwidthShare * efficiency.bandwidth * device.bytesPerSecond);
    const Nanoseconds overhead = efficiency.overhead.value_or(device.launchOverhead);
    const double work = opClass == OpClass::Gemm ? compute + memory : std::max(compute, memory);
    const std::int64_t limit = kMaxQuantity - overhead.value;
    return Nanoseconds{static_cast<std::int64_t>(std::floor(std::min(work, static_cast<double>(limit)) + 0.5))}
    + overhead;
}

} // namespace remat
