// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/preflight.h"

#include <algorithm>

#include "core/base/format_units.h"
#include "core/plan/largest_batch.h"
#include "core/plan/nested_study.h"
#include "core/run/local_plan.h"

namespace remat {

namespace {

using namespace literals;

constexpr const char* kNotStarted
    = REMAT_TR("This run needs {0} and this machine can give it {1}, so it was not started.");
constexpr MessageCode kSmallerBatch{"out-of-memory-expected", kNotStarted,
    REMAT_TR("Lower the batch to {2}: the strategy {5} finds no plan of a batch of {3} that fits."),
    ExitCode::OutOfMemory};
constexpr MessageCode kOtherBudget{"out-of-memory-with-this-plan", kNotStarted,
    REMAT_TR("Plan this batch of {3} again with the strategy {5} and a budget of {4}."), ExitCode::OutOfMemory};
constexpr MessageCode kBudgetOrBatch{"out-of-memory-at-this-batch", kNotStarted,
    REMAT_TR("Plan this batch of {3} again with the strategy {5} and a budget of {4}; the present strategy fits with a "
             "batch of {2}."),
    ExitCode::OutOfMemory};
constexpr MessageCode kNoBatchFits{"out-of-memory-at-every-batch", kNotStarted,
    REMAT_TR("Not even a batch of 1 fits: shorten the sequence, recompute more, or choose a smaller model."),
    ExitCode::OutOfMemory};

/// Code, stacks, the plan and the program beside the run's own blocks; 20 to 40 MiB were seen.
constexpr Bytes kProcess = 64_MiB;
constexpr Bytes kReserve = 256_MiB;
constexpr std::int64_t kReserveShare = 50; // 2 %

/// The plan's step on this machine.  Its variants are the plan's own, which may be those that the planner chose.
StudyRequest studyHere(const RunRequest& request)
{
    TrainingSetup setup = request.plan.setup();
    setup.variants = VariantChoice::Fixed;
    return {request.plan.shape(), setup, sizesOf(request.machine, threadsOf(request)), request.plan.pins};
}

/// Least peaks are exact in the coarsest solve too.
FlatLimits leastPeakLimits(std::stop_token cancel)
{
    FlatLimits limits;
    limits.cancel = std::move(cancel);
    limits.gapTarget = 1.0;
    return limits;
}

/// The budget to name where the leanest plan needs `least` and a plan may have `most`.
std::optional<Bytes> adviceWithin(Bytes least, Bytes most)
{
    // A little less than all of it: other programs breathe between this advice and the next start.
    const Bytes spared = roundedDownAsPrinted(most - Bytes{most.value / kReserveShare});
    const Bytes advice = std::max(spared, roundedUpAsPrinted(least));
    return advice <= most ? std::optional(advice) : std::nullopt;
}

} // namespace

Preflight preflight(const RunRequest& request, Bytes available)
{
    const Device device = deviceOf(request);
    const Plan plan = planForThisMachine(request.plan, device);
    Preflight result;
    result.available = available;
    result.usable = std::max(Bytes{0}, available - kReserve - Bytes{available.value / kReserveShare});
    if (request.memoryLimit)
        result.usable = std::min(result.usable, *request.memoryLimit);
    result.predictedPeak = plan.prediction.peak;
    result.needed = plan.prediction.peak + kProcess;
    Nanoseconds gradientTime{0};
    if (request.checksGradients) {
        const Plan all = keepAllPlan(request.plan, device);
        result.checksGradients = all.prediction.peak + kProcess <= result.usable;
        gradientTime = plan.prediction.stepTime(plan.setup()) + all.prediction.stepTime(all.setup());
    }
    if (predictsTime(request)) {
        result.stepTime = plan.prediction.stepTime(plan.setup());
        // One step measures memory, one warms the timing pass up.
        result.runTime = (request.steps + 2) * *result.stepTime;
        if (result.checksGradients)
            *result.runTime += gradientTime;
    }
    return result;
}

std::int64_t largestBatch(const RunRequest& request, Bytes usable, std::stop_token cancel)
{
    const Plan& plan = request.plan;
    const BatchSearch search{
        studyHere(request), plan.strategy, usable - kProcess, std::min(usable, plan.budget.value_or(usable))};
    return largestBatch(search, leastPeakLimits(std::move(cancel))).value_or(0);
}

std::optional<FittingBudget> fittingBudget(const RunRequest& request, Bytes usable, std::stop_token cancel)
{
    const Bytes most = usable - kProcess;
    const Result<Study> study = Study::solve(studyHere(request), leastPeakLimits(cancel));
    if (!study)
        return std::nullopt;
    if (const std::optional<Bytes> budget = adviceWithin(study->leastPeak(), most))
        return FittingBudget{{Strategy::Kind::Optimal}, *budget};
    if (request.plan.strategy.kind != Strategy::Kind::OptimalNested)
        return std::nullopt;
    const Result<NestedStudy> nested = NestedStudy::solve(*study, {.cancel = std::move(cancel)});
    const std::optional<Bytes> budget = nested ? adviceWithin(nested->leastPeak(), most) : std::nullopt;
    return budget ? std::optional(FittingBudget{request.plan.strategy, *budget}) : std::nullopt;
}

Error refusal(const RunRequest& request, const Preflight& preflight, std::int64_t largestBatch,
    const std::optional<FittingBudget>& fitting)
{
    const std::int64_t batch = request.plan.setup().batch;
    // A largest batch that is not below the plan's stands for a leaner plan of the same strategy.
    const bool namesBatch = largestBatch > 0 && (!fitting || largestBatch < batch);
    const MessageCode* code = fitting && namesBatch ? &kBudgetOrBatch
        : fitting                                   ? &kOtherBudget
        : namesBatch                                ? &kSmallerBatch
                                                    : &kNoBatchFits;
    const bool isNested = request.plan.strategy.kind == Strategy::Kind::OptimalNested;
    const Strategy planner{isNested ? Strategy::Kind::OptimalNested : Strategy::Kind::Optimal};
    return Error{code, "",
        {preflight.needed, preflight.usable, std::min(largestBatch, fitting ? largestBatch : batch - 1), batch,
            fitting ? fitting->budget : Bytes{}, toName(fitting ? fitting->strategy : planner)}};
}

} // namespace remat
