// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/preflight.h"

#include <algorithm>

#include "core/plan/largest_batch.h"
#include "core/run/local_plan.h"

namespace remat {

namespace {

using namespace literals;

constexpr MessageCode kTooLarge{"out-of-memory-expected",
    REMAT_TR("This run needs {0} and this machine can give it {1}, so it was not started."),
    REMAT_TR("Lower the batch to {2}, or plan with a smaller budget."), ExitCode::OutOfMemory};
constexpr MessageCode kNoBatchFits{"out-of-memory-at-every-batch",
    REMAT_TR("This run needs {0} and this machine can give it {1}, so it was not started."),
    REMAT_TR("Not even a batch of 1 fits: shorten the sequence, recompute more, or choose a smaller model."),
    ExitCode::OutOfMemory};

constexpr MessageCode kLeanerPlan{"out-of-memory-with-this-plan",
    REMAT_TR("This run needs {0} and this machine can give it {1}, so it was not started."),
    REMAT_TR("Plan with a smaller budget: this strategy fits with a batch of {2}."), ExitCode::OutOfMemory};

/// Code, stacks, the plan and the program beside the run's own blocks; 20 to 40 MiB were seen.
constexpr Bytes kProcess = 64_MiB;
constexpr Bytes kReserve = 256_MiB;
constexpr std::int64_t kReserveShare = 50; // 2 %

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
    // The plan's own variants, which may be those that the planner chose.
    TrainingSetup setup = plan.setup();
    setup.variants = VariantChoice::Fixed;
    const BatchSearch search{{plan.shape(), setup, sizesOfThisCpu(threadsOf(request)), plan.pins}, plan.strategy,
        usable - kProcess, std::min(usable, plan.budget.value_or(usable))};
    FlatLimits limits;
    limits.cancel = std::move(cancel);
    limits.gapTarget = 1.0;
    return largestBatch(search, limits).value_or(0);
}

Error refusal(const RunRequest& request, const Preflight& preflight, std::int64_t largestBatch)
{
    const MessageCode* code = largestBatch == 0     ? &kNoBatchFits
        : largestBatch < request.plan.setup().batch ? &kTooLarge
                                                    : &kLeanerPlan;
    return Error{code, "", {preflight.needed, preflight.usable, largestBatch}};
}

} // namespace remat
