// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/cost/device.h"

namespace remat {

/// The device of a GPU's measurement.
inline constexpr const char* kMeasuredGpu = "gpu";

/// What a class of ops reached in a measurement; 0 = not measured, or nothing of that kind to measure.
struct MeasuredRate {
    double flopsPerSecond = 0;
    double bytesPerSecond = 0;
    std::optional<Nanoseconds> overhead = std::nullopt; ///< of one op of the class; absent: launchOverhead

    bool operator==(const MeasuredRate&) const = default;
};

/// How fast the executor's own kernels ran on this machine, as core/run measures them in about a second
/// (core/run/cpu_calibration.h) or op by op in a step of a model (core/run/cpu_profile.h); the latter on GPUs too.
///
/// FLOPs and bytes are those that the tape counts (core/tape/tape.h: FLOPs of matrix products only), so that the rate
/// of an elementwise class is bytes per second, at the number of threads that its kernel uses.
struct CpuMeasurement {
    std::string device = kThisCpu; ///< or "cuda", a GPU; or "emulated", the emulator in its place
    /// "AMD EPYC 7B13", "NVIDIA H200": a measurement counts for this processor, thread count and kernels alone.
    std::string processor;
    std::int64_t threads = 1; ///< of a CPU; 0 of a GPU
    std::string kernels;      ///< their instruction set, "x86-64-v3"; empty of a GPU and in files of older versions
    Bytes memory;             ///< of a GPU
    std::array<MeasuredRate, kOpClassCount> rates;
    Nanoseconds launchOverhead; ///< what one op costs beyond its work
    std::string step; ///< the training step whose ops were timed one by one, "gpt2, 1 x 256 tokens"; empty: none was
    std::vector<MeasuredOp> ops; ///< of that step

    MeasuredRate& rateOf(OpClass opClass) { return rates[static_cast<std::size_t>(opClass)]; }
    bool isGpu() const { return device != kThisCpu; }
    const MeasuredRate& rateOf(OpClass opClass) const { return rates[static_cast<std::size_t>(opClass)]; }
    bool operator==(const CpuMeasurement&) const = default;
};

/// The device "cpu" of a measurement: its peaks are the best rates of any class and the efficiencies the others'
/// shares. A rate that was not measured limits nothing (a share of 1); rates below the slowest that the program
/// describes (core/model/step_bounds.h), as an instrumented build may have, count as the slowest.  `memoryAvailable`:
/// MemAvailable of /proc/meminfo.
Device cpuDevice(const CpuMeasurement& measurement, Bytes memoryAvailable);
/// The device kMeasuredGpu of a GPU's measurement, in the same way; its peaks are those of the precision that ran, and
/// its context is not known.  `title` is the GPU's name, by which a run finds that it is predicted for itself.
Device gpuDevice(const CpuMeasurement& measurement);

inline constexpr std::string_view kCostsFormat = "remat-costs";
inline constexpr std::int64_t kCostsVersion = 1;

/// The costs file as text and back: format "remat-costs", version 1, "device": "cpu", "cuda" or "emulated".
///
///   {"format": "remat-costs", "version": 1, "device": "cpu", "processor": "...", "threads": 2, "kernels": "x86-64-v3",
///    "launch_overhead_ns": 300, "rates": {"gemm": {"flops_per_second": 1.9e11, "bytes_per_second": 0}, ...},
///    "step": "gpt2, 1 x 256 tokens", "ops": [...]}
///
/// A rate has "overhead_ns" where the class has an overhead of its own; "step" and "ops" (core/cost/measured_op.h) are
/// there where the ops of a step were timed; a GPU's file has "memory_bytes", and 0 threads.
/// Errors: what JsonCursor finds, rates that are negative or above 1e21 or of an unknown class, an overhead above
/// kLongestLaunch, costs of another device, a control character in a name, what readMeasuredOps() finds.
nlohmann::json toJson(const CpuMeasurement& measurement);
std::string costsFileText(const CpuMeasurement& measurement);
Result<CpuMeasurement> parseCostsFile(std::string_view text, const std::string& where);

/// Where the measurement of this machine is kept: cacheFolder/this-cpu.costs.json with all the threads that it can use
/// (`threads` 0), cacheFolder/this-cpu-2-threads.costs.json with a number of its own.
std::string thisCpuCostsPath(const std::string& cacheFolder, int threads = 0);
/// Errors: no such file (then measure), and those of parseCostsFile().
Result<CpuMeasurement> readCosts(const std::string& path);
/// Makes the folder if it is missing.
Result<void> writeCosts(const std::string& path, const CpuMeasurement& measurement);

} // namespace remat
