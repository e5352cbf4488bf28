// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/torch_choice.h"

namespace remat::cli {

// What the verbs of the profile pytorch say alike.

/// The first line of an answer (app/cli/step_text.h).
std::string torchHeading(const RegionRequest& request);

/// Adds "model" (with "parameters"), "setup", "device" by name, "defaults", "notes".
void addChoice(nlohmann::json& object, const TorchChoice& choice);

} // namespace remat::cli
