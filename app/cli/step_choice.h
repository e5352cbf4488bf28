// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/arguments.h"
#include "app/cli/environment.h"
#include "core/base/result.h"
#include "core/model/config_import.h"
#include "core/plan/study.h"

namespace remat::cli {

/// The training step that MODEL and SETUP name.
struct StepChoice {
    StudyRequest request;              ///< validated, defaults filled in, without pins
    std::vector<std::string> defaults; ///< flags that nobody gave, with the value used: "--seq 1024"
    std::vector<std::string> notes;    ///< what the config's reader decided
};

/// The model that MODEL names, with the sizes that replace its own and what the config's reader decided.
/// Errors: a mistake in a flag has exit code 2 and names the flag, one in a file 3.
Result<ImportedModel> chooseModel(const ModelArguments& arguments, const Environment& environment);

/// Errors: as above; a profile that does not describe the model has 3.
/// `device`: what the step is for where no flag says so; without it, this CPU, or the GPU that --costs are of.
Result<StepChoice> chooseStep(const ModelArguments& model, const SetupArguments& setup, const Environment& environment,
    const std::optional<Device>& device = {});

/// Every device of this machine and of the catalog; measures this CPU on first use.
Result<Device> findDevice(const SetupArguments& setup, const std::string& name, const Environment& environment);

/// Adds what every result says of its step: "model" (with "parameters"), "setup", "device" by name, "defaults",
/// "notes".
void addStep(nlohmann::json& object, const StepChoice& choice);

/// "gpt2 (124 M parameters), batch 8 x 1024 tokens, profile runtime, device cpu" and a line break.
std::string stepHeading(const StepChoice& choice);
std::string stepHeading(const ModelShape& shape, const TrainingSetup& setup);

} // namespace remat::cli
