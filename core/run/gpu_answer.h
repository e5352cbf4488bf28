// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/base/units.h"

namespace remat {

class JsonCursor;

/// An NVIDIA GPU as its driver describes it.
struct GpuFound {
    std::string name;
    std::string capability; ///< "9.0"
    Bytes memory, free;
};

/// What a worker learnt when it asked CUDA for devices.  Made by the worker alone, which may be linked with CUDA.
struct GpuAnswer {
    bool isBuiltIn = false;     ///< the worker was built with CUDA and can ask
    int status = 0;             ///< cudaError_t of cudaGetDeviceCount(), 0 = success
    std::string statusText;     ///< its name, "cudaErrorNoDevice"
    int driverVersion = 0;      ///< the newest CUDA that the driver runs, 13000 = 13.0; 0: no driver
    int runtimeVersion = 0;     ///< the CUDA that the worker was built with
    std::vector<GpuFound> gpus; ///< that answer
};

/// Whether a GPU is of a generation that the kernels run on.
bool isNewEnough(const GpuFound& gpu);

/// The GPU that runs use: the first that is new enough.  Errors: none can, with the state that CUDA is in (exit code
/// 11).
Result<GpuFound> usableGpu(const GpuAnswer& answer);

/// Why kernels cannot run on a GPU here, with the next step; nothing when they can.
std::optional<Message> whyCudaIsOff(const GpuAnswer& answer);

/// {"available": false, "code": "cuda-no-driver", "reason": "...", "remedy": "...", "built_in": true, "status": 35,
///  "status_text": "...", "driver_version": 0, "runtime_version": 13000, "gpus": [{"name": ..., "capability": "9.0",
///  "memory_bytes": ..., "free_bytes": ...}]}
nlohmann::json toJson(const GpuAnswer& answer);
GpuAnswer readGpuAnswer(const JsonCursor& at);

} // namespace remat
