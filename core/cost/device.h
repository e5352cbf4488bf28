// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/cost/measured_op.h"
#include "core/cost/op_class.h"

namespace remat {

enum class DeviceKind { Cpu, Cuda };

/// Dense peak rates in FLOP/s with fp32 accumulation; 0 = the device has no such units.  The runtime profile reads
/// fp32; the others describe half-precision profiles.
struct PeakRates {
    double fp32 = 0;
    double tf32 = 0;
    double bf16 = 0;
    double fp16 = 0;

    bool operator==(const PeakRates&) const = default;
};

/// The shares of the peak FLOP/s and of the bandwidth that a class of ops reaches, each in (0, 1], and what one of its
/// ops costs beyond its work.
struct Efficiency {
    double compute = 1;
    double bandwidth = 1;
    std::optional<Nanoseconds> overhead = std::nullopt; ///< absent: the device's launch overhead

    bool operator==(const Efficiency&) const = default;
};

/// A machine as the planner sees it: how much memory, how fast, how coarse.
///
/// Device files (resources/devices) quote published figures; "this CPU" is made of measured ones
/// (core/cost/cpu_measurement.h).
struct Device {
    std::string name;  ///< "a100-80", "cpu"
    std::string title; ///< "NVIDIA A100 80 GB"
    DeviceKind kind = DeviceKind::Cpu;
    Bytes memory; ///< usable by a process: what the driver reports, or what is built into the machine
    PeakRates peak;
    double bytesPerSecond = 0; ///< peak memory bandwidth
    std::array<Efficiency, kOpClassCount> efficiency;
    Nanoseconds launchOverhead; ///< added to every op that does anything and whose class has none of its own
    Bytes context;              ///< taken by the driver before the first allocation
    Bytes granule{64};          ///< allocations are rounded up to this: 64 B on the CPU, 512 B on CUDA
    std::int64_t threads = 0;   ///< of a CPU; 0 on a GPU
    std::string source;         ///< where the figures come from, for people
    /// Ops whose times were measured one by one; others take what their class does (core/chain/op_times.h).
    std::vector<MeasuredOp> measuredOps;

    const Efficiency& efficiencyOf(OpClass opClass) const { return efficiency[static_cast<std::size_t>(opClass)]; }
    Efficiency& efficiencyOf(OpClass opClass) { return efficiency[static_cast<std::size_t>(opClass)]; }
    bool operator==(const Device&) const = default;
};

// What files may say: no rate, in FLOP or bytes a second, is greater, and no CPU has more threads.
inline constexpr double kFastestRate = 1e21;
inline constexpr std::int64_t kMostDeviceThreads = 1 << 16;

/// The name that stands for the machine that the program runs on.
inline constexpr const char* kThisCpu = "cpu";
/// The same machine with the costs that a run of the model measured, where both can be chosen.
inline constexpr const char* kThisCpuMeasured = "cpu-measured";

inline bool isThisCpu(const Device& device)
{
    return device.name == kThisCpu || device.name == kThisCpuMeasured;
}

} // namespace remat
