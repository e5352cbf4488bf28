// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/cost/device.h"

namespace remat {

class JsonCursor;

inline constexpr std::string_view kDeviceFormat = "remat-device";
inline constexpr std::int64_t kDeviceVersion = 1;

/// A device as device and plan files hold it; peaks that are 0, efficiencies of (1, 1) and an empty list of measured
/// ops (core/cost/measured_op.h) are left out.
///
///   {"name": "a100-80", "title": "NVIDIA A100 80 GB", "kind": "cuda", "memory_bytes": 85147726643,
///    "peak_flops_per_second": {"fp32": 19.5e12, "tf32": 156e12, "bf16": 312e12},
///    "bytes_per_second": 2.039e12, "efficiency": {"gemm": {"compute": 0.75, "bandwidth": 1.0}},
///    "launch_overhead_ns": 4000, "context_bytes": 536870912, "granule_bytes": 512, "threads": 0, "source": "...",
///    "measured_ops": [...]}
///
/// Of an efficiency, "overhead_ns" is there where the class has an overhead of its own.
nlohmann::json toJson(const Device& device);

/// The device at `at`; mistakes are recorded there: an unknown kind or op class, a share outside (0, 1], a rate below
/// kSlowestFlopsPerSecond or kSlowestBytesPerSecond (core/model/step_bounds.h) in any class, an overhead above
/// kLongestLaunch, a granule that is no power of two from 1 B to 2 MiB, a control character in a text, what
/// readMeasuredOps() finds.
Device readDevice(const JsonCursor& at);

/// A device file: toJson() with format "remat-device" and version 1.  `where` names the file in errors.
Result<Device> parseDeviceFile(std::string_view text, const std::string& where);
std::string deviceFileText(const Device& device);

} // namespace remat
