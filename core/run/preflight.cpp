// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/preflight.h"

#include <algorithm>

#include "core/cost/device_traits.h"
#include "core/plan/study.h"
#include "core/run/local_plan.h"

namespace remat {

namespace {

using namespace literals;

constexpr MessageCode kTooLarge{"out-of-memory-expected",
    REMAT_TR("This run needs {0} and this machine can give it {1}, so it was not started."),
    REMAT_TR("Lower the batch to {2}, or plan with a smaller budget."), ExitCode::OutOfMemory};
constexpr MessageCode kNoBatchFits{"out-of-memory-expected",
    REMAT_TR("This run needs {0} and this machine can give it {1}, so it was not started."),
    REMAT_TR("Not even a batch of 1 fits: shorten the sequence, recompute more, or choose a smaller model."),
    ExitCode::OutOfMemory};

constexpr MessageCode kLeanerPlan{"out-of-memory-expected",
    REMAT_TR("This run needs {0} and this machine can give it {1}, so it was not started."),
    REMAT_TR("Plan with a smaller budget: this strategy fits with a batch of {2}."), ExitCode::OutOfMemory};

/// Code, stacks, the plan and the program beside the run's own blocks; 20 to 40 MiB were seen.
constexpr Bytes kProcess = 64_MiB;
constexpr Bytes kReserve = 256_MiB;
constexpr std::int64_t kReserveShare = 50; // 2 %

/// The least peak of the request's strategy at another batch; none where the setup is not valid.
std::optional<Bytes> peakAtBatch(const RunRequest& request, std::int64_t batch, Bytes usable)
{
    const Plan& plan = request.plan;
    TrainingSetup setup = plan.setup();
    setup.batch = batch;
    setup.headChunks = std::min(setup.headChunks, batch * setup.sequence);
    setup.variants = VariantChoice::Fixed;
    const Device device = sizesOfThisCpu(threadsOf(request));
    if (!validate(plan.shape(), setup))
        return std::nullopt;
    if (plan.strategy.kind == Strategy::Kind::Optimal) {
        // The least peak is exact in a thinned solve too.
        FlatLimits limits;
        limits.gapTarget = 1.0;
        const Result<Study> study = Study::solve({plan.shape(), setup, device, plan.pins}, limits);
        return study ? std::optional(study->leastPeak()) : std::nullopt;
    }
    const StepTape tape = buildStepTape(plan.shape(), setup, machineTraits(device));
    const Result<std::vector<KeepRule>> rules = pinRules(tape, plan.pins);
    if (!rules)
        return std::nullopt;
    Bytes toFree{0};
    if (plan.strategy.kind == Strategy::Kind::ArticleGreedy) {
        const Bytes keepAllPeak
            = derivePlan(tape, device, keepSetsOf({Strategy::Kind::None}, tape, *rules, {0})).prediction.peak;
        toFree = std::max(Bytes{0}, keepAllPeak - std::min(usable, plan.budget.value_or(usable)));
    }
    return derivePlan(tape, device, keepSetsOf(plan.strategy, tape, *rules, toFree)).prediction.peak;
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

std::int64_t largestBatch(const RunRequest& request, Bytes usable)
{
    const auto fits = [&](std::int64_t batch) {
        const std::optional<Bytes> peak = peakAtBatch(request, batch, usable);
        return peak && *peak + kProcess <= usable;
    };
    std::int64_t fitting = 0, failing = request.plan.setup().batch;
    if (fits(failing)) {
        // The plan keeps more than its strategy must; then larger batches may fit as well.
        while (failing <= kMaxBatch / 2 && fits(failing))
            failing *= 2;
        fitting = failing / 2;
    }
    while (failing - fitting > 1) {
        const std::int64_t middle = fitting + (failing - fitting) / 2;
        (fits(middle) ? fitting : failing) = middle;
    }
    return fitting;
}

Error refusal(const RunRequest& request, const Preflight& preflight, std::int64_t largestBatch)
{
    const MessageCode* code = largestBatch == 0     ? &kNoBatchFits
        : largestBatch < request.plan.setup().batch ? &kTooLarge
                                                    : &kLeanerPlan;
    return Error{code, "", {preflight.needed, preflight.usable, largestBatch}};
}

} // namespace remat
