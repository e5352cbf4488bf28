// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <string>

#include "core/cost/devices.h"
#include "core/sweep/sweep_grid.h"
#include "ui/state/document.h"

namespace remat::ui {

/// The inputs that a point of a sweep stands for: the flags of `remat plan` as the window's fields, with the command
/// line's defaults; a CPU without a budget leaves that of `before`.
/// Errors (exit code 3): a flag that no field of the window has; a value that is none.
Result<Inputs> inputsOfFlags(
    const GridFlags& flags, const Inputs& before, const std::string& configurationFolder, const DeviceCatalog& devices);

} // namespace remat::ui
