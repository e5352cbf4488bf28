// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/cli/answer.h"
#include "app/cli/arguments.h"
#include "app/cli/environment.h"
#include "core/base/result.h"

namespace remat::cli {

/// Whether --tp, --pp, --dp, --sp or --zero divide the step over GPUs.
bool asksForRanks(const Arguments& arguments);

/// What a verb says that plans, and hence knows one GPU alone.  Precondition: asksForRanks().
Error ranksNotPlanned(const Arguments& arguments);

/// describe, compare and max-batch of the profile pytorch for one rank of many (core/regions/rank_view.h).
/// Errors: a verb that plans (exit 2): regions are planned for one GPU.
Result<Answer> runRanks(const Arguments& arguments, const Environment& environment);

} // namespace remat::cli
