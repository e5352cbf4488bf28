// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/cli/answer.h"
#include "app/cli/arguments.h"
#include "app/cli/environment.h"
#include "core/base/result.h"

namespace remat::cli {

/// Whether the command line asks for the profile paper, which it does by name alone.
bool asksForPaper(const Arguments& arguments);

/// What a verb says that the profile has no use for.
Error verbNotInPaper();

/// The verb of the arguments in the profile paper (core/paper): describe, plan, compare and max-batch.
/// Errors: a verb or a flag that the profile has no use for (exit 2).
Result<Answer> runPaper(const Arguments& arguments, const Environment& environment);

} // namespace remat::cli
