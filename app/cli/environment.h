// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "core/cost/device.h"

namespace remat::cli {

/// What the command line takes from the machine around it; read once in main and passed down.
struct Environment {
    std::string configurationFolder;    ///< presets and devices of the person's own; empty: none
    std::string cacheFolder;            ///< where the measurement of this CPU is kept; empty: nowhere
    std::optional<Device> thisCpu = {}; ///< measured already, where many answers need it; empty: ask when it is needed
};

/// $XDG_CONFIG_HOME/rematscope, else ~/.config/rematscope; the cache folder likewise.
Environment readEnvironment();

} // namespace remat::cli
