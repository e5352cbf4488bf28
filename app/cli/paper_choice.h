// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/cli/arguments.h"
#include "app/cli/environment.h"
#include "core/paper/paper_step.h"

namespace remat::cli {

/// The step of the profile paper that MODEL and SETUP name.
struct PaperChoice {
    PaperRequest request;              ///< valid, defaults filled in
    std::vector<std::string> defaults; ///< flags that nobody gave, with the value used
    std::vector<std::string> notes;    ///< what the config's reader decided
};

/// Errors: a mistake in a flag has exit code 2 and names the flag, one in a file 3.
Result<PaperChoice> choosePaper(
    const ModelArguments& model, const SetupArguments& arguments, const Environment& environment);

/// "none", "core-attention" (the paper's selective) or "full"; nothing: the fastest that fits.
/// Error: a strategy that the paper does not have (exit 2).
Result<std::optional<PaperRecompute>> readRecompute(const std::optional<std::string>& strategy);
const char* nameOf(PaperRecompute recompute);

} // namespace remat::cli
