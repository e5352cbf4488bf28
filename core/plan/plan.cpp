// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/index.h"
#include "core/chain/chain_replay.h"
#include "core/chain/stage_script.h"
#include "core/cost/roofline.h"
#include "core/plan/flat_schedule.h"
#include "core/plan/strategies_rotor.h"
#include "core/plan/strategies_segments.h"
#include "core/plan/variants.h"

namespace remat {

namespace {

constexpr MessageCode kPeakAtStart{"peak-at-start", REMAT_TR("before the first op"), ""};
constexpr MessageCode kPeakAtForward{"peak-at-forward", REMAT_TR("forward of {0}, at {1}"), ""};
constexpr MessageCode kPeakAtBackward{"peak-at-backward", REMAT_TR("backward of {0}, at {1}"), ""};
constexpr MessageCode kPeakAtRerun{"peak-at-rerun", REMAT_TR("backward of {0}, recomputing {1}"), ""};
constexpr MessageCode kOtherOption{"schedule-keeps-other-set",
    REMAT_TR("A forward of the schedule keeps something else than the stage's keep-set."),
    REMAT_TR("Use option 0 of the stage, or \"none\"."), ExitCode::BadInput};
constexpr MessageCode kPeakAtEnd{"peak-at-end", REMAT_TR("the optimizer step"), ""};

/// The op whose allocations reach a script's peak: the first op that runs once the peak is there.
const ScriptStep* peakStep(const std::vector<ScriptStep>& steps)
{
    Bytes live, peak;
    const ScriptStep* found = nullptr;
    bool awaitsOp = true;
    for (const ScriptStep& step : steps) {
        if (step.kind == ScriptStep::Kind::Allocate)
            live += step.bytes;
        if (step.kind == ScriptStep::Kind::Release)
            live -= step.bytes;
        if (live > peak) {
            peak = live;
            awaitsOp = true;
        }
        if (step.op >= 0 && awaitsOp) {
            found = &step;
            awaitsOp = false;
        }
    }
    return found;
}

Message describePeak(
    const StepChain& step, const std::vector<KeepSet>& keep, const Schedule& schedule, const ReplayResult& result)
{
    if (result.peakMoment == PeakMoment::Start)
        return {&kPeakAtStart, {}};
    if (result.peakMoment == PeakMoment::StepEnd)
        return {&kPeakAtEnd, {}};
    const ScheduleOp& op = schedule[result.peakOp];
    const StageFacts facts = step.factsOf(op.stage);
    const bool isForward = op.kind == ScheduleOp::Kind::Forward;
    const bool keepsNothing = isForward && op.option == ScheduleOp::kNoOption;
    const KeepSet set = keepsNothing ? 0 : keep[static_cast<std::size_t>(op.stage)];
    const StageScript script = buildStageScript(facts.tape, facts.flow, set, facts.gradientsInBase);
    const ScriptStep* peak = peakStep(isForward ? script.forward : script.backward);
    const std::string opName = peak ? facts.tape.ops[static_cast<std::size_t>(peak->op)].name : "";
    const bool isRerun = !isForward && peak && peak->isRerun;
    return {isForward ? &kPeakAtForward
            : isRerun ? &kPeakAtRerun
                      : &kPeakAtBackward,
        {step.tape.stages[static_cast<std::size_t>(op.stage)].name, opName}};
}

Result<Plan> planOf(
    std::shared_ptr<const StepChain> step, const Device& device, std::vector<KeepSet> keep, Schedule schedule)
{
    const Result<ReplayResult> result = replay(step->chain, schedule);
    if (!result)
        return result.error();
    const StepTape& tape = step->tape;
    Plan plan;
    plan.device = device;
    plan.step = std::move(step);
    plan.keep = std::move(keep);
    plan.schedule = std::move(schedule);
    Prediction& prediction = plan.prediction;
    prediction.peak = result->peak;
    prediction.peakAt = describePeak(*plan.step, plan.keep, plan.schedule, *result);
    prediction.saved = result->savedBytes;
    prediction.base = tape.base.total();
    prediction.reserved = result->peak;
    prediction.device = result->peak + device.context;
    prediction.time = result->time;
    prediction.overhead = result->overhead;
    prediction.keepAll = keepAllTime(tape, device);
    prediction.optimizer = optimizerTime(tape, device);
    prediction.reruns = result->reruns;
    return plan;
}

Plan segmentPlan(
    const StepTape& tape, const Device& device, std::vector<KeepSet> keep, const std::vector<Segment>& segments)
{
    auto step = std::make_shared<const StepChain>(buildFixedChain(tape, device, keep));
    Schedule schedule = segmentSchedule(step->chain, segments);
    // As for flatSchedule(): it always replays.
    return planOf(std::move(step), device, std::move(keep), std::move(schedule)).value();
}

} // namespace

Nanoseconds PlanProof::bound(Nanoseconds time) const
{
    if (isExact)
        return time;
    // Rounded down, so that it stays a bound.
    return {static_cast<std::int64_t>(std::floor(static_cast<double>(time.value) / (1.0 + gap)))};
}

Schedule Plan::ownOrder() const
{
    const bool isFlat = schedule == flatSchedule(step->chain, std::vector<int>(step->chain.stages.size(), 0));
    return isFlat ? Schedule() : schedule;
}

Nanoseconds optimizerTime(const StepTape& tape, const Device& device)
{
    return opTime(device, OpClass::Optimizer, {0},
        optimizerTraffic(tape.setup.optimizer, tape.base.weights, tape.base.optimizer));
}

Plan derivePlan(const StepTape& tape, const Device& device, std::vector<KeepSet> keep)
{
    auto step = std::make_shared<const StepChain>(buildFixedChain(tape, device, keep));
    const std::vector<int> choice(step->chain.stages.size(), 0);
    Schedule schedule = flatSchedule(step->chain, choice);
    // A schedule that flatSchedule() makes always replays; a failure here would be a defect of ours.
    return planOf(std::move(step), device, std::move(keep), std::move(schedule)).value();
}

Result<Plan> derivePlan(const StepTape& tape, const Device& device, std::vector<KeepSet> keep, Schedule schedule)
{
    auto step = std::make_shared<const StepChain>(buildFixedChain(tape, device, keep));
    // What another option keeps would be a decision that the keep-sets do not tell.
    for (const ScheduleOp& op : schedule)
        if (op.kind == ScheduleOp::Kind::Forward && op.option > 0)
            return Error{&kOtherOption, step->tape.stages[at(op.stage)].name, {}};
    return planOf(std::move(step), device, std::move(keep), std::move(schedule));
}

Result<Plan> fixedPlan(const StepTape& tape, const Device& device, const Strategy& strategy,
    const std::vector<KeepRule>& rules, std::optional<Bytes> budget)
{
    Bytes ruleBytes;
    if (budget && strategy.kind == Strategy::Kind::ArticleGreedy) {
        const Plan all = derivePlan(tape, device, keepSetsOf({Strategy::Kind::None}, tape, {}, {}));
        ruleBytes = std::max(Bytes{0}, all.prediction.peak - *budget);
    }
    if (strategy.kind == Strategy::Kind::Knapsack)
        ruleBytes = budget ? *budget - tape.base.total() : Bytes{std::numeric_limits<std::int64_t>::max()};
    std::vector<KeepSet> keep = keepSetsOf(strategy, tape, rules, ruleBytes);
    Result<Plan> plan = strategy.kind == Strategy::Kind::Rotor500 ? rotorPlan(tape, device, rules, budget)
        : strategy.rerunsSegments() ? segmentPlan(tape, device, std::move(keep), segmentsOf(strategy, tape, rules))
                                    : derivePlan(tape, device, std::move(keep));
    if (!plan)
        return plan;
    plan->budget = budget;
    plan->strategy = strategy;
    plan->proof.planClass = "fixed";
    return plan;
}

} // namespace remat
