// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verbs.h"

#include <filesystem>

#include "app/cli/paper_verbs.h"
#include "app/cli/rank_verbs.h"
#include "app/cli/torch_choice.h"
#include "app/cli/torch_verbs.h"
#include "core/base/files.h"

namespace remat::cli {

namespace {

constexpr MessageCode kOutIsInput{"out-is-input", REMAT_TR("{0} is the file that is read; writing would lose it."),
    REMAT_TR("Give --out another name."), ExitCode::Usage};

/// An answer that cannot be written is known before the work, not after it.
Result<void> checkOut(const Arguments& arguments)
{
    if (!arguments.out)
        return {};
    std::vector<std::string> inputs = arguments.files;
    for (const auto& file : {arguments.model.config, arguments.setup.costs})
        if (file)
            inputs.push_back(*file);
    if (auto other = checkNoInput(*arguments.out, inputs); !other)
        return other.error();
    return checkWritable(*arguments.out);
}

} // namespace

Result<void> checkNoInput(const std::string& out, const std::vector<std::string>& inputs)
{
    for (const std::string& input : inputs) {
        std::error_code ignored;
        if (std::filesystem::equivalent(input, out, ignored))
            return Error{&kOutIsInput, "--out", {input}};
    }
    return {};
}

Result<Answer> runVerb(const Arguments& arguments, const Environment& environment)
{
    if (auto writable = checkOut(arguments); !writable)
        return writable.error();
    if (asksForPaper(arguments))
        return runPaper(arguments, environment);
    if (asksForRanks(arguments) && asksForTorch(arguments, environment))
        return runRanks(arguments, environment);
    switch (arguments.verb) {
    case Verb::Help:
        return Answer{arguments.helpText, {}, 0};
    case Verb::Version:
        return Answer{arguments.isJson ? "{\"format\": \"remat-version\", \"version\": 1, \"release\": \"" REMAT_VERSION
                                         "\"}\n"
                                       : "remat " REMAT_VERSION "\n",
            {}, 0};
    case Verb::Models:
        return runModels(arguments, environment);
    case Verb::Devices:
        return runDevices(arguments, environment);
    case Verb::Describe:
        return asksForTorch(arguments, environment) ? describeTorch(arguments, environment)
                                                    : runDescribe(arguments, environment);
    case Verb::Plan:
        return asksForTorch(arguments, environment) ? planTorch(arguments, environment)
                                                    : runPlan(arguments, environment);
    case Verb::Frontier:
        return asksForTorch(arguments, environment) ? frontierTorch(arguments, environment)
                                                    : runFrontier(arguments, environment);
    case Verb::Compare:
        return asksForTorch(arguments, environment) ? compareTorch(arguments, environment)
                                                    : runCompare(arguments, environment);
    case Verb::MaxBatch:
        return asksForTorch(arguments, environment) ? maxBatchTorch(arguments, environment)
                                                    : runMaxBatch(arguments, environment);
    case Verb::Explain:
        return runExplain(arguments);
    case Verb::Chain:
        return runChain(arguments, environment);
    case Verb::Solve:
        return runSolve(arguments);
    case Verb::Replay:
        return runReplay(arguments);
    case Verb::Verify:
        return runVerify(arguments);
    case Verb::Run:
        return runRun(arguments, environment);
    case Verb::Profile:
        return runProfile(arguments, environment);
    case Verb::Probe:
        return runProbe(arguments, environment);
    case Verb::Article:
        return runArticle(arguments, environment);
    case Verb::Export:
        return runExport(arguments);
    case Verb::Sweep:
        return runSweep(arguments, environment);
    case Verb::Reference:
        return runReference(arguments);
    }
    return Answer{};
}

} // namespace remat::cli
