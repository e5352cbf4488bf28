// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/cli/answer.h"
#include "app/cli/arguments.h"
#include "app/cli/environment.h"
#include "core/base/result.h"

namespace remat::cli {

/// Error: the file that is to be written is one of those that are read (exit 2); writing would lose it.
Result<void> checkNoInput(const std::string& out, const std::vector<std::string>& inputs);

/// Runs the verb of the arguments; each verb stands in the file of its name.
Result<Answer> runVerb(const Arguments& arguments, const Environment& environment);

Result<Answer> runModels(const Arguments& arguments, const Environment& environment);
Result<Answer> runDevices(const Arguments& arguments, const Environment& environment);
Result<Answer> runDescribe(const Arguments& arguments, const Environment& environment);
Result<Answer> runPlan(const Arguments& arguments, const Environment& environment);
Result<Answer> runFrontier(const Arguments& arguments, const Environment& environment);
Result<Answer> runCompare(const Arguments& arguments, const Environment& environment);
Result<Answer> runMaxBatch(const Arguments& arguments, const Environment& environment);
Result<Answer> runExplain(const Arguments& arguments);
Result<Answer> runChain(const Arguments& arguments, const Environment& environment);
Result<Answer> runSolve(const Arguments& arguments);
Result<Answer> runReplay(const Arguments& arguments);
Result<Answer> runVerify(const Arguments& arguments);
Result<Answer> runRun(const Arguments& arguments, const Environment& environment);
Result<Answer> runProfile(const Arguments& arguments, const Environment& environment);
Result<Answer> runProbe(const Arguments& arguments, const Environment& environment);
Result<Answer> runArticle(const Arguments& arguments, const Environment& environment);
Result<Answer> runExport(const Arguments& arguments);
Result<Answer> runSweep(const Arguments& arguments, const Environment& environment);
Result<Answer> runReference(const Arguments& arguments);

} // namespace remat::cli
