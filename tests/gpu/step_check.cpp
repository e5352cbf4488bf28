// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/step_check.h"

#include <algorithm>

#include "core/base/format_units.h"
#include "core/cost/device_traits.h"
#include "core/plan/study.h"
#include "core/program/lowering.h"
#include "core/run/local_plan.h"
#include "cuda/machine/gpu_passes.h"

namespace remat::testing {

namespace {

using nlohmann::json;

/// What the pool counts for a block of one byte.
Bytes granuleOf(const OpenGpu& open)
{
    const std::unique_ptr<cuda::Gpu> gpu = open({});
    gpu->resetPeak();
    std::byte* const block = gpu->allocate({1});
    const Bytes used = gpu->peak().used;
    if (block)
        gpu->release(block);
    return used;
}

/// Plans of a step for a GPU whose pool rounds to `granule`.
Result<Study> studyOf(const CheckedStep& step, Bytes granule)
{
    Device device = sizesOfGpu();
    device.granule = granule;
    TrainingSetup setup = step.setup;
    setup.device = device.name;
    FlatLimits limits;
    limits.gapTarget = 0.05;
    return Study::solve({step.shape, withDefaults(step.shape, setup), device, {}}, limits);
}

/// Six budgets from the least peak to that of keeping everything.
std::vector<Bytes> budgetsOf(const Study& study)
{
    std::vector<Bytes> budgets;
    const Bytes least = study.leastPeak(), most = std::max(least, study.keepAllPeak());
    for (std::int64_t i = 0; i < 6; ++i)
        budgets.push_back(least + Bytes{(most - least).value / 5 * i});
    budgets.back() = most;
    return budgets;
}

PassSetup setupFor(const Plan& plan)
{
    return {plan, 1, 1, std::nullopt};
}

std::string titleOf(const CheckedStep& step)
{
    return step.shape.name + ", " + std::to_string(step.setup.batch) + " x " + std::to_string(step.setup.sequence)
        + " tokens";
}

void checkBudget(const OpenGpu& open, const std::string& title, const Plan& plan, Tally& tally)
{
    const std::unique_ptr<cuda::Gpu> gpu = open({});
    const Result<MemoryFound> found = cuda::runMemoryPass(*gpu, setupFor(plan), {});
    if (!found)
        return tally.note(false, title + ": " + englishSentence(found.error()));
    const PoolPeak pool = found->pool->peak();
    json phases = json::array();
    const PhaseBytes predicted = phasePeaks(lower(*plan.step, plan.schedule), plan.step->tape);
    bool areAsPredicted = found->phases == predicted && pool.used == plan.prediction.peak;
    for (const StepPhase phase : kAllPhases) {
        const auto i = static_cast<std::size_t>(phase);
        areAsPredicted = areAsPredicted && found->pool->phases[i].used == predicted[i];
        phases.push_back({{"phase", toName(phase)}, {"predicted_bytes", predicted[i].value},
            {"tracked_bytes", found->phases[i].value}, {"used_bytes", found->pool->phases[i].used.value},
            {"reserved_bytes", found->pool->phases[i].reserved.value}});
    }
    tally.note(areAsPredicted && found->pool->isRepeated,
        title + ", budget " + formatBytes(*plan.budget) + ": predicted " + formatBytes(plan.prediction.peak)
            + ", the pool counts " + std::to_string((pool.used - plan.prediction.peak).value) + " B more, and reserves "
            + formatBytes(pool.reserved),
        {{"model", plan.shape().name}, {"budget_bytes", plan.budget->value},
            {"predicted_bytes", plan.prediction.peak.value}, {"tracked_bytes", found->tracked.value},
            {"used_bytes", pool.used.value}, {"reserved_bytes", pool.reserved.value},
            {"repeated", found->pool->isRepeated}, {"phases", phases},
            {"process_before_bytes", found->pool->processBefore ? json(found->pool->processBefore->value) : json()},
            {"process_after_bytes", found->pool->processAfter ? json(found->pool->processAfter->value) : json()}});
}

} // namespace

void checkMemory(const OpenGpu& open, const std::vector<CheckedStep>& steps, Tally& tally)
{
    const Bytes granule = granuleOf(open);
    tally.note(granule.value > 0,
        "the pool counts " + std::to_string(granule.value) + " B for a block of one, "
            + std::to_string(kCudaGranule.value) + " B are planned with",
        {{"granule_bytes", granule.value}});
    for (const CheckedStep& step : steps) {
        const Result<Study> study = studyOf(step, granule);
        if (!study) {
            tally.note(false, titleOf(step) + ": " + englishSentence(study.error()));
            continue;
        }
        for (const Bytes budget : budgetsOf(*study))
            if (const Result<Plan> plan = study->cheapestWithin(budget); plan && tally.hasTime())
                checkBudget(open, titleOf(step), *plan, tally);
            else
                tally.note(false, titleOf(step) + ": " + (plan ? "no time is left" : englishSentence(plan.error())));
    }
}

/// A cap below a plan's peak must end its run where memory runs out, and leave nothing behind; a pool of the peak's
/// size and what fragments must not.
void checkCap(const OpenGpu& open, const CheckedStep& step, Tally& tally)
{
    const Result<Study> study = studyOf(step, granuleOf(open));
    const Result<Plan> plan = study ? study->cheapestWithin(budgetsOf(*study)[2]) : Result<Plan>(study.error());
    if (!plan)
        return tally.note(false, titleOf(step) + ": " + englishSentence(plan.error()));
    const Bytes peak = plan->prediction.peak;
    Bytes asked, live;
    RefusedAt refused;
    PassWatch watch;
    watch.onRefused = [&](const Refusal& refusal, const RefusedAt& at) {
        asked = refusal.requested;
        live = refusal.live;
        refused = at;
    };
    // Halfway between what is resident for the whole step and the peak: no pool's granularity is as wide as that.
    const Bytes base = plan->prediction.base;
    const Bytes below = base + Bytes{(peak - base).value / 2};
    const std::unique_ptr<cuda::Gpu> capped = open(below);
    const Result<MemoryFound> failed = cuda::runMemoryPass(*capped, setupFor(*plan), watch);
    const bool isOutOfMemory = !failed && failed.error().exitCode() == ExitCode::OutOfMemory;
    tally.note(isOutOfMemory && !refused.phase.empty(),
        titleOf(step) + ", a pool of " + formatBytes(below) + " for a peak of " + formatBytes(peak) + ": "
            + (failed ? "it ran" : englishText(failed.error()) + " " + refused.phase + ", " + refused.op),
        {{"cap_bytes", below.value}, {"peak_bytes", peak.value}, {"requested_bytes", asked.value},
            {"live_bytes", live.value}, {"phase", refused.phase}, {"op", refused.op}});
    capped->resetPeak();
    tally.note(capped->peak().used.value == 0, "nothing is left in that pool");
    const Bytes above = peak + Bytes{peak.value / 4};
    const std::unique_ptr<cuda::Gpu> wide = open(above);
    const Result<MemoryFound> ran = cuda::runMemoryPass(*wide, setupFor(*plan), {});
    tally.note(static_cast<bool>(ran),
        titleOf(step) + ", a pool of " + formatBytes(above) + ": "
            + (ran ? "it ran, and reserved " + formatBytes(ran->pool->peak().reserved) : englishText(ran.error())));
}

void checkTimes(const OpenGpu& open, const CheckedStep& step, std::int64_t timedSteps, Tally& tally)
{
    const Result<Study> study = studyOf(step, granuleOf(open));
    if (!study)
        return tally.note(false, titleOf(step) + ": " + englishSentence(study.error()));
    const Bytes budget = budgetsOf(*study)[2];
    double none = 0;
    for (const ComparedStrategy& row : study->compare(comparedStrategies(), budget)) {
        const std::string name = toName(row.strategy);
        if (!row.plan || !tally.hasTime()) {
            tally.note(true, name + (row.plan ? ": left out, no time is left" : ": does not apply here"));
            continue;
        }
        const std::unique_ptr<cuda::Gpu> gpu = open({});
        const Result<TimingFound> found = cuda::runTimingPass(*gpu, setupFor(*row.plan), timedSteps, {});
        if (!found) {
            // What needs more than the card has is no fault of it.
            tally.note(found.error().exitCode() == ExitCode::OutOfMemory, name + ": " + englishText(found.error()));
            continue;
        }
        const Nanoseconds time = median(found->steps);
        if (row.strategy.kind == Strategy::Kind::None)
            none = static_cast<double>(time.value);
        tally.note(found->tracked == row.plan->prediction.peak,
            name + ": a step takes " + formatDuration(time) + ", peak " + formatBytes(found->tracked),
            {{"strategy", name}, {"step_ns", time.value}, {"peak_bytes", found->tracked.value},
                {"above_none", none > 0 ? json(static_cast<double>(time.value) / none - 1) : json()}});
    }
}

} // namespace remat::testing
