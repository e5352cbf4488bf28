// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "app/cli/environment.h"
#include "core/base/result.h"
#include "core/sweep/sweep_grid.h"

namespace remat::cli {

/// Whether every value of a grid can be read: flags exist, numbers are numbers, models, devices, strategies and budgets
/// are known, and none asks for many GPUs or for closed forms, which no plan knows.  What only a combination shows (a
/// sequence beyond a model's positions) becomes the problem of its points. Errors: exit 3, with the grid's file and the
/// flag.
Result<void> checkGrid(const SweepGrid& grid, const std::string& where, const Environment& environment);

/// The rows of one study, as the text of a JSON list: its strategies, each with every budget.  A row has what `remat
/// plan` predicts; one without a plan says why ("problem"), or at what budget there would be one.
///
/// Each solve has one thread, so that several studies can be solved side by side; optimal-nested gets the work of a
/// comparison and an eighth of the tables that `remat plan` may take, so that rows do not depend on how many.
std::string answerStudy(const SweepGrid& grid, std::int64_t study, const Environment& environment);

} // namespace remat::cli
