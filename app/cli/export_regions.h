// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "app/cli/answer.h"
#include "app/cli/arguments.h"
#include "core/base/result.h"
#include "core/plan/torch_realization.h"

namespace remat::cli {

/// `remat export` of a plan of the profile pytorch, whose file says how it is realized; `text` is the file's.
/// `kind` is what --realization asked for.  Errors (exit 3): another kind of realization than the plan's.
Result<Answer> exportRegions(
    const Arguments& arguments, const std::string& text, std::optional<TorchRealization::Kind> kind);

} // namespace remat::cli
