// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/message.h"
#include "core/base/units.h"

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
    Message cudaIsOff;                        ///< why no CUDA machine is offered
};

MachineProbe probeMachine();

/// "format": "remat-probe", "version": 1.
nlohmann::json toJson(const MachineProbe& probe);

} // namespace remat
