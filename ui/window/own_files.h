// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/cost/device.h"
#include "core/model/model_shape.h"
#include "core/run/launch_profile.h"

namespace remat::ui {

/// Writes a preset, a device or a launch profile of the person's into their configuration folder, where every program
/// of the project finds it: presets/NAME.json, devices/NAME.json, launch/NAME.json.  What is written is read back
/// first, so that no file is left that would be refused.  Returns the path. Errors: a name that is empty or no file
/// name; those of reading it back; those of writeFileAtomically().
Result<std::string> saveOwnPreset(const ModelShape& shape, const std::string& configurationFolder);
Result<std::string> saveOwnDevice(const Device& device, const std::string& configurationFolder);
Result<std::string> saveOwnLaunch(const LaunchProfile& profile, const std::string& configurationFolder);

} // namespace remat::ui
