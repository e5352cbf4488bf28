// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/units.h"
#include "core/run/gpu_answer.h"

namespace remat {

/// What this machine offers to real runs.
struct MachineProbe {
    std::string processor;
    int logicalProcessors = 1;
    int threads = 1;                          ///< that a run uses unless told otherwise
    std::vector<std::string> instructionSets; ///< that kernels are compiled for and the processor has
    std::string kernels;                      ///< the set that runs use
    std::optional<Bytes> available, usable;   ///< MemAvailable; the same within the control group's limit
    std::string cudaDriver;                   ///< its own version line; empty: none is loaded
    GpuAnswer gpus;
};

/// `gpus`: the worker's answer (askWorkerForGpus() in core/run/worker_client.h), or the worker's own.
MachineProbe probeMachine(GpuAnswer gpus);

inline constexpr std::string_view kProbeFormat = "remat-probe";
inline constexpr std::int64_t kProbeVersion = 1;

/// "format": "remat-probe", "version": 1, the CPU as the first of "devices", and "cuda" (core/run/gpu_answer.h).
nlohmann::json toJson(const MachineProbe& probe);

} // namespace remat
