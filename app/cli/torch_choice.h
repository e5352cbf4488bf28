// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/environment.h"
#include "core/paper/parallelism.h"
#include "core/regions/region_study.h"

namespace remat::cli {

/// The training step in PyTorch that MODEL and SETUP name.
struct TorchChoice {
    RegionRequest request;             ///< valid, defaults filled in
    Parallelism parallelism;           ///< valid; of one GPU unless the verb is one of app/cli/rank_verbs.h
    std::vector<std::string> defaults; ///< flags that nobody gave, with the value used
    std::vector<std::string> notes;    ///< what the config's reader decided
};

/// Whether the command line asks for the profile pytorch: by name, or by a model that the runtime profile does not run.
bool asksForTorch(const Arguments& arguments, const Environment& environment);

/// Errors: a mistake in a flag has exit code 2 and names the flag, one in a file 3.
Result<TorchChoice> chooseTorch(
    const ModelArguments& model, const SetupArguments& setup, const Environment& environment);

/// --budget, or what the chosen GPU can give a step: its memory less the driver's context and cuBLAS's workspace, so
/// that a plan that fits the budget fits the card.  Noted among the defaults.  Error: no budget and a memory that is
/// not known.
Result<Bytes> torchBudget(const Arguments& arguments, TorchChoice& choice);

} // namespace remat::cli
